// The points left to each chariot of Chariot Race, and the dice of the active one.

import { display, facts, meter, showMove } from "../displays.js";
import { el } from "../dom.js";
import { inSeat } from "../names.js";
import { capital } from "../words.js";
import { FACES } from "./faces.js";
import { findMove } from "./moves.js";

// `turn` are the lines of the round so far.
export function showChariots(view, { turn }) {
  const order = [...view.chariots].sort((one, other) => (other.front ?? -1e9) - (one.front ?? -1e9));
  return order.map((chariot) => showChariot(chariot, view, turn));
}

function showChariot(chariot, view, turn) {
  const isOut = chariot.status === "wrecked" || chariot.status === "withdrawn";
  const { place } = view.ranking.find((each) => each.seat === chariot.seat);
  const standing = chariot.status === "racing" ? `place ${place}, ${chariot.space}` : chariot.status;
  const isIts = view.turn?.chariot === chariot.colour;
  return display(
    {
      colour: chariot.colour,
      text: chariot.colour[0].toUpperCase(),
      title: `${capital(chariot.colour)}, ${inSeat(chariot.seat)}`,
      note: standing,
      isOut,
    },
    facts(
      ["Strength", meter(chariot.damage_left, chariot.damage_max, "strength")],
      ["Speed", meter(chariot.speed, chariot.speed_max, "speed")],
      ["Fate", meter(chariot.fate, chariot.fate_max, "fate")],
      ["Laps", `${chariot.laps} of ${view.laps}${chariot.is_safe ? ", safe beyond the line" : ""}`],
    ),
    isIts ? showTurn(view.turn) : null,
    showMove(findMove(chariot.colour, turn)),
  );
}

function showTurn(turn) {
  return el(
    "div",
    { class: "played dice" },
    el("p", {}, `Its turn: ${turn.phase.replaceAll("_", " ")}`),
    turn.dice.map((face) => el("span", { class: "card" }, FACES[face])),
  );
}
