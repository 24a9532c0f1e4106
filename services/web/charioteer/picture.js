// The picture of Charioteer.

export { CharioteerBoard as element } from "./board.js";
export * from "./displays.js";
