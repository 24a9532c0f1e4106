// The slides of a wall: lists of lines that fit one screen each. Functions of the answers of the API, no more.

import { list } from "../parts/words.js";
import { nameOf, tellNumber } from "./words.js";

/**
 * A line: a number or nothing, a name, and its state.
 * @typedef {{ first: string | number, who: string, last: string }} WallLine
 * @typedef {{ title: string, lines: WallLine[], columns: number }} Slide
 */

const WORDS_MS = 10 * 60_000;
const STATUSES = {
  awaited: "",
  halted: "waits for a ruling",
  counted: "is over",
  void: "counts nothing",
  walked_over: "walkover",
};

// `rows` are as many lines as fit under one another, `isWide` states whether there is room for columns.
export function listSlides({ tournament, pairings, standings, deadlines }, { rows, isWide }) {
  const round = pairings?.items.find((each) => each.round === tournament.round) ?? null;
  const slides = [];
  if (round && tournament.round_status === "check_in")
    slides.push(...cut("Not here yet: say so on your page", listWaiting(round), rows, isWide ? 4 : 1));
  if (round && tournament.round_status === "playing") {
    slides.push(...cut(`Round ${round.round}: who sits where`, listSeats(round), rows, isWide ? 3 : 1));
    slides.push(
      ...cut(
        `Round ${round.round}: the tables`,
        listTables(round, deadlines, Boolean(tournament.paused_at)),
        rows,
        isWide ? 2 : 1,
      ),
    );
  }
  const isFirst = tournament.round === 0 || (tournament.round === 1 && tournament.round_status !== "closed");
  if (!isFirst) slides.push(...cut(titleOf(tournament, standings), listStandings(standings), rows, isWide ? 2 : 1));
  if (!isFirst && standings.teams.length) slides.push(...cut("Teams", listTeams(standings), rows, isWide ? 2 : 1));
  return slides.length ? slides : [{ title: "Take part: scan the picture", lines: [], columns: 1 }];
}

// The newest word to all, while it is fresh.
export function findWord({ announcements }, now) {
  const last = announcements.findLast(({ entrants }) => entrants.length === 0);
  return last && now - Date.parse(last.at) < WORDS_MS ? last.text : null;
}

// What the hall waits for, in a few words, and until when.
export function tellMoment({ tournament, pairings }) {
  const { status, round, round_status: phase, held_round: held, paused_at: pausedAt } = tournament;
  if (status === "finished") return { said: "final standings", until: null };
  if (status === "aborted") return { said: "aborted", until: null };
  if (pausedAt) return { said: `round ${round} is paused`, until: null };
  if (phase === "check_in")
    return { said: `round ${round}`, until: pairings?.items[0]?.until ?? null, asks: "to check in" };
  if (phase === "playing" && held === round) return { said: `round ${round} is drawn, and opens soon`, until: null };
  if (phase === "playing") {
    const until = (pairings?.items[0]?.tables ?? []).map((table) => table.sit_down_by).filter(Boolean);
    const last = until.sort().at(-1) ?? null;
    return { said: `round ${round}`, until: last, asks: "to sit down" };
  }
  return { said: round ? `round ${round + 1} comes next` : "entries are open", until: null };
}

const listWaiting = (round) => round.waiting.map((each) => ({ first: "", who: nameOf(each), last: "" })).sort(byName);

function listSeats({ tables, byes, excused }) {
  const seated = tables.flatMap(({ table, seats, status, scored }) => {
    const here =
      status === "walked_over" ? seats.filter(({ entrant }) => scored.some((one) => one.entrant === entrant)) : seats;
    return here.map((seat) => ({ first: "", who: nameOf(seat), last: `table ${table}` }));
  });
  const out = [...byes, ...excused].map((each) => ({ first: "", who: nameOf(each), last: "sits out" }));
  return [...seated, ...out].sort(byName);
}

function listTables({ tables }, { items }, isPaused) {
  const due = new Set(items.map(({ game }) => game));
  return tables.map(({ table, seats, status, game, scored }) => {
    const won = scored.filter(({ place }) => place === 1).map(({ entrant }) => nameOf(find(seats, entrant)));
    const told =
      status === "awaited" ? (isPaused ? "paused" : due.has(game) ? "sits down" : "races") : STATUSES[status];
    const last = status === "counted" && won.length ? `${list(won)} won` : told;
    return { first: table, who: list(seats.map(nameOf)), last };
  });
}

const find = (seats, entrant) => seats.find((seat) => seat.entrant === entrant);
const listStandings = ({ items }) =>
  items.map((standing) => ({
    first: standing.place,
    who: `${nameOf(standing)}${standing.team ? ` [${standing.team.letter}]` : ""}`,
    last: `${tellNumber(standing.points)}`,
  }));
const listTeams = ({ teams }) =>
  teams.map(({ place, letter, name, points }) => ({
    first: place,
    who: `${letter} · ${name}`,
    last: `${tellNumber(points)}`,
  }));
const byName = (one, other) => one.who.localeCompare(other.who);

function titleOf(tournament, standings) {
  if (standings.is_final) return "Final standings";
  return `Standings after round ${tournament.round_status === "closed" ? tournament.round : tournament.round - 1}`;
}

// As many screens as the lines take, evenly filled.
function cut(title, lines, rows, columns) {
  const most = Math.max(rows, 1) * columns;
  const screens = Math.max(1, Math.ceil(lines.length / most));
  const each = Math.ceil(lines.length / screens);
  return Array.from({ length: lines.length ? screens : 0 }, (_, place) => ({
    title: screens > 1 ? `${title} (${place + 1} of ${screens})` : title,
    lines: lines.slice(place * each, (place + 1) * each),
    columns,
  }));
}
