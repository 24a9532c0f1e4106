// The pictures of Charioteer's rules, by the items that they stand in; the first of each is its caption.

import { sum } from "../../board/displays.js";
import { el } from "../../parts/dom.js";
import { chariot, label, picture, space, way } from "../../board/figures.js";
import { showCard } from "./pieces.js";

const [WIDTH, CORNER] = [90, 78];

// Cards in a row, as on a display.
function cards(...all) {
  return el(
    "p",
    { class: "cards" },
    all.map(([symbols, icon = null]) => showCard({ card: symbols.join(", "), symbols, icon })),
  );
}

function drawPassing() {
  const row = (index, kind) => space(10 + index * WIDTH, 10, WIDTH, 150, { kind });
  return picture(
    "Green enters a space in which red and blue stand, and stands outside of both. Three more steps lead past blue, " +
      "past red, and on.",
    [470, 200],
    [0, 1, 2, 3, 4].map((index) => row(index, "regular")),
    chariot("red", 235, 40),
    chariot("blue", 235, 85),
    chariot("green", 55, 130),
    way([
      [92, 130],
      [145, 130],
      [235, 130],
      [235, 110],
      [235, 62],
      [325, 40],
    ]),
    label(55, 188, "inside above"),
    label(145, 188, "1"),
    label(235, 188, "2, 3, 4"),
    label(325, 188, "5"),
  );
}

function drawCorner() {
  const kinds = ["regular", "outer", "regular", "outer", "regular", "outer", "regular"];
  return picture(
    "Regular and dark outer spaces in turn. A green move enters each of them; a black move of the same length skips " +
      "the dark ones.",
    [560, 130],
    kinds.map((kind, index) => space(5 + index * CORNER, 5, CORNER, 120, { kind })),
    way([
      [45, 45],
      [280, 45],
    ]),
    label(45, 30, "green, 3"),
    way([
      [45, 95],
      [518, 95],
    ]),
    label(45, 118, "black, 3"),
    [1, 2, 3].map((step) => label(44 + 2 * step * CORNER, 85, `${step}`)),
    [1, 2, 3].map((step) => label(44 + step * CORNER, 35, `${step}`)),
  );
}

export const figures = {
  "a-move": [
    "Three cards that share red 3. The fourth card of the move is the crowd's; green 2, yellow 4 and black 1 are " +
      "ignored.",
    cards(
      [["red-3", "red-3", "green-2"]],
      [["red-3", "yellow-4", "yellow-4"]],
      [["red-3", "red-3"], "shield"],
      [["black-1", "black-1", "red-3"]],
    ),
  ],
  "the-distance": [
    "Six red 3, skill 1, and two cubes of damage: the chariot drives eight spaces.",
    sum(
      "Distance",
      [
        ["symbols", 6],
        ["red-3", 3],
        ["skill", 1],
        ["damage", -2],
      ],
      8,
    ),
  ],
  driving: [
    "Green has five points: a step, a step into a taken space and outside of both rivals, two to pass them, one " +
      "step on.",
    drawPassing(),
  ],
  "four-colours": ["In a corner green counts every space, and black only the light ones.", drawCorner()],
};
