// A tournament's bundle as far as a page can check it: the bundles of its games, each of which is verified by itself.
// Must agree with domain/audit/tournament_bundle.py, where the members stand.

import { findOpening, listEntries } from "./archive.js";

const GAME = /^games\/([0-9a-f-]{36})\.spina\.zip$/;
// Lines of two thousand entrants in ten rounds.
const LOG_SIZE_MAX = 64 * 1024 * 1024;

// The games in it as {game, body}, null where this is no tournament's bundle; throws Refused where it is a damaged one.
export function listGames(raw) {
  if (findOpening(raw) !== "tournament_opened") return null;
  const entries = listEntries(raw, (name) => ({ name, sizeMax: LOG_SIZE_MAX }));
  return [...entries].map(({ name, body }) => ({ game: GAME.exec(name)?.[1], body })).filter(({ game }) => game);
}
