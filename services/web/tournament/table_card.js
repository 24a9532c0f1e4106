// One table of a round: its entrants, its points, the reason of its draw, and its game with the server's findings in
// it.

import { read } from "../parts/api.js";
import { el } from "../parts/dom.js";
import { mark } from "../proof/report_view.js";
import { tournamentWords } from "../parts/ruleset_words.js";
import { count, list, spaced } from "../parts/words.js";
import { linkName, nameOf, tellNumber } from "./words.js";

const VERDICTS = { 0: "held", 1: "did_not_hold", 2: "did_not_hold", 3: "not_checkable_yet" };
// Findings stay: a game that is over does not change.
const found = new Map();

export function showTable(table) {
  const { status, seats, mine } = table;
  return el(
    "article",
    {
      class: `table table-${status}${seats.some((each) => each.entrant === mine) ? " mine" : ""}`,
      "aria-label": `Table ${table.table}`,
    },
    el(
      "div",
      { class: "table-head" },
      el("h3", {}, `Table ${table.table}`),
      el("span", { class: `note table-status table-${status}` }, tellStatus(table)),
    ),
    el(
      "ol",
      { class: "seats" },
      seats.map((seat) => showSeat(table, seat)),
    ),
    tellDifference(table),
    el("p", { class: "table-links" }, linkGame(table)),
    el(
      "details",
      { class: "why" },
      el("summary", {}, "Why this table"),
      el("p", {}, table.why ?? ""),
      showNumbers(seats),
    ),
    table.game_version === null ? "" : showCheck(table),
  );
}

function tellStatus(table) {
  const again = table.attempt > 1 ? `, draw ${table.attempt}` : "";
  if (table.status !== "awaited")
    return `${tournamentWords("table_statuses")[table.status] ?? spaced(table.status)}${again}`;
  if (table.isHeld) return `drawn${again}; an organiser looks at it first`;
  if (table.isPaused) return `paused${again}`;
  if (!table.due) return `is being played${again}`;
  const { what, until } = table.due;
  return [
    `to be played${again}`,
    until ? [`: ${what === "get_ready" ? "get ready" : "sit down"} within `, el("spina-countdown", { until })] : "",
  ].flat();
}

function showSeat(table, seat) {
  const scored = table.scored.find((each) => each.entrant === seat.entrant);
  const isAbsent = table.status === "walked_over" && !scored;
  return el(
    "li",
    { class: seat.entrant === table.mine ? "mine" : null },
    el(
      "span",
      { class: "seat-who" },
      linkName(seat),
      seat.entrant === table.mine ? el("span", { class: "note" }, " (you)") : "",
    ),
    el(
      "span",
      { class: "seat-score" },
      scored
        ? [el("span", { class: "note" }, `${tellPlace(scored.place)}, `), `${tellNumber(scored.points)} points`]
        : isAbsent
          ? el("span", { class: "note" }, "did not come")
          : "",
    ),
  );
}

export function tellPlace(place) {
  return ["", "1st", "2nd", "3rd"][place] ?? `${place}th`;
}

// Where a ruling replaced the result of the game, both are shown.
function tellDifference({ status, result, scored, seats }) {
  if (status !== "counted") return "";
  if (result === null) return el("p", { class: "note ruled-note" }, "Counted by a ruling, not by its game.");
  const placeOf = new Map(scored.map(({ entrant, place }) => [entrant, place]));
  const isSame =
    result.every(({ seat, place }) => placeOf.get(seats[seat].entrant) === place) && result.length === scored.length;
  if (isSame) return "";
  const said = list(
    [...result]
      .sort((one, other) => one.place - other.place)
      .map(({ seat, place }) => `${tellPlace(place)} ${nameOf(seats[seat])}`),
  );
  return el("p", { class: "note ruled-note" }, "A ruling replaced the result of the game: ", el("bdi", {}, said), ".");
}

function linkGame({ game, status, isHeld }) {
  if (isHeld && status === "awaited") return "";
  const said =
    status === "awaited"
      ? "Watch the game"
      : status === "walked_over"
        ? "The game that was not played"
        : "Replay the game";
  return el("a", { href: `/games/${game}` }, said);
}

// The numbers of the draw, so that a doubter can do it again.
function showNumbers(seats) {
  const number = (said) => el("td", { class: "number" }, said);
  return el(
    "table",
    { class: "draw-numbers" },
    el("caption", { class: "unseen" }, "The numbers that the draw went by"),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ["Seat", "Name", "Points before", "Lot", "Sat late"].map((each) => el("th", { scope: "col" }, each)),
      ),
    ),
    el(
      "tbody",
      {},
      seats.map((seat) =>
        el(
          "tr",
          {},
          number(`${seat.seat}`),
          el("th", { scope: "row" }, el("bdi", {}, nameOf(seat))),
          number(tellNumber(seat.score)),
          number(tellNumber(seat.lot)),
          number(count(seat.lateness, "place")),
        ),
      ),
    ),
  );
}

// The server's findings in a table's game, on request, and how to check it without believing the server.
function showCheck({ game, game_version: version, game_hash: hash, result }) {
  const state = el("p", { class: "check-state", role: "status" });
  const details = el(
    "details",
    { class: "check" },
    el("summary", {}, "Check this game"),
    state,
    el(
      "p",
      { class: "note" },
      result === null ? "It was aborted" : "Its result was taken",
      ` at line ${version}, whose hash is `,
      el("code", {}, hash),
      ".",
    ),
    el(
      "p",
      {},
      "Do not take the server's word: ",
      el("a", { href: `/games/${game}` }, "let this browser check it"),
      ", or take the ",
      el("a", { href: `/v1/games/${game}/bundle`, download: "" }, "bundle"),
      " away and check it offline:",
    ),
    el("pre", {}, el("code", {}, `spina verify ${game}.spina.zip --policy trusted.policy`)),
  );
  details.addEventListener("toggle", () => details.open && !state.textContent && tellVerdict(game, state));
  return details;
}

export async function tellVerdict(game, state) {
  state.replaceChildren("The server is asked for its findings…");
  try {
    const told = found.get(game) ?? (await read(`/v1/games/${game}/audit`));
    // A proof may still come, so only complete findings are kept.
    if (told.exit_code === 0) found.set(game, told);
    state.replaceChildren(
      mark(VERDICTS[told.exit_code] ?? "not_checkable_yet"),
      ` The server's own audit: ${told.verdict} `,
      tellProof(told),
    );
    return told.exit_code;
  } catch (error) {
    state.replaceChildren(`The server's audit cannot be read: ${error.message}`);
    return null;
  }
}

function tellProof({ report }) {
  const signed = (report?.findings ?? []).filter(({ check }) => check === "inclusion" || check === "checkpoint");
  if (!signed.length) return "";
  return signed.every(({ result }) => result.verdict === "held")
    ? "Its proof is there: the ledger has signed for its last line."
    : "Its proof is not complete yet.";
}
