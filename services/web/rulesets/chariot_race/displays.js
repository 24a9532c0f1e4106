// The chariots of Chariot Race: their displays, their moves, and how far they have come.

import { display, facts, meter, showMove } from "../../board/displays.js";
import { el } from "../../parts/dom.js";
import { inSeat } from "../../parts/names.js";
import { capital, count } from "../../parts/words.js";
import { FACES } from "./dice.js";

// A sprint is worth so much speed.
const SPRINT = 2;
const OUT = new Set(["wrecked", "withdrawn"]);
// A space of the straights; those of the corners are longer outside than inside.
const SPACE_UNITS = 24;

// `turn` are the lines of the round so far.
export function showDisplays(view, { turn }) {
  const order = [...view.chariots].sort((one, other) => (other.front ?? -1e9) - (one.front ?? -1e9));
  return order.map((chariot) => showChariot(chariot, view, turn));
}

function showChariot(chariot, view, turn) {
  const isOut = OUT.has(chariot.status);
  const { place } = view.ranking.find((each) => each.seat === chariot.seat);
  const standing = chariot.status === "racing" ? `place ${place}, ${chariot.space}` : chariot.status;
  const isIts = view.turn?.chariot === chariot.colour;
  return display(
    {
      colour: chariot.colour,
      title: `${capital(chariot.colour)}, ${inSeat(chariot.seat)}`,
      note: standing,
      isOut,
    },
    facts(
      ["Strength", meter(chariot.damage_left, chariot.damage_max, "strength"), "strength"],
      ["Speed", meter(chariot.speed, chariot.speed_max, "speed"), "speed"],
      ["Fate", meter(chariot.fate, chariot.fate_max, "fate"), "fate"],
      ["Laps", `${chariot.laps} of ${view.laps}${chariot.is_safe ? ", safe beyond the line" : ""}`, "laps"],
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
    turn.dice.map((face) => el("span", { class: "card", "data-tip": face }, FACES[face].word)),
  );
}

// `turn` are the lines of one round, or of its beginning; null where the chariot has no speed yet.
export function findMove(chariot, turn) {
  const set = turn.find((line) => line.type === "speed_set" && line.data.chariot === chariot);
  if (!set) return null;
  const { speed_before: before, pluses, minuses, sprints, speed } = set.data;
  const reckoned = before + pluses - minuses + sprints * SPRINT;
  const entered = turn
    .filter((line) => line.type === "chariot_moved" && line.data.chariot === chariot)
    .reduce((all, line) => all + line.data.path.length, 0);
  return {
    version: set.version,
    title: "Speed",
    parts: [
      ["speed before", before],
      ["±", pluses],
      ["±", -minuses],
      ["sprint", sprints * SPRINT],
      ["at the limit", speed - reckoned],
    ],
    total: speed,
    note: entered ? `Enters ${count(entered, "space")}.` : "",
  };
}

export function findPlaces({ type, data }) {
  if (data.front !== undefined && data.chariot) return [{ key: data.chariot, progress: data.front }];
  if (type === "chariot_wrecked") return [{ key: data.chariot, isOut: true }];
  if (type === "seat_withdrawn") return data.chariots.map((chariot) => ({ key: chariot, isOut: true }));
  return [];
}

export function listChariots(view) {
  return view.chariots
    .filter((chariot) => chariot.colour)
    .map(({ colour, seat, status }) => ({
      key: colour,
      colour,
      name: `${capital(colour)}, ${inSeat(seat)}`,
      seat,
      fate: OUT.has(status) ? status : null,
    }));
}

export function tellDistance(units) {
  const spaces = Math.round((units / SPACE_UNITS) * 10) / 10;
  return `${spaces} ${spaces === 1 ? "space" : "spaces"}`;
}
