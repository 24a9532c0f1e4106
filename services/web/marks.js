// The mark of a chariot: a colour and a letter or number in it, so that no viewer needs to see the colour.

import { svg } from "./dom.js";

// By seat, for rulesets whose chariots have no colour of their own.
const SEAT_COLOURS = ["blue", "red", "green", "yellow", "purple", "white"];

export function seatColour(seat) {
  return SEAT_COLOURS[seat % SEAT_COLOURS.length];
}

export function chariotMark(colour, text, name) {
  return svg("g", { class: `chariot chariot-${colour}`, role: "img", "aria-label": name },
    // The board moves the outer group and scales the inner one.
    svg("g", {},
      name ? svg("title", {}, name) : null,
      svg("circle", { r: 18, class: "chariot-rim" }),
      svg("circle", { r: 14, class: "chariot-car" }),
      svg("text", { class: "chariot-text", "text-anchor": "middle", "dominant-baseline": "central" }, text)));
}

// The same mark in a line of text, where its name stands beside it.
export function badge(colour, text) {
  const mark = chariotMark(colour, text, "");
  mark.removeAttribute("role");
  return svg("svg", { class: "badge", viewBox: "-20 -20 40 40", "aria-hidden": "true" }, mark);
}
