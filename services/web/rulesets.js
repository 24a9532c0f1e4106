// What the pages know of each ruleset: how its board is drawn, its displays laid out and its story told.

import { CharioteerBoard } from "./charioteer/board.js";
import { showDrivers } from "./charioteer/displays.js";
import { findMove as charioteerMove } from "./charioteer/moves.js";
import * as charioteerPlaces from "./charioteer/places.js";
import * as charioteerStory from "./charioteer/story.js";
import { ChariotRaceBoard } from "./chariot_race/board.js";
import { showChariots } from "./chariot_race/displays.js";
import { findMove as chariotRaceMove } from "./chariot_race/moves.js";
import * as chariotRacePlaces from "./chariot_race/places.js";
import * as chariotRaceStory from "./chariot_race/story.js";
import { ChariotmasterBoard } from "./chariotmaster/board.js";
import { showChariots as showTeams } from "./chariotmaster/displays.js";
import { findMove as chariotmasterMove } from "./chariotmaster/moves.js";
import * as chariotmasterPlaces from "./chariotmaster/places.js";
import * as chariotmasterStory from "./chariotmaster/story.js";
import { titleOf } from "./titles.js";

const KNOWN = {
  charioteer: {
    title: "Charioteer",
    element: CharioteerBoard,
    showDisplays: showDrivers,
    story: charioteerStory,
    ...charioteerPlaces,
    findMove: charioteerMove,
    turnWord: "turn",
  },
  "chariot-race": {
    title: "Chariot Race",
    element: ChariotRaceBoard,
    showDisplays: showChariots,
    story: chariotRaceStory,
    ...chariotRacePlaces,
    findMove: chariotRaceMove,
    turnWord: "round",
  },
  chariotmaster: {
    title: "Chariotmaster",
    element: ChariotmasterBoard,
    showDisplays: showTeams,
    story: chariotmasterStory,
    ...chariotmasterPlaces,
    findMove: chariotmasterMove,
    turnWord: "game turn",
    turnField: "game_turn",
  },
};

// A ruleset that is not drawn yet still has its story, told from the tags alone.
const PLAIN = {
  element: null,
  showDisplays: () => [],
  story: { SENTENCES: {}, MARKS: {}, QUIET: new Set() },
  findPlaces: () => [],
  listChariots: () => [],
  findMove: null,
  turnWord: "turn",
};

export function findRuleset(reference) {
  const name = reference.split("@")[0];
  return KNOWN[name] ?? { ...PLAIN, title: titleOf(reference) };
}
