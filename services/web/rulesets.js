// The pictures of the rulesets: board, displays, places and moves. A ruleset without one is drawn as plain tables.

import { CharioteerBoard } from "./charioteer/board.js";
import { showDrivers } from "./charioteer/displays.js";
import { findMove as charioteerMove } from "./charioteer/moves.js";
import * as charioteerPlaces from "./charioteer/places.js";
import { ChariotRaceBoard } from "./chariot_race/board.js";
import { showChariots } from "./chariot_race/displays.js";
import { findMove as chariotRaceMove } from "./chariot_race/moves.js";
import * as chariotRacePlaces from "./chariot_race/places.js";
import { ChariotmasterBoard } from "./chariotmaster/board.js";
import { showChariots as showTeams } from "./chariotmaster/displays.js";
import { findMove as chariotmasterMove } from "./chariotmaster/moves.js";
import * as chariotmasterPlaces from "./chariotmaster/places.js";
import { PlainBoard } from "./plain_board.js";
import { wordsOf } from "./ruleset_words.js";

const PICTURES = {
  charioteer: { element: CharioteerBoard, showDisplays: showDrivers, ...charioteerPlaces, findMove: charioteerMove },
  "chariot-race": { element: ChariotRaceBoard, showDisplays: showChariots, ...chariotRacePlaces, findMove: chariotRaceMove },
  chariotmaster: { element: ChariotmasterBoard, showDisplays: showTeams, ...chariotmasterPlaces, findMove: chariotmasterMove },
};
const PLAIN = { element: PlainBoard, showDisplays: () => [], findPlaces: () => [], listChariots: () => [], findMove: null };

export function findRuleset(reference) {
  const words = wordsOf(reference);
  const picture = PICTURES[reference.split("@")[0]] ?? PLAIN;
  return { ...picture, words, title: words.title, turnWord: words.turn, turnField: words.turn_field };
}
