// The picture of Chariot Race, and the panel of its seats.

export { ChariotRaceBoard as element } from "./board.js";
export * from "./displays.js";
export { buildPanel } from "./panel.js";
export { guide } from "./guide.js";
export { tips } from "./tips.js";
