// Teams: the letter of each seat, from the option of a game, and the sentences on them. Must agree with
// domain/ruleset/teams.py.

import { el } from "./dom.js";
import { select } from "./field.js";
import { list } from "./words.js";

const LETTERS = "ABCDEFGHIJKL";

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

// A row with the team of each seat. A seat that races alone is a team of its own; where all do, there are no teams.
export function buildTeams(name, seats) {
  const picks = Array.from({ length: seats }, (_, seat) => {
    const pick = select(name, [["", "alone"], ...[...LETTERS.slice(0, seats)].map((letter) => [letter, letter])]);
    pick.setAttribute("aria-label", `Team of seat ${seat}`);
    return pick;
  });
  const row = el("div", { class: "team-picks" }, picks);
  return Object.assign(row, {
    read: () => joinTeams(picks.map(({ value }) => value)),
    write: (teams) => {
      for (const [seat, pick] of picks.entries()) pick.value = teams ? teams[seat % teams.length] : "";
    },
    // Only these seats are at the table.
    setSeats: (count) => {
      for (const [seat, pick] of picks.entries()) pick.hidden = seat >= count;
    },
  });
}

// The shortest text that gives these letters when it is begun again and again.
export function joinTeams(picked) {
  if (!picked.some(Boolean)) return undefined;
  const free = [...LETTERS].filter((letter) => !picked.includes(letter));
  const letters = picked.map((letter) => letter || free.shift());
  const isBegunAgain = (length) => letters.every((letter, seat) => letter === letters[seat % length]);
  const length = letters.findIndex((_, place) => place > 0 && isBegunAgain(place + 1)) + 1;
  return letters.slice(0, length || letters.length).join("");
}
