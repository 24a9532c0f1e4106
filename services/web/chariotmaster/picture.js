// The picture of Chariotmaster, and the panel of its seats.

export { ChariotmasterBoard as element } from "./board.js";
export * from "./displays.js";
export { buildPanel } from "./panel.js";
export { guide } from "./guide.js";
export { tips } from "./tips.js";
