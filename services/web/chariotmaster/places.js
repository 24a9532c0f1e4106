// How far each chariot of Chariotmaster has come, along the middle of the track, from where the lines say that it stands.

import { seatColour } from "../marks.js";
import { inSeat } from "../names.js";
import { measure } from "./course.js";
import { chariotOf, isWreck } from "./pieces.js";

const UM_PER_CM = 10_000;

// Where a chariot stands now, or that it is out; how far along that is needs the course, which the view has.
export function findPlaces({ type, data }) {
  if (type === "chariot_placed") return [{ key: data.chariot, pose: data.pose }];
  if (type === "piece_moved" && !isWreck(data.piece)) return [{ key: chariotOf(data.piece), pose: data.after }];
  if (type === "driver_died" || type === "driver_left") return [{ key: data.chariot, isOut: true }];
  if (type === "seat_withdrawn") return data.chariots.map((chariot) => ({ key: chariot, isOut: true }));
  return [];
}

// Makes a function that tells how far a place is; asked in the order of the race, it counts the laps.
export function buildMeasure(view) {
  const before = new Map();
  const { lap_um: lap } = view.course;
  return ({ key, pose }) => {
    const along = measure(view.course, pose);
    // The grid is behind the line. After that no chariot goes half a lap in one movement.
    const last = before.get(key) ?? 0;
    const progress = along + Math.round((last - along) / lap) * lap;
    before.set(key, progress);
    return progress;
  };
}

export function listChariots(view) {
  return view.chariots.map(({ chariot, seat }) => ({ key: chariot, colour: seatColour(chariot), text: `${chariot}`, name: tellChariot(chariot, inSeat(seat)) }));
}

export function tellDistance(um) {
  return `${Math.round(um / UM_PER_CM)} cm`;
}

function tellChariot(chariot, driver) {
  return `Chariot ${chariot}, ${driver}`;
}
