// A fault, as a sentence of two halves: the expected value, and the found one.

export class Refused extends Error {
  constructor(expected, found) {
    super(`expected ${expected}, found ${found}`);
    this.expected = expected;
    this.found = found;
  }
}

// Hostile bytes are quoted in findings: cut to a readable length, and shown in ASCII.
const QUOTED_MAX = 60;

export function quote(text) {
  return JSON.stringify(text.slice(0, QUOTED_MAX)).replace(
    /[^ -~]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
