// The picture of Chariotmaster.

export { ChariotmasterBoard as element } from "./board.js";
export * from "./displays.js";
