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
