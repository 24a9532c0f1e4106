// Canonical bytes: the one accepted spelling of a value (RFC 8785 over null, booleans, integers, text, lists, objects).
// Must agree with domain/canonical.py: ASCII keys in ascending order, integers within ±(2^53-1), at most 32 deep.

import { toText } from "./bytes.js";
import { Refused, quote } from "./refused.js";

const NESTING_MAX = 32;
const ASCII = /^[\x00-\x7f]*$/;

// Text of the one spelling; refuses values without one.
export function spell(value, depth = 0) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return spellNumber(value);
  if (typeof value === "string") return spellText(value);
  if (depth === NESTING_MAX) throw new Refused(`nesting at most ${NESTING_MAX} deep`, "deeper nesting");
  if (Array.isArray(value)) return `[${value.map((each) => spell(each, depth + 1)).join(",")}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${spellKey(key)}:${spell(value[key], depth + 1)}`);
  return `{${members.join(",")}}`;
}

// Reads a value from its one accepted spelling.
export function parse(bytes, depth = 0) {
  const text = toText(bytes);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused("JSON", quote(text));
  }
  const spelled = spell(value, depth);
  // Another order, a space, a fraction, a key twice, an escape too many: none of them comes back as it was.
  if (spelled !== text) throw new Refused(...difference(spelled, text));
  return value;
}

function spellNumber(value) {
  if (!Number.isSafeInteger(value)) throw new Refused("an integer within ±(2^53-1)", String(value));
  return String(value);
}

function spellText(value) {
  // JSON.stringify would write half of a pair as an escape; it has no UTF-8.
  if (!value.isWellFormed()) throw new Refused("text without lone surrogates", quote(value));
  return JSON.stringify(value);
}

function spellKey(key) {
  if (!ASCII.test(key)) throw new Refused("an ASCII key", quote(key));
  return JSON.stringify(key);
}

function difference(spelled, text) {
  let place = 0;
  while (place < spelled.length && spelled[place] === text[place]) place += 1;
  return [quote(spelled.slice(place, place + 20)), `${quote(text.slice(place, place + 20))} at character ${place}`];
}
