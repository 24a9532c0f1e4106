// A checked roll or shuffle in words: whether it is vouched for, and by which evidence.

import { capital, count, list, spaced } from "./words.js";

// The mark, its word for viewers who do not see or know it, and its class.
export const MARKS = {
  held: { sign: "✓", word: "checked by this browser", name: "held" },
  did_not_hold: { sign: "✕", word: "does not hold", name: "broken" },
  not_checkable_yet: { sign: "…", word: "not checkable yet", name: "waiting" },
};
// So many places of an order are enough to recognise it; a deck of a hundred would only be long.
const ORDER_SHOWN_MAX = 12;

export function tellDraw(draw) {
  const { label, faces, size } = draw.data;
  const place = label.lastIndexOf(":");
  const name = capital(spaced(label.slice(0, Math.max(0, place)).replaceAll("-", " ")) || "a draw");
  const shown = draw.kind === "roll" ? list(faces.map(String)) : count(size, "piece");
  return `${name}, ${draw.kind} ${label.slice(place + 1)}: ${shown}`;
}

export function tellHow(draw) {
  if (draw.verdict === "did_not_hold") return `Expected ${draw.expected}, found ${draw.found}.`;
  const mixed = tellContributions(draw.from.contributions);
  if (draw.verdict === "not_checkable_yet") return `${mixed}; ${draw.reason}.`;
  if (draw.kind === "shuffle") return `${mixed}; from the disclosed secret this browser made the order ${tellOrder(draw.order)}.`;
  const { chain, index } = draw.from;
  const before = index === 1 ? "the anchor in the first line" : "the link before it";
  return `${mixed}; link ${index} of chain ${chain} hashes to ${before}, and gives these faces.`;
}

function tellContributions(contributions) {
  if (contributions.length === 0) return "No contribution came since the last draw";
  const seats = [...new Set(contributions.map(({ seat }) => seat))].sort((one, other) => one - other);
  return `${count(contributions.length, "contribution")} of ${seats.length === 1 ? "seat" : "seats"} ${list(seats.map(String))} mixed in`;
}

function tellOrder(order) {
  const shown = order.slice(0, ORDER_SHOWN_MAX).join(", ");
  return order.length > ORDER_SHOWN_MAX ? `${shown} and so on` : shown;
}
