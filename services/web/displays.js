// Pieces of the players' displays: a card for each, named values, and bars that are numbers too.

import { el } from "./dom.js";
import { badge } from "./marks.js";

export function display({ colour, text, title, note, isOut }, ...content) {
  return el(
    "article",
    { class: isOut ? "display display-out" : "display" },
    el("h3", {}, badge(colour, text), el("span", {}, title), el("span", { class: "note" }, note)),
    ...content,
  );
}

export function facts(...pairs) {
  return el("dl", {}, pairs.filter(Boolean).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

export function meter(value, max, kind) {
  return el("span", { class: "metered" }, el("meter", { class: kind, value, min: 0, max: Math.max(max, 1), "aria-hidden": "true" }),
    el("span", {}, `${value} of ${max}`));
}
