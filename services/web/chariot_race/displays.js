// What each chariot of Chariot Race has left, and the dice of whose turn it is.

import { display, facts, meter } from "../displays.js";
import { el } from "../dom.js";
import { capital } from "../words.js";
import { FACES } from "./faces.js";

export function showChariots(view) {
  const places = new Map(view.ranking.map((placing) => [placing.seat, placing.place]));
  const order = [...view.chariots].sort((one, other) => (other.front ?? -1e9) - (one.front ?? -1e9));
  return order.map((chariot) => showChariot(chariot, places.get(chariot.seat), view));
}

function showChariot(chariot, place, view) {
  const isOut = chariot.status === "wrecked" || chariot.status === "withdrawn";
  const standing = chariot.status === "racing" ? `place ${place}, ${chariot.space}` : chariot.status;
  return display(
    {
      colour: chariot.colour,
      text: chariot.colour[0].toUpperCase(),
      title: `${capital(chariot.colour)}, seat ${chariot.seat}`,
      note: standing,
      isOut,
    },
    facts(
      ["Strength", meter(chariot.damage_left, chariot.damage_max, "strength")],
      ["Speed", meter(chariot.speed, chariot.speed_max, "speed")],
      ["Fate", meter(chariot.fate, chariot.fate_max, "fate")],
      ["Laps", `${chariot.laps} of ${view.laps}`],
    ),
    view.turn?.chariot === chariot.colour ? showTurn(view.turn) : null,
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
