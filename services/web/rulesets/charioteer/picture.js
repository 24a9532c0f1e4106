// The picture of Charioteer, and the panel of its seats.

export { CharioteerBoard as element } from "./board.js";
export * from "./displays.js";
export { buildPanel } from "./panel.js";
export { guide } from "./guide.js";
export const lengths = [
  { said: "Three laps: about twenty minutes", options: {} },
  { said: "One lap, about seven minutes", options: { laps: 1 } },
];
export { tips } from "./tips.js";
