// A tournament's bundle as far as a page can check it: the bundles of its games, each of which is verified by itself.
// Must agree with domain/audit/tournament_bundle.py, where the members stand.

import { listEntries } from "./archive.js";

const GAME = /^games\/([0-9a-f-]{36})\.spina\.zip$/;
const LOG = "log.ndjson";
// Lines of two thousand entrants in ten rounds.
const LOG_SIZE_MAX = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

// The games in it as {game, body}, null where this is no tournament's bundle; throws Refused where it is a damaged one.
export function listGames(raw) {
  if (!isTournament(raw)) return null;
  const entries = listEntries(raw, (name) => ({ name, sizeMax: LOG_SIZE_MAX }));
  return [...entries].map(({ name, body }) => ({ game: GAME.exec(name)?.[1], body })).filter(({ game }) => game);
}

// Its first member is its log, and the first line of that opens a tournament.
function isTournament(raw) {
  const [first] = takeFirst(raw);
  if (!first || first.name !== LOG) return false;
  const end = first.body.indexOf(NEWLINE);
  try {
    return JSON.parse(new TextDecoder().decode(first.body.subarray(0, Math.max(0, end)))).type === "tournament_opened";
  } catch {
    return false;
  }
}

function takeFirst(raw) {
  try {
    return [listEntries(raw, (name) => ({ name, sizeMax: LOG_SIZE_MAX })).next().value];
  } catch {
    // The reader of a game's bundle refuses it with the reason.
    return [];
  }
}
