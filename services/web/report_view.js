// A report of the audit as people read it: one sentence that sums it up, and a list of every check with its extent.

import { MARKS } from "./draw_words.js";
import { el } from "./dom.js";
import { NOT_SHOWN } from "./verify/claims.js";
import { count, list } from "./words.js";

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

export function tellSeen({ lines }) {
  return `This browser has checked ${count(lines, "line")} itself.`;
}

export function listFindings({ findings }, addressOf) {
  return el("ul", { class: "findings" }, findings.map((finding) => showFinding(finding, addressOf)));
}

export function tellSeats({ contributions }) {
  if (contributions.length === 0) return "";
  const told = contributions.map(({ seat, nonces, isSigned }) => `seat ${seat} added ${count(nonces, "link")}${isSigned ? " and signs" : ""}`);
  return `To chance ${list(told)}. A seat that adds nothing leaves the dice to the server and the others.`;
}

export function listNotShown() {
  return el("details", {}, el("summary", {}, "Limits of these checks"), el("ul", { class: "not-shown" }, NOT_SHOWN.map((each) => el("li", {}, each))));
}

export function mark(verdict) {
  const { sign, name } = MARKS[verdict];
  return el("span", { class: `mark mark-${name}`, "aria-hidden": "true" }, sign);
}

function showFinding({ check, claim, result }, addressOf) {
  return el("li", { class: "finding", "data-check": check, "data-verdict": result.verdict },
    mark(result.verdict), el("div", {},
      el("span", { class: "finding-name" }, check), el("span", { class: "note" }, ` ${WORDS[result.verdict]}`),
      el("p", {}, claim), el("p", { class: "note" }, tellResult(result, addressOf))));
}

function tellResult(result, addressOf) {
  if (result.verdict === "held") return `Seen: ${result.seen}.`;
  if (result.verdict === "not_checkable_yet") return `${result.reason[0].toUpperCase()}${result.reason.slice(1)}.`;
  const said = `Expected ${result.expected}, found ${result.found}.`;
  if (result.version === null) return said;
  const place = `Line ${result.version}`;
  return [addressOf ? el("a", { href: addressOf(result.version) }, place) : place, `: ${said}`];
}
