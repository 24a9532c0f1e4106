// The drivers' names: one page shows one game, and its seats have names once these are known.
// A player chooses a name; it never stands where it could be taken for another driver's.

import { teamOf, tellTeams } from "./teams.js";
import { capital, list } from "./words.js";

/** @typedef {{ full: string, short: string }} Name */
/** @type {Map<number, Name>} */
const names = new Map();
let isAwaiting = false;
const UNREAD = "…";
// Of chariots that the rules number, as sentences name them.
let chariots = [];

// A name like this could be mistaken for another seat.
const MISLEADING = /^seat\b/i;

// From now on a driver without a name is one whose name is not read yet.
export function awaitNames() {
  isAwaiting = true;
}

// Takes {seat: name} and the options of the game, whose teams are marked; states whether anything is called otherwise
// now.
export function setNames(given, options = null) {
  const before = JSON.stringify([isAwaiting, ...names]);
  isAwaiting = false;
  names.clear();
  /** @type {[number, Name][]} */
  const entries = Object.entries(given).map(([seat, name]) => [Number(seat), { full: name, short: shorten(name) }]);
  for (const [seat, { full, short }] of entries) {
    const isAlone = entries.filter((each) => each[1].short === short).length === 1;
    const plain = isAlone ? short : full;
    const isPlain =
      !MISLEADING.test(plain) && (isAlone || entries.filter((each) => each[1].full === full).length === 1);
    const team = teamOf(options, seat);
    const mark = team ? `[${team}] ` : "";
    const unlike = `${full} (seat ${seat})`;
    names.set(seat, { full: mark + (isPlain ? full : unlike), short: mark + (isPlain ? plain : unlike) });
  }
  return JSON.stringify([isAwaiting, ...names]) !== before;
}

// Takes the chariots of a ruleset; states whether sentences call any of them otherwise now.
export function setChariots(given) {
  const before = chariots.join();
  chariots = given.map(({ seat, key, name }) => [seat, `chariot ${key}`, name]);
  return chariots.join() !== before;
}

// All of them, {short, full} by seat and by "chariot N".
export function byName() {
  /** @type {Map<number | string, Name>} */
  const known = new Map(names);
  for (const [seat, key, name] of chariots) if (names.has(seat)) known.set(key, { short: name, full: name });
  return known;
}

// A chariot as sentences name it, by its key in the rules.
export function chariotName(key) {
  return byName().get(`chariot ${key}`)?.short ?? capital(`${key}`);
}

// At the beginning of a label, and inside of one.
export function seat(number) {
  return names.get(number)?.short ?? (isAwaiting ? UNREAD : `Seat ${number}`);
}

export function inSeat(number) {
  return names.get(number)?.short ?? (isAwaiting ? UNREAD : `seat ${number}`);
}

// The order at the end. Without a winner the first place is empty. `chariots` are those of the ruleset, `teams` those
// of the board.
export function tellOrder(ranking, chariots, teams = []) {
  const begin = ranking.some((each) => each.place === 1) ? "Final order" : "No seat won. Final order";
  const places = ranking.map(({ place, seat }) => `${place}. ${noted(inSeat(seat), tellFates(seat, chariots))}`);
  return [`${begin}: ${list(places)}`, tellTeams(teams)].filter(Boolean).join(". ");
}

// Why no chariot of a seat is in the race any more; empty while one is.
export function tellFates(seat, chariots) {
  const fates = chariots.filter((each) => each.seat === seat).map(({ fate }) => fate);
  return fates.every(Boolean) ? [...new Set(fates)] : [];
}

// A name with its notes in brackets.
export function noted(name, notes) {
  return notes.length ? `${name} (${notes.join(", ")})` : name;
}

// With all that belongs to the name, where there is room for it.
export function fullName(number) {
  return names.get(number)?.full ?? (isAwaiting ? UNREAD : `Seat ${number}`);
}

// Whether a sentence names a driver; a longer name of another driver may hold this one.
export function isNamed(sentence, number) {
  const own = inSeat(number);
  const longer = [...names.values()].map(({ short }) => short).filter((short) => short !== own && short.includes(own));
  return longer.reduce((rest, short) => rest.replaceAll(short, ""), sentence).includes(own);
}

// Brackets behind a name are shown once, not in every sentence.
export function shorten(name) {
  return name.replace(/(?: \([^)]*\))+$/, "") || name;
}
