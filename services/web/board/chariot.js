// Chariots seen from above, of parts that each fill a box: horses, pole, wheels, car, driver, wreckage. They drive to
// the right.

import { svg } from "../parts/dom.js";
import { drawDisc } from "./factions.js";

// A horse in its own units: so long from nose to tail, and so wide with its legs.
const [HORSE_LENGTH, HORSE_WIDTH] = [32, 9];
const HORSE =
  "M-11,-2.4 Q-4,-3.6 3,-2.7 Q8,-2.2 11,-1.3 L16,-1.1 Q19,0 16,1.1 L11,1.3 Q8,2.2 3,2.7 Q-4,3.6 -11,2.4 Q-13,0 " +
  "-11,-2.4 Z";
const LEGS = ["M4,-3 L11,-4.6 M-9,3 L-14,4.4", "M4,3 L11,4.6 M-9,-3 L-14,-4.4"];
// A car in its own units, with a round front; the wheels stand out of it.
const [CAR_LENGTH, CAR_WIDTH] = [24, 28];
const CAR = "M-11,-10 H2 Q12,-8 12,0 Q12,8 2,10 H-11 Z";
// A chariot for a space: four horses and their car.
const TEAM = { horses: { x: 14, y: 0, length: 34, width: 34 }, car: { x: -13, y: 0, length: 24, width: 32 } };

// Side by side across the box.
export function drawHorses({ x, y, length, width }, count, { dead = 0 } = {}) {
  const apart = width / count;
  const [along, across] = [length / HORSE_LENGTH, Math.min(length / HORSE_LENGTH, apart / HORSE_WIDTH)];
  return svg(
    "g",
    { class: "horses" },
    Array.from({ length: count }, (_, place) =>
      svg(
        "g",
        { transform: `translate(${x},${y + apart * (place + 0.5 - count / 2)}) scale(${along},${across})` },
        svg(
          "g",
          { class: `horse horse-${place % 2}${place < count - dead ? "" : " horse-dead"}` },
          LEGS.map((d, pair) => svg("path", { class: `legs legs-${(pair + place) % 2}`, d })),
          svg("path", { class: "coat", d: HORSE }),
          svg("path", { class: "mane", d: "M-12,0 H-16 M2,0 H13" }),
        ),
      ),
    ),
  );
}

export function drawPole({ x, y, length }, yoke) {
  return svg("path", {
    class: "pole",
    d: `M${x - length / 2},${y} h${length} M${x + length / 2},${y - yoke / 2} v${yoke}`,
  });
}

// The car in its faction's colour, on two wheels or on one.
export function drawCar({ x, y, length, width }, colour, { wheels = 2, driver = true } = {}) {
  const wheel = (side) => svg("rect", { class: "wheel", x: -8, y: side * 12.2 - 1.8, width: 13, height: 3.6, rx: 1.6 });
  return svg(
    "g",
    {
      class: `car car-${colour}`,
      transform: `translate(${x},${y}) scale(${length / CAR_LENGTH},${width / CAR_WIDTH})`,
    },
    svg("path", { class: "axle", d: "M-1.5,-12 V12" }),
    wheel(-1),
    wheels > 1 ? wheel(1) : null,
    svg("path", { class: "car-body", d: CAR }),
    driver ? svg("g", { class: "upright" }, drawDisc(colour, 7)) : null,
  );
}

// A driver by himself: on foot, or dragged behind the horses.
export function drawDriver({ x, y, length }, colour) {
  return svg(
    "g",
    { transform: `translate(${x},${y})` },
    svg("g", { class: "upright" }, drawDisc(colour, length / 2.5)),
  );
}

// Planks and a wheel that lies.
export function drawWreckage({ x, y, length, width }, colour) {
  const plank = (turn, dx, dy) =>
    svg("rect", {
      class: "car-body",
      x: -7,
      y: -2,
      width: 14,
      height: 4,
      transform: `translate(${dx},${dy}) rotate(${turn})`,
    });
  return svg(
    "g",
    {
      class: `wreckage car car-${colour}`,
      transform: `translate(${x},${y}) scale(${length / CAR_LENGTH},${width / CAR_WIDTH})`,
    },
    plank(24, -4, -6),
    plank(-38, 4, 1),
    plank(71, -6, 6),
    svg("circle", { class: "lying-wheel", cx: 6, cy: -7, r: 4.5 }),
    svg("circle", { class: "lying-wheel", cx: 7, cy: 9, r: 3 }),
  );
}

// The mark of a chariot on a board of spaces. The board moves the outer group, turns and scales the inner one.
export function drawChariot(colour, name) {
  return svg(
    "g",
    { class: "chariot racer", role: "img", "aria-label": name },
    svg(
      "g",
      {},
      svg("title", {}, name),
      svg("ellipse", { class: "shadow", cx: 4, cy: 3, rx: 30, ry: 20 }),
      drawPole({ x: 3, y: 0, length: 18 }, 24),
      drawHorses(TEAM.horses, 4),
      drawCar(TEAM.car, colour),
    ),
  );
}
