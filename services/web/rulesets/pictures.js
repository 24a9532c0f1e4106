// Each ruleset with its picture and its words. A ruleset without a picture is drawn as plain tables.

import * as charioteer from "./charioteer/picture.js";
import * as chariotRace from "./chariot_race/picture.js";
import * as chariotmaster from "./chariotmaster/picture.js";
import { PlainBoard } from "../board/plain_board.js";
import { wordsOf } from "../parts/ruleset_words.js";

/** @type {Record<string, Picture.Ruleset>} */
const PICTURES = { charioteer, "chariot-race": chariotRace, chariotmaster };
/** @type {Picture.Ruleset} */
const PLAIN = {
  element: PlainBoard,
  showDisplays: () => [],
  findPlaces: () => [],
  listChariots: () => [],
  findMove: null,
};

export function findRuleset(reference) {
  const words = wordsOf(reference);
  const [name] = reference.split("@");
  const picture = PICTURES[name] ?? PLAIN;
  const rules = name in PICTURES ? `/rules/${name}` : null;
  return {
    guide: [],
    ...picture,
    name,
    rules,
    words,
    title: words.title,
    turnWord: words.turn,
    turnField: words.turn_field,
  };
}
