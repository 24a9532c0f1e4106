// Names on the board, each beside its chariot: above it, or in the nearest place where it hides no name, chariot or
// inscription.

import { svg } from "../parts/dom.js";

// In units of the size of the letters.
const [LETTER, PADDING, HEIGHT] = [0.56, 0.55, 1.5];
// Above and below the chariot, before and behind it, then further away.
const STEPS = [
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
  [0, -2],
  [0, 2],
  [0, -3],
  [0, 3],
];

export function drawLabel() {
  return svg(
    "g",
    { class: "label", "aria-hidden": "true" },
    svg("rect", {}),
    svg("text", { "text-anchor": "middle", "dominant-baseline": "central" }),
  );
}

// `chariots` are {label, text, colour, x, y, radius}: each label is drawn relative to its chariot, within `box`,
// and not over `inscriptions`.
export function placeLabels(chariots, box, size, inscriptions) {
  const places = findPlaces(chariots, box, size, inscriptions);
  chariots.forEach(({ label, text, colour, x, y }, index) => {
    const { width, height, ...at } = places[index];
    const [frame, name] = label.children;
    label.setAttribute("class", `label label-${colour}`);
    label.setAttribute("transform", `translate(${at.x - x},${at.y - y})`);
    for (const [attribute, value] of Object.entries({
      x: -width / 2,
      y: -height / 2,
      width,
      height,
      rx: height / 2,
      "stroke-width": size / 6,
    }))
      frame.setAttribute(attribute, value);
    name.setAttribute("font-size", size);
    name.textContent = text;
  });
}

// The middle and the size of each label, as [{x, y, width, height}].
export function findPlaces(chariots, box, size, inscriptions = []) {
  const taken = [
    ...inscriptions,
    ...chariots.map(({ x, y, radius }) => ({ x, y, width: radius * 1.6, height: radius * 1.6 })),
  ];
  return chariots.map(({ text, x, y, radius }) => {
    const [width, height] = [(text.length * LETTER + 2 * PADDING) * size, HEIGHT * size];
    const within = (at) => Math.min(Math.max(at, box.x + width / 2), box.x + box.width - width / 2);
    const places = STEPS.map(([across, row]) => ({
      x: within(x + across * (radius + width / 2)),
      y: y + Math.sign(row) * (radius + height * (Math.abs(row) - 0.4)),
      width,
      height,
    }));
    const isInside = (place) => place.y - height / 2 >= box.y && place.y + height / 2 <= box.y + box.height;
    const free = places.find((place) => isInside(place) && !taken.some((each) => isOver(place, each))) ?? places[0];
    taken.push(free);
    return free;
  });
}

function isOver(one, other) {
  return (
    Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
    Math.abs(one.y - other.y) < (one.height + other.height) / 2
  );
}
