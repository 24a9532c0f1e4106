// The pictures of Chariotmaster's rules, by the items that they stand in; the first of each is its caption. Lengths are
// millimetres of the table.

import { drawCar, drawHorses } from "../../board/chariot.js";
import { svg } from "../../parts/dom.js";
import { label, picture, way } from "../../board/figures.js";

const MM_PER_CM = 10;
const TOKENS = [
  [0, 0, 5, 45],
  [5, 5, 10, 30],
  [10, 10, 15, 10],
];

function base(x, y, { turned = 0, colour = "red", isGhost = false } = {}) {
  return svg(
    "g",
    { class: "base", transform: `translate(${x},${y}) rotate(${turned})`, opacity: isGhost ? 0.45 : 1 },
    svg("rect", { class: "part part-horses", x: 0, y: -10, width: 20, height: 20 }),
    drawHorses({ x: 10, y: 0, length: 20, width: 20 }, 2),
    svg("rect", { class: "part part-body", x: -20, y: -10, width: 20, height: 20 }),
    drawCar({ x: -10, y: 0, length: 20, width: 20 }, colour),
  );
}

function drawParts() {
  return picture(
    "A base of 40 by 20 millimetres: two horses in front, the body with the driver behind them.",
    [150, 62],
    base(75, 25),
    label(100, 52, "horses"),
    label(50, 52, "body"),
  );
}

function drawTokens() {
  const rows = TOKENS.flatMap(([token, least, most, degrees], index) => {
    const y = 18 + index * 28;
    return [
      base(40, y),
      svg("path", { class: "lane-all", d: `M60,${y - 10} h${most * MM_PER_CM} v20 h${-most * MM_PER_CM} Z` }),
      svg("path", {
        class: "lane-free",
        d: `M${60 + least * MM_PER_CM},${y - 10} H${60 + most * MM_PER_CM} v20 H${60 + least * MM_PER_CM} Z`,
      }),
      label(252, y + 4, `token ${token}: turns ${degrees}°`),
    ];
  });
  return picture(
    "Token 0 leads 0 to 5 centimetres and turns 45 degrees, token 5 leads 5 to 10 and turns 30, token 10 leads 10 " +
      "to 15 and turns 10.",
    [305, 96],
    rows,
  );
}

function drawSubMove() {
  return picture(
    "A chariot goes ahead and then turns about its centre to the left.",
    [230, 70],
    base(40, 48),
    base(160, 48, { isGhost: true }),
    base(160, 48, { turned: -30 }),
    way([
      [62, 48],
      [118, 48],
      [134, 48],
    ]),
  );
}

function drawAttack() {
  return picture(
    "Two chariots side by side. The line through the axle of red meets the body of blue, which red may attack.",
    [150, 76],
    base(70, 22, { colour: "blue" }),
    base(66, 43),
    svg("path", { class: "lane-contact", d: "M56,4 V64" }),
    label(56, 73, "axle of red"),
  );
}

export const figures = {
  "your-chariot": ["A chariot, 4 cm long.", drawParts()],
  speed: ["Each token has its way and its widest turn; the turn must end in the green part.", drawTokens()],
  "sub-moves": ["A sub-move: ahead, then a pivot about the centre.", drawSubMove()],
  attacks: ["Red touches blue, and the body of blue is level with red's axle.", drawAttack()],
};
