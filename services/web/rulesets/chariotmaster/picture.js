// The picture of Chariotmaster, and the panel of its seats.

export { ChariotmasterBoard as element } from "./board.js";
export * from "./displays.js";
export { buildPanel } from "./panel.js";
export { showEmblem } from "./emblem.js";
export { guide } from "./guide.js";
export { tips } from "./tips.js";
export const editor = "/courses";
// How long each event is looked at, in milliseconds.
export const beats = {
  chariot_built: 0,
  chariot_placed: 150,
  turn_began: 450,
  speed_changed: 500,
  sub_move_tested: 500,
  piece_moved: 500,
  pieces_collided: 600,
  attack_announced: 600,
  defence_tried: 500,
  chariot_crashed: 900,
  horse_died: 600,
  driver_died: 800,
  chariot_finished: 1200,
};
