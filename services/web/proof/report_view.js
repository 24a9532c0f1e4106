// A report of the audit as people read it: one sentence that sums it up, a list of every check with its extent, and
// each checked roll or shuffle with its evidence.

import { el } from "../parts/dom.js";
import { inSeat } from "../parts/names.js";
import { tellVerdict } from "../parts/ruleset_words.js";
import { NOT_SHOWN } from "../verify/claims.js";
import { capital, count, list, spaced } from "../parts/words.js";

// The mark, its word for viewers who do not see or know it, and its class.
export const MARKS = {
  held: { sign: "✓", word: "checked by this browser", name: "held" },
  did_not_hold: { sign: "✕", word: "does not hold", name: "broken" },
  not_checkable_yet: { sign: "…", word: "not checkable yet", name: "waiting" },
};
// So many places of an order are enough to recognise it; a deck of a hundred would only be long.
const ORDER_SHOWN_MAX = 12;
// The mark of each kind of verdict on a bundle.
export const KINDS = {
  proven: { verdict: "held" },
  undecided: { verdict: "not_checkable_yet" },
  unvouched: { verdict: "not_checkable_yet" },
  untold: { verdict: "not_checkable_yet" },
  changed: { verdict: "did_not_hold" },
  contradicted: { verdict: "did_not_hold" },
  unreadable: { verdict: "did_not_hold" },
  exhausting: { verdict: "did_not_hold" },
  newer: { verdict: "not_checkable_yet" },
};
// Of files that were not judged.
const UNJUDGED = new Set(["unreadable", "exhausting", "newer"]);
const WORDS = { held: "holds", did_not_hold: "does not hold", not_checkable_yet: "not yet" };

// How it stands, in one sentence that stays the same while nothing but the count of lines changes.
export function summarise({ findings }) {
  const bad = findings.filter(({ result }) => result.verdict === "did_not_hold");
  if (bad.length) {
    const versions = bad.map(({ result }) => result.version).filter((version) => version !== null);
    const place = versions.length ? ` The first bad line is ${Math.min(...versions)}.` : "";
    return { verdict: "did_not_hold", said: `${count(bad.length, "check does", "checks do")} not hold.${place}` };
  }
  const waiting = findings.filter(({ result }) => result.verdict === "not_checkable_yet");
  if (waiting.length === 0) return { verdict: "held", said: "Everything that can be checked here holds." };
  const names = list(waiting.map(({ check }) => check));
  return { verdict: "not_checkable_yet", said: `All that can be checked so far holds; not yet: ${names}.` };
}

/**
 * Who won, whether it can be believed, and the line that does not hold with a link to its moment, where there is one.
 * @param {any} verdict
 * @param {((version: number) => string) | null} [linkTo]
 */
export function showVerdict(verdict, linkTo = null) {
  if (UNJUDGED.has(verdict.kind)) {
    const { verdict: marked } = KINDS[verdict.kind];
    return el(
      "p",
      { class: `verdict verdict-${verdict.kind}` },
      mark(marked),
      ` ${tellVerdict(verdict.kind, verdict)}`,
    );
  }
  const why = verdict.check && tellVerdict("why", verdict);
  const isLinked = linkTo && verdict.line !== null;
  return el(
    "div",
    { class: `verdict verdict-${verdict.kind}`, "data-kind": verdict.kind },
    el("p", {}, mark(KINDS[verdict.kind].verdict), ` ${tellVerdict("first", verdict)}`),
    why &&
      el(
        "p",
        { class: "why" },
        why,
        isLinked && [" ", el("a", { href: linkTo(verdict.line) }, `See line ${verdict.line} in the replay`)],
      ),
    verdict.outcome?.holders.length ? el("p", { class: "note" }, tellVerdict("holders", verdict)) : null,
  );
}

export function tellSeen({ lines }) {
  return `This browser has checked ${count(lines, "line")} itself.`;
}

export function listFindings({ findings }, addressOf) {
  return el(
    "ul",
    { class: "findings" },
    findings.map((finding) => showFinding(finding, addressOf)),
  );
}

export function tellSeats({ contributions }) {
  if (contributions.length === 0) return "";
  const told = contributions.map(
    ({ seat, nonces, isSigned }) => `${inSeat(seat)} added ${count(nonces, "link")}${isSigned ? " and signs" : ""}`,
  );
  return `To chance ${list(told)}. A seat that adds nothing leaves the dice to the server and the others.`;
}

export function listNotShown() {
  return el(
    "details",
    {},
    el("summary", {}, "Limits of these checks"),
    el(
      "ul",
      { class: "not-shown" },
      NOT_SHOWN.map((each) => el("li", {}, each)),
    ),
  );
}

export function mark(verdict) {
  const { sign, name } = MARKS[verdict];
  return el("span", { class: `mark mark-${name}`, "aria-hidden": "true" }, sign);
}

function showFinding({ check, claim, result }, addressOf) {
  return el(
    "li",
    { class: "finding", "data-check": check, "data-verdict": result.verdict },
    mark(result.verdict),
    el(
      "div",
      {},
      el("span", { class: "finding-name" }, check),
      el("span", { class: "note" }, ` ${WORDS[result.verdict]}`),
      el("p", {}, claim),
      el("p", { class: "note" }, tellResult(result, addressOf)),
    ),
  );
}

function tellResult(result, addressOf) {
  if (result.verdict === "held") return `Seen: ${result.seen}.`;
  if (result.verdict === "not_checkable_yet") return `${capital(result.reason)}.`;
  const said = `Expected ${result.expected}, found ${result.found}.`;
  if (result.version === null) return said;
  const place = `Line ${result.version}`;
  return [addressOf ? el("a", { href: addressOf(result.version) }, place) : place, `: ${said}`];
}

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
  if (draw.kind === "shuffle")
    return `${mixed}; from the disclosed secret this browser made the order ${tellOrder(draw.order)}.`;
  const { chain, index } = draw.from;
  const before = index === 1 ? "the anchor in the first line" : "the link before it";
  return `${mixed}; link ${index} of chain ${chain} hashes to ${before}, and gives these faces.`;
}

function tellContributions(contributions) {
  if (contributions.length === 0) return "No contribution came since the last draw";
  const seats = [...new Set(contributions.map(({ seat }) => seat))].sort((one, other) => one - other);
  return `${count(contributions.length, "contribution")} of ${list(seats.map(inSeat))} mixed in`;
}

function tellOrder(order) {
  const shown = order.slice(0, ORDER_SHOWN_MAX).join(", ");
  return order.length > ORDER_SHOWN_MAX ? `${shown} and so on` : shown;
}
