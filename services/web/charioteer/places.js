// How far each chariot of Charioteer has come, in spaces from the line, as the lines tell it.

import { seatColour } from "../marks.js";
import { seat } from "../names.js";
import { count } from "../words.js";

export function findPlaces({ type, data }) {
  if (type === "chariot_moved" || type === "whip_used") return [{ key: data.seat, progress: data.progress }];
  if (type === "chariot_withdrawn") return [{ key: data.seat, isOut: true }];
  return [];
}

export function listChariots(view) {
  return view.drivers.map((driver) => ({ key: driver.seat, colour: seatColour(driver.seat), text: `${driver.seat}`, name: seat(driver.seat) }));
}

export function tellDistance(spaces) {
  return count(spaces, "space");
}
