// The pictures of Chariot Race's rules, by the items that they stand in; the first of each is its caption.

import { facts, meter } from "../../board/displays.js";
import { el } from "../../parts/dom.js";
import { chariot, label, picture, space, way } from "../../board/figures.js";
import { tips } from "./tips.js";
import { drawFace, FACES } from "./dice.js";

const [LONG, WIDE] = [80, 56];

function lanes(limits) {
  return [0, 1, 2].flatMap((lane) =>
    [0, 1, 2, 3, 4, 5].map((index) =>
      space(
        10 + index * LONG,
        10 + lane * WIDE,
        LONG,
        WIDE,
        index === 3 && limits ? { kind: "limit", word: `${limits[lane]}` } : {},
      ),
    ),
  );
}

function drawCorner() {
  return picture(
    "Three lanes with the numbers 3, 5 and 7 from the inside. Blue drives through the 5 with speed 6.",
    [500, 190],
    lanes([3, 5, 7]),
    chariot("blue", 50, 94),
    way([
      [90, 94],
      [290, 94],
      [450, 94],
    ]),
    label(290, 184 - 2 * WIDE + 60, ""),
  );
}

function drawRam() {
  return picture(
    "Blue drives through the space of red, and both lose 2 strength; the move goes on.",
    [500, 75],
    [0, 1, 2, 3, 4, 5].map((index) => space(10 + index * LONG, 10, LONG, WIDE)),
    chariot("blue", 50, 38),
    chariot("red", 210, 38),
    way([
      [90, 20],
      [210, 14],
      [370, 38],
    ]),
  );
}

export const figures = {
  "three-values": [
    "A chariot at the start.",
    facts(
      ["Strength", meter(12, 12, "strength"), "strength"],
      ["Speed", meter(4, 12, "speed"), "speed"],
      ["Fate", meter(3, 6, "fate"), "fate"],
    ),
  ],
  faces: [
    "The five faces.",
    el(
      "ul",
      { class: "faces" },
      Object.entries(FACES).map(([face]) => el("li", {}, drawFace(face), el("span", {}, tips[face]))),
    ),
  ],
  corners: [
    "With speed 6 the middle lane costs 1 strength here, the inner lane 3, and the outer lane nothing.",
    drawCorner(),
  ],
  rams: ["A ram: 2 strength for blue, 2 for red.", drawRam()],
};
