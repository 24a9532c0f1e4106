// What a ruling would do, told before it is made: by the same rules as the tournament's, from the numbers that are shown.

import { tellPlace } from "../tournament/table_card.js";
import { nameOf, tellNumber } from "../tournament/words.js";
import { list } from "../words.js";

// Points of a table from places, as the tournament counts them: who shares places shares the points of all they cover.
export function scoreTable(earned, ranking) {
  return ranking.map(({ seat, place }) => ({ seat, points: sharePlaces(earned, place, ranking.filter((each) => each.place === place).length) }));
}

export function sharePlaces(earned, place, count) {
  const covered = earned.slice(place - 1, place - 1 + count);
  return Math.floor(covered.reduce((sum, each) => sum + each, 0) / count);
}

// Returns {lines, changes: [{entrant, before, after}]}; `lines` are sentences.
export function findEffect(ruling, shown) {
  switch (ruling.ruling) {
    case "points_ruled":
      return ofPoints(ruling, shown);
    case "result_replaced":
      return ofReplacing(ruling, shown);
    case "game_voided":
      return { ...ofTable(ruling, shown, () => 0), lines: ["The table counts nothing. That these people have met still counts for later draws."] };
    case "table_replayed":
      return { ...ofTable(ruling, shown, () => 0), lines: ["The same people get a new game at once, and only that one counts; until it is over the table counts nothing."] };
    case "no_show_told":
      return ofNoShow(ruling, shown);
    case "entrant_removed":
      return { changes: [], lines: [`${nameIn(shown, ruling.entrant)} is drawn no more. What was scored stays, and a table where a game goes on plays on.`] };
    default:
      throw new TypeError(`expected a ruling, found ${ruling.ruling}`);
  }
}

export function tellChange({ entrant, before, after }, shown) {
  return `${nameIn(shown, entrant)}: ${tellNumber(before)} → ${tellNumber(after)} points`;
}

function ofPoints({ entrant, round, points }, shown) {
  const before = pointsOf(shown, entrant);
  const said = points < 0 ? `loses ${-points}` : `gets ${points}`;
  return { lines: [`${nameIn(shown, entrant)} ${said} points in round ${round}.`], changes: [{ entrant, before, after: before + points }] };
}

function ofReplacing(ruling, shown) {
  const { seats } = ruling.shownTable;
  const earned = shown.tournament.terms.points[seats.length] ?? [];
  const scored = new Map(scoreTable(earned, ruling.ranking).map(({ seat, points }) => [seat, points]));
  const told = [...ruling.ranking].sort((one, other) => one.place - other.place).map(({ seat, place }) => `${tellPlace(place)} ${nameOf(seats[seat])}`);
  const lines = [`The table counts as: ${list(told)}, whatever its game said or will say.`];
  const left = seats.filter((_, seat) => !scored.has(seat));
  if (left.length) lines.push(`${list(left.map(nameOf))} ${left.length > 1 ? "have" : "has"} no place and no points here.`);
  if (ruling.shownTable.status === "awaited" || ruling.shownTable.status === "halted") lines.push("The table is not waited for any longer; if it was the last one, the round closes.");
  return { ...ofTable(ruling, shown, (seat) => scored.get(seat) ?? 0), lines };
}

function ofNoShow({ entrants, shownTable }, shown) {
  const here = shownTable.seats.filter((seat) => !entrants.includes(seat.entrant));
  const names = list(here.map(nameOf));
  if (here.length >= shown.tournament.terms.tables.min) return { changes: [], lines: [`The table is drawn again with ${names}, in a new game.`] };
  if (!here.length) return { changes: [], lines: ["Nobody is left: the table counts nothing for anybody."] };
  const points = sharePlaces(shown.tournament.terms.points[shownTable.seats.length] ?? [], 1, here.length);
  const changes = here.map(({ entrant }) => ({ entrant, before: pointsOf(shown, entrant), after: pointsOf(shown, entrant) + points }));
  return { changes, lines: [`Too few are left to play: ${names} ${here.length > 1 ? "walk" : "walks"} over.`] };
}

// What was counted at the table is taken back, and what `earn` says of a seat is given.
function ofTable({ shownTable }, shown, earn) {
  const changes = shownTable.seats.map(({ entrant }, seat) => {
    const before = pointsOf(shown, entrant);
    const scored = shownTable.scored.find((each) => each.entrant === entrant)?.points ?? 0;
    return { entrant, before, after: before - scored + earn(seat) };
  });
  return { changes: changes.filter(({ before, after }) => before !== after) };
}

function pointsOf({ standings }, entrant) {
  return standings.items.find((each) => each.entrant === entrant)?.points ?? 0;
}

function nameIn({ entrants }, entrant) {
  return nameOf(entrants.items[entrant] ?? { name: null, entrant });
}
