// A driver on foot: a direction, on the table or from a list, or a stay where he is.

import { el, svg } from "../../parts/dom.js";
import { goTo } from "./base.js";
import { onFoot, toPoint } from "./course.js";
import { tellCm, tellContacts } from "./foreseen.js";
import { TableMarks } from "./table_marks.js";

// Headings count anticlockwise from the right of the table.
const ARROWS = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"];

export function buildWalkPanel({ decision: { choices }, view, board, choose }) {
  const { chariot, candidates, pose, rays, reach_um: reach } = choices;
  const marks = TableMarks.of(board, view, onFoot(chariot));
  const walks = candidates.map((each, place) => buildWalk(each, { place, pose, rays, view }));
  const list = el(
    "select",
    { class: "candidates", size: Math.min(walks.length, 7), "aria-label": "Directions" },
    walks.map(({ told }, place) => el("option", { value: place }, told)),
  );
  const pick = (walk) => {
    list.value = walk.key;
    board.offers.choose(`${walk.key}`);
    board.showPlan([toPoint(pose), toPoint(walk.end)]);
    choose(walk.action, walk.said);
  };
  list.addEventListener("change", () => pick(walks[list.value]));
  board.offers.show(
    walks
      .filter(({ action }) => action.legs.length)
      .map((walk) => {
        const { x, y } = toPoint(walk.end);
        return {
          key: `${walk.key}`,
          kind: "offer-free",
          said: walk.told,
          shapes: svg("circle", { cx: x, cy: y, r: 5 }),
          onPick: () => pick(walk),
        };
      }),
  );
  pick(walks[0]);
  return {
    element: el(
      "div",
      { class: "walk-panel" },
      el("p", {}, `Your driver is on foot, and walks up to ${tellCm(reach)}. At the edge of the track he is safe.`),
      list,
    ),
    close: () => {
      marks.close();
      board.offers.show([]);
      board.showPlan([]);
    },
  };
}

// The first walk leads to the edge.
function buildWalk({ legs }, { place, pose, rays, view }) {
  const action = {
    kind: "walk",
    legs: legs.map(({ heading, distance_mm: mm }) => ({ heading, distance_mm: mm ?? null })),
  };
  if (!legs.length) return { key: place, action, end: pose, told: "Stay", said: "stay" };
  const [{ heading, distance_mm: mm }] = legs;
  const ray = rays.find((each) => each.heading === heading);
  const um = mm ? mm * 1000 : (ray?.free_um ?? 0);
  const met = ray?.contacts.length ? `, to ${tellContacts(view, ray.contacts)}` : "";
  const told =
    place === 0
      ? "To the edge of the track"
      : `${ARROWS[Math.round(heading / 45) % 8]} ${tellCm(um)} at ${heading}°${met}`;
  return { key: place, action, end: goTo(pose, heading, um), told, said: told };
}
