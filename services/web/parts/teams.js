// Teams: the letter of each seat, from the option of a game, and the sentence on their result. Must agree with
// domain/ruleset/teams.py.

import { list } from "./words.js";

export const LETTERS = "ABCDEFGHIJKL";

// Null in a game without teams.
export function teamOf(options, seat) {
  const teams = options?.teams;
  return teams ? teams[seat % teams.length] : null;
}

// The order of teams, each with its points; empty in a game without teams.
export function tellTeams(teams = []) {
  const places = teams.map(
    ({ place, team, points, points_max: most }) => `${place}. ${team} with ${points} of ${most} points`,
  );
  return places.length ? `Teams: ${list(places)}` : "";
}

// The result of a seat's team; null without teams, and for a seat that resigned and stands alone for it.
export function findResult(board, ranking, seat) {
  const own = board?.teams?.find(({ seats }) => seats.includes(seat)) ?? null;
  const placeOf = (one) => ranking.find((each) => each.seat === one)?.place;
  return own && placeOf(seat) === Math.min(...own.seats.map(placeOf)) ? own : null;
}
