// The picture of Chariot Race, and the panel of its seats.

export { ChariotRaceBoard as element } from "./board.js";
export * from "./displays.js";
export { buildPanel } from "./panel.js";
export { showEmblem } from "./dice.js";
export { guide } from "./guide.js";
export { tips } from "./tips.js";
// How long each event is looked at, in milliseconds.
export const beats = {
  board_chosen: 150,
  chariot_placed: 150,
  turn_began: 300,
  dice_settled: 800,
  chariot_moved: 850,
  corner_taken: 500,
  caltrop_hit: 500,
  caltrop_dropped: 500,
  heap_struck: 600,
  chariot_rammed: 700,
  javelin_thrown: 800,
  chariot_wrecked: 900,
};
