// The picture of Charioteer, and the panel of its seats.

export { CharioteerBoard as element } from "./board.js";
export * from "./displays.js";
export { buildPanel } from "./panel.js";
export { guide } from "./guide.js";
export { codes, showEmblem, showPiece } from "./pieces.js";
export { tips } from "./tips.js";
// How long each event is looked at, in milliseconds.
export const beats = {
  skills_card_drawn: 0,
  first_player_chosen: 0,
  crowd_card_dealt: 0,
  table_cleared: 0,
  move_revealed: 700,
  reset_revealed: 700,
  chariot_moved: 800,
  whip_used: 600,
  skill_advanced: 0,
};
