// The panel of a seat in Chariot Race: for each question a few buttons, and the board itself for spaces and rivals.

import { button, el } from "../../parts/dom.js";
import { buildPanel as buildPlainPanel } from "../../panel/plain_panel.js";
import { capital } from "../../parts/words.js";
import { callOwn } from "./displays.js";
import { buildAttackPanel } from "./attack_panel.js";
import { buildManipulationPanel, buildRerollPanel } from "./dice_panel.js";
import { buildMovePanel, tellEffect } from "./move_panel.js";

const PANELS = {
  repair: buildRepairPanel,
  reroll: buildRerollPanel,
  manipulation: buildManipulationPanel,
  move: buildMovePanel,
  attack: buildAttackPanel,
  choose_board: buildColourPanel,
  choose_place: buildPlacePanel,
};

/** @param {Panel.Asked<Api.ChariotRace1RulesetChoices, Api.ChariotRace1RulesetBoard>} asked */
export function buildPanel(asked) {
  const { kind } = asked.decision.choices;
  const panel = (PANELS[kind] ?? buildPlainPanel)(asked);
  return {
    tellEffect,
    safe: kind === "move" ? "the way with the least damage is driven for you" : "you pass",
    ...panel,
  };
}

function buildRepairPanel({ decision: { choices }, view, act }) {
  const { damage_left: before, fate } = view.chariots.find((each) => each.colour === view.turn.chariot);
  // A repair costs the same however little there is to mend.
  const isWorthIt = choices.damage_left - before >= fate - choices.fate;
  const main = { class: "go-button" };
  return {
    element: el(
      "div",
      {},
      el("p", {}, `Repair ${callOwn(view)} before you throw its dice?`),
      el(
        "div",
        { class: "buttons" },
        button(
          `Repair: strength ${before} to ${choices.damage_left}, fate ${fate} to ${choices.fate}`,
          () => act({ kind: "repair" }, "repair"),
          isWorthIt ? main : {},
        ),
        button("Do not repair", () => act({ kind: "pass" }, "no repair"), isWorthIt ? {} : main),
      ),
    ),
  };
}

function buildColourPanel({ decision: { choices }, act }) {
  return {
    element: el(
      "div",
      { class: "draft-panel" },
      el("p", {}, "Choose a chariot."),
      el(
        "div",
        { class: "buttons" },
        choices.boards.map(({ colour, damage_max: damage, speed, fate }) =>
          button(`${capital(colour)}: strength ${damage}, speed ${speed}, fate ${fate}`, () =>
            act({ kind: "choose_board", colour }, colour),
          ),
        ),
      ),
    ),
  };
}

function buildPlacePanel({ decision: { choices }, act }) {
  return {
    element: el(
      "div",
      { class: "draft-panel" },
      el("p", {}, `Choose the place of ${capital(choices.chariot)} on the grid.`),
      el(
        "div",
        { class: "buttons" },
        choices.places.map((place) =>
          button(`Place ${place}`, () => act({ kind: "choose_place", place }, `place ${place}`)),
        ),
      ),
    ),
  };
}
