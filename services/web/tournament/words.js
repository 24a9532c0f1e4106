// The words of a tournament: its format, its terms, its tie-breaks and its entrants.

import { el } from "../parts/dom.js";
import { tournamentWords } from "../parts/ruleset_words.js";
import { count } from "../parts/words.js";

const LOT_SIDES = 1_000_000;

// The heading of a column, and the meaning of its numbers. Higher is better in each.
export const TIE_BREAKS = Object.fromEntries(
  Object.entries(tournamentWords("tie_breaks")).map(([name, means]) => [
    name,
    { short: tournamentWords("tie_break_heads")[name], means },
  ]),
);

export const DEMANDS = {
  links: {
    name: "own links",
    means:
      "entrants add links of their own to chance, so that neither the server nor a player alone knows a die or a lot",
  },
  own_custody: {
    name: "own custody",
    means: "players keep hidden moves themselves until they are shown; the server never holds them",
  },
  signed: {
    name: "signed actions",
    means: "every input of an entrant carries a signature that the server cannot make",
  },
  witnessed_opening: {
    name: "witnessed opening",
    means: "a witness outside has signed for the opening before the first entry and before the first seat is taken",
  },
};

export function tellFormat(format) {
  switch (format.kind) {
    case "score":
      return `${count(format.rounds, "round")}, paired by score`;
    case "round_robin":
      return `round robin, ${count(format.rounds, "round")}`;
    case "heats":
      return `${count(format.heats, "heat")}, then a final of the best ${format.finalists}`;
    case "knockout":
      return format.survivors === 1
        ? "knockout, the best of each table goes on"
        : `knockout, the best ${format.survivors} of each table go on`;
    default:
      return format.kind;
  }
}

// How a draw treats mates of one team.
export const SEATINGS = {
  apart: "at different tables, always",
  apart_if_possible: "at different tables, where the draw allows it",
  together: "at one table, always",
  none: "as the draw falls",
};

export function tellSeating(seating) {
  return `mates sit ${SEATINGS[seating] ?? seating}`;
}

// The formats by the one word that the list of tournaments has.
export const FORMATS = {
  score: "rounds by score",
  round_robin: "round robin",
  heats: "heats and final",
  knockout: "knockout",
};

// How many rounds there are at most; null where that is not known before.
export function countRounds(format) {
  if (format.kind === "heats") return format.heats + 1;
  return format.rounds ?? null;
}

export function tellSizes({ min, max, preferred }) {
  if (min === max) return `tables of ${min}`;
  return `tables of ${min} to ${max}${preferred === max ? "" : `, best of ${preferred}`}`;
}

// A player chooses a name: it is isolated, for every direction of writing.
export function nameOf({ name, entrant }) {
  return name ?? `Entrant no. ${entrant}`;
}

export function tellName(who) {
  return el("bdi", { class: "name" }, nameOf(who));
}

export function linkName(who) {
  return el("a", { class: "name", href: `/players/${who.player}` }, el("bdi", {}, nameOf(who)));
}

// A lot as it was drawn: standings count it below zero, so that the lowest comes first, and a missing one below all
// others.
export function tellTieBreak({ name, value }) {
  if (name !== "lot") return tellNumber(value);
  return value < -LOT_SIDES ? "–" : `${-value}`;
}

// A number as it stands in the API, with a minus that is one.
export function tellNumber(number) {
  return number < 0 ? `−${-number}` : `${number}`;
}

// The time of day of a line, where its reader is.
export function tellMoment(at) {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
