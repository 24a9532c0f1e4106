// How far each chariot of Chariot Race has come, in units from the line, as the lines tell it.

import { inSeat } from "../names.js";
import { capital } from "../words.js";

// A space of the straights; those of the corners are longer outside than inside.
const SPACE_UNITS = 24;

export function findPlaces({ type, data }) {
  if (data.front !== undefined && data.chariot) return [{ key: data.chariot, progress: data.front }];
  if (type === "chariot_wrecked") return [{ key: data.chariot, isOut: true }];
  if (type === "seat_withdrawn") return data.chariots.map((chariot) => ({ key: chariot, isOut: true }));
  return [];
}

export function listChariots(view) {
  return view.chariots
    .filter((chariot) => chariot.colour)
    .map(({ colour, seat }) => ({ key: colour, colour, text: colour[0].toUpperCase(), name: `${capital(colour)}, ${inSeat(seat)}` }));
}

export function tellDistance(units) {
  const spaces = Math.round((units / SPACE_UNITS) * 10) / 10;
  return `${spaces} ${spaces === 1 ? "space" : "spaces"}`;
}
