// The mark of a chariot: a colour and a letter or number in it, so that no viewer needs to see the colour.

import { svg } from "./dom.js";

// By seat, for rulesets whose chariots have no colour of their own.
const SEAT_COLOURS = ["blue", "red", "green", "yellow", "purple", "white"];
// Where the four horses run, across the pole.
const HORSES = [-10.5, -3.5, 3.5, 10.5];

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

// A chariot with its four horses, seen from above and driving to the right: the same mark as its car.
export function racerMark(colour, text, name) {
  return svg("g", { class: `chariot racer chariot-${colour}`, role: "img", "aria-label": name },
    svg("g", {},
      svg("title", {}, name),
      svg("ellipse", { class: "shadow", cx: 5, cy: 2, rx: 23, ry: 16 }),
      svg("path", { class: "pole", d: "M-8,0 H14 M-8,-13 v26" }),
      HORSES.map((y, place) => svg("g", { class: `horse horse-${place % 2}`, transform: `translate(12,${y})` },
        svg("path", { d: "M-9,-2.4 Q0,-3.6 7,-1.6 L13,-1.2 Q16,0 13,1.2 L7,1.6 Q0,3.6 -9,2.4 Q-11,0 -9,-2.4 Z" }),
        svg("path", { class: "mane", d: "M-9,0 H-13 M1,0 H10" }))),
      svg("rect", { class: "wheel", x: -13, y: -15, width: 10, height: 3.4, rx: 1.5 }),
      svg("rect", { class: "wheel", x: -13, y: 11.6, width: 10, height: 3.4, rx: 1.5 }),
      svg("g", { transform: "translate(-8,0)" },
        svg("circle", { r: 12.5, class: "chariot-rim" }),
        svg("circle", { r: 10, class: "chariot-car" }),
        // The board turns the chariot, and this back.
        svg("g", { class: "upright" }, svg("text", { class: "chariot-text", "text-anchor": "middle", "dominant-baseline": "central" }, text)))));
}

// The same mark in a line of text, where its name stands beside it.
export function badge(colour, text) {
  const mark = chariotMark(colour, text, "");
  mark.removeAttribute("role");
  return svg("svg", { class: "badge", viewBox: "-20 -20 40 40", "aria-hidden": "true" }, mark);
}
