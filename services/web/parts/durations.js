// Lengths of time in words: a duration, and the clock of a game.

import { count, list } from "./words.js";

export function tellDuration(ms) {
  const seconds = Math.round(ms / 1000);
  /** @type {[number, string][]} */
  const parts = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
    [1, "second"],
  ];
  let rest = seconds;
  const told = parts.map(([length, unit]) => {
    const many = Math.floor(rest / length);
    rest -= many * length;
    return many ? count(many, unit) : null;
  });
  return list(told.filter(Boolean)) || "no time";
}

export function tellClock(clock) {
  if (!clock) return "none";
  const bank = clock.bank_ms ? ` and a bank of ${tellDuration(clock.bank_ms)}` : "";
  const increment = clock.increment_ms ? `; each answer adds ${tellDuration(clock.increment_ms)} to the bank` : "";
  return `${tellDuration(clock.per_decision_ms)} for each decision${bank}${increment}`;
}
