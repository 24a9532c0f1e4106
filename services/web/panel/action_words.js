// Actions and effects in words, from their members alone: for a ruleset whose panel has no words of its own.

import { inSeat } from "../parts/names.js";
import { capital, spaced } from "../parts/words.js";

// "Make sub move: way ahead, distance 40 mm".
export function tellAction({ kind, ...members }) {
  return [kind && capital(spaced(kind)), tellMembers(members)].filter(Boolean).join(": ");
}

// The effect of an action that was only asked about: "Spaces min 0, spaces max 6."
export function tellEffect({ kind: _, ...members }) {
  const told = tellMembers(members);
  return told ? `${capital(told)}.` : "";
}

// The same without its kind, under a heading that has it.
export function tellMembers(members) {
  return Object.entries(members)
    .filter(([, value]) => value !== null && value !== false && value?.length !== 0)
    .map(([name, value]) => (value === true ? spaced(name) : tellMember(name, value)))
    .join(", ");
}

// Numbers have their unit last in their name; a person reads tenths of a millimetre as nothing.
function tellMember(name, value) {
  const [, plain, unit] = name.match(/^(.*?)_?(mm|um|degrees)$/) ?? [null, name, null];
  const told = (number) => (unit === "um" ? Math.round(number / 1000) : number);
  const sign = { mm: " mm", um: " mm", degrees: "°" }[unit] ?? "";
  const shown =
    unit && Array.isArray(value) ? value.map(told).join(" to ") : unit ? told(value) : tellValue(name, value);
  return `${spaced(plain)} ${shown}${sign}`.trim();
}

function tellValue(name, value) {
  if (name === "seat" && typeof value === "number") return inSeat(value);
  if (Array.isArray(value)) return value.map((each) => tellValue(name, each)).join(" ");
  return typeof value === "object" ? `(${tellMembers(value)})` : spaced(`${value}`);
}
