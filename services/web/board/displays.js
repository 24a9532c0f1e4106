// Pieces of the players' displays: a card for each, named values, bars and boxes that are numbers too, and sums.

import { el } from "../parts/dom.js";
import { badge } from "./factions.js";
import { capital, list } from "../parts/words.js";

export function display({ colour, title, note, isOut }, ...content) {
  return el(
    "article",
    { class: isOut ? "display display-out" : "display" },
    el(
      "h3",
      {},
      badge(colour),
      el("span", { class: "display-name" }, title),
      el("span", { class: "note", "data-tip": "place" }, note),
    ),
    ...content,
  );
}

// Each is [name, value, tip].
export function facts(...all) {
  return el(
    "dl",
    {},
    all.map(([name, value, tip]) => el("div", { "data-tip": tip }, el("dt", {}, name), el("dd", {}, value))),
  );
}

export function meter(value, max, kind) {
  return el(
    "span",
    { class: "metered" },
    el("meter", { class: kind, value, min: 0, max: Math.max(max, 1), "aria-hidden": "true" }),
    el("span", {}, `${value} of ${max}`),
  );
}

// Counters on the table, so many of them: cubes in boxes, where `room` states how many boxes there are.
export function cubes(count, room = count) {
  const boxes = Array.from({ length: Math.max(count, room) }, (_, index) =>
    el("i", { class: index < count ? "cube" : "cube cube-free" }),
  );
  return el(
    "span",
    { class: "cubes" },
    el("span", {}, `${count}`),
    el("span", { "aria-hidden": "true", class: "boxes" }, boxes),
  );
}

// How a number was made up: each part as wide as it is large, subtracted parts in outline. Parts are [label, value].
export function sum(title, parts, total) {
  const shown = parts.filter(([, value]) => value !== 0);
  return el(
    "div",
    { class: "sum", "data-tip": "sum" },
    el("p", { class: "note" }, title),
    el(
      "ul",
      {},
      shown.map(([label, value], index) => {
        const part = el(
          "li",
          { class: value < 0 ? "part part-less" : `part part-${index % 4}` },
          el("b", {}, value < 0 ? `−${-value}` : `${index ? "+" : ""}${value}`),
          ` ${label}`,
        );
        part.style.flexGrow = `${Math.abs(value)}`;
        return part;
      }),
      el("li", { class: "total" }, el("b", {}, `= ${total}`)),
    ),
  );
}

// A move as its ruleset found it: its parts and its result; nothing where there was none.
export function showMove(move) {
  if (!move) return null;
  return el(
    "div",
    {},
    move.total === null ? null : sum(move.title, move.parts, move.total),
    move.notes.length ? el("p", { class: "note" }, `${capital(list(move.notes))}.`) : null,
  );
}

// Whether a driver has answered the decision that the game waits for; empty where no driver owes one.
export function tellChoice(owed, seat) {
  const mine = owed.filter((each) => each.seat === seat);
  if (!mine.length) return "";
  if (mine.some((each) => each.is_waited_for))
    return mine.some((each) => each.kind === "opening") ? "must open" : "chooses …";
  return "✓ has chosen";
}
