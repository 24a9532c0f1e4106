// The picture of Chariotmaster, and the panel of its seats.

export { ChariotmasterBoard as element } from "./board.js";
export * from "./displays.js";
export { buildPanel } from "./panel.js";
export { guide } from "./guide.js";
// The whole race takes over half an hour.
export const lengths = [
  { said: "One lap, about ten minutes", options: { laps: 1 } },
  { said: "Three laps: over half an hour", options: {} },
];
export { tips } from "./tips.js";
