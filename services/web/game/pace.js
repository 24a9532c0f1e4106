// How long a reader looks at an event: the beat of its kind, by the pace that the reader has chosen. A beat belongs
// to the picture, and not to movement: a reader who asks for less motion rests as long.

import { weigh } from "../parts/sentences.js";

const KEY = "spina-pace";
// Milliseconds for an event without a beat of its own, by its weight.
const WEIGHTS = { quiet: 0, plain: 250, turn: 600, lap: 700, end: 900 };
// Events before a race is laid out, and events without a picture.
const COMMON = {
  game_opened: 0,
  seat_offered: 0,
  seat_taken: 0,
  seat_left: 0,
  consent_given: 0,
  consent_withdrawn: 0,
  clock_expired: 0,
  action_defaulted: 0,
  secret_disclosed: 0,
};
// How much longer than its beat an event stays, and how long the events that came at once may take altogether.
export const PACES = {
  calm: { said: "calm", factor: 1.6, whole_ms: 14_000 },
  brisk: { said: "brisk", factor: 1, whole_ms: 8_000 },
  once: { said: "at once", factor: 0, whole_ms: 0 },
};

// `beats` of a ruleset are milliseconds by type of event.
export function beatOf(line, { words, beats = {} }) {
  if (!line) return 0;
  const weight = weigh(line, words);
  return beats[line.type] ?? COMMON[line.type] ?? WEIGHTS[weight] ?? WEIGHTS.plain;
}

export function readPace() {
  const kept = readKept();
  return kept in PACES ? kept : "brisk";
}

export function keepPace(pace) {
  try {
    localStorage.setItem(KEY, pace);
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}

function readKept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
