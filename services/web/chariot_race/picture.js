// The picture of Chariot Race.

export { ChariotRaceBoard as element } from "./board.js";
export * from "./displays.js";
