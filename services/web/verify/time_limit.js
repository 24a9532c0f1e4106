// The time limit of a check: the author of a file decides what the browser works on, but not for how long.
// Must agree in kind with services/audits/limits.py; memory is bounded by the sizes of members.

import { Refused } from "./refused.js";

// A race of 4 MB takes some seconds at a desk; a telephone may take five times as long.
const CHECK_MS = 10_000;
const CHECK_MS_PER_BYTE = 0.005;

// A file that may be a bundle, and asks for more time than any game.
export class TooDear extends Refused {}

// A function to call between two pieces of work; it throws TooDear once the time for so many bytes is over.
export function limitTime(size, now = () => performance.now()) {
  const limit = CHECK_MS + CHECK_MS_PER_BYTE * size;
  const end = now() + limit;
  return () => {
    if (now() <= end) return;
    throw new TooDear(
      `a file that is checked within ${Math.round(limit / 1000)} s`,
      "one that asks for more than any game",
    );
  };
}
