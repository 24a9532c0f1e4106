// The six factions of the circus: a colour, the ink that is readable on it, and a mark that is no colour.

import { svg } from "../parts/dom.js";

// By seat, for rulesets whose chariots have no colour of their own.
const BY_SEAT = ["red", "blue", "green", "white", "yellow", "purple"];
// In a circle of radius 10: chevron, bars, cross, ring, peak and saltire.
const MARKS = {
  red: "M-6,3.5 L0,-3.5 L6,3.5",
  blue: "M-5.5,-3 H5.5 M-5.5,3 H5.5",
  green: "M0,-6 V6 M-6,0 H6",
  white: "M5,0 A5,5 0 1 1 -5,0 A5,5 0 1 1 5,0",
  yellow: "M0,-5.5 L5.5,4 H-5.5 Z",
  purple: "M-4.5,-4.5 L4.5,4.5 M4.5,-4.5 L-4.5,4.5",
};

export function seatColour(seat) {
  return BY_SEAT[seat % BY_SEAT.length];
}

// The disc of a faction with its mark, as large as `radius`.
export function drawDisc(colour, radius = 14) {
  return svg(
    "g",
    { class: `disc disc-${colour}`, transform: `scale(${radius / 10})` },
    svg("circle", { class: "disc-rim", r: 12.5 }),
    svg("circle", { class: "disc-ground", r: 10 }),
    svg("path", { class: "disc-mark", d: MARKS[colour] }),
  );
}

// The same disc in a line of text, where its name stands beside it.
export function badge(colour) {
  return svg(
    "svg",
    { class: "badge", viewBox: "-19 -19 38 38", "aria-hidden": "true", "data-tip": "faction" },
    drawDisc(colour),
  );
}
