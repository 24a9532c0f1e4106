// Standings, with every number that decides and its meaning.

import { el, wideTable } from "../parts/dom.js";
import { CutList, renewOne } from "../parts/keyed.js";
import { TIE_BREAKS, linkName, nameOf, tellNumber, tellTieBreak } from "./words.js";

// A screen or two; all of two thousand are shown on request.
const ROWS_MAX = 100;

export class StandingsTable {
  #columns = "";

  constructor() {
    this.head = el("tr");
    this.body = el("tbody");
    this.title = el("h2", { id: "standings" }, "Standings");
    this.cut = new CutList(this.body, {
      max: ROWS_MAX,
      isKept: ({ isMine }) => isMine,
      key: ({ entrant }) => entrant,
      build: showRow,
    });
    this.legend = el("dl");
    this.note = el("p", { class: "note" });
    const table = el("table", { "aria-labelledby": "standings" }, el("thead", {}, this.head), this.body);
    this.teams = el("div");
    this.root = el(
      "section",
      { class: "standings", "aria-labelledby": "standings" },
      this.title,
      this.note,
      wideTable(table, "standings"),
      this.cut.more,
      this.teams,
      el("details", { class: "legend" }, el("summary", {}, "Meaning of the numbers"), this.legend),
    );
  }

  // `mine` is the number of the chosen entrant, or null; `ruled` those whose points a ruling has changed.
  show({ standings, tournament, mine, ruled }) {
    this.title.textContent = standings.is_final ? "Final standings" : "Standings";
    this.note.textContent = standings.rounds
      ? ""
      : "Nothing has been played yet; those who entered are in the order of entering.";
    renewOne(
      this.teams,
      standings.teams.length ? { teams: standings.teams, counting: tournament.terms.teams.counting } : null,
      showTeams,
    );
    this.#showHead(tournament.terms.tie_breaks, standings);
    this.cut.show(
      standings.items.map((each) => ({ ...each, isMine: each.entrant === mine, isRuled: ruled.has(each.entrant) })),
    );
  }

  #showHead(tieBreaks, { rounds, items: [first] }) {
    // Where a format sends some on, an entrant's progress decides before all points.
    const steps = first?.progress.length ?? 0;
    const columns = `${rounds} ${tieBreaks} ${steps}`;
    if (columns === this.#columns) return;
    this.#columns = columns;
    const column = (said, title, kind = "number") => el("th", { scope: "col", class: kind, title }, said);
    this.head.replaceChildren(
      column("#", "Place"),
      column("Name", null, "who"),
      ...(steps ? [column("Step", "Rounds reached by the entrant"), column("There", "Points in the last step")] : []),
      column("Points", "All points, after every ruling"),
      ...Array.from({ length: rounds }, (_, round) =>
        column(`R${round + 1}`, `Points of round ${round + 1}`, "number by-round"),
      ),
      ...tieBreaks.map((each) => column(TIE_BREAKS[each]?.short ?? each, TIE_BREAKS[each]?.means)),
    );
    const term = (name, means) => el("div", {}, el("dt", {}, name), el("dd", {}, means));
    this.legend.replaceChildren(
      ...(steps
        ? [
            term("Step", "how many of the rounds that lead on the entrant reached; it decides first."),
            term("There", "points in the last of them; they decide second."),
          ]
        : []),
      term("Points", `of all tables, byes and walkovers, after every ruling; they decide ${steps ? "next" : "first"}.`),
      ...tieBreaks.map((each, place) =>
        term(
          TIE_BREAKS[each]?.short ?? each,
          `${TIE_BREAKS[each]?.means ?? each}; ${place ? `tie-break ${place + 1}` : "decides where points are equal"}.`,
        ),
      ),
      term("R1, R2 …", "points of each round."),
      term("§", "a ruling has changed these points; it is listed below with its reason."),
    );
  }
}

function showRow({ place, progress, points, tie_breaks: tieBreaks, rounds, left, team, isMine, isRuled, ...who }) {
  const cell = (said, kind = "number") => el("td", { class: kind }, said);
  return el(
    "tr",
    { class: isMine ? "mine" : null, id: `standing-${who.entrant}` },
    cell(`${place}`),
    el(
      "th",
      { scope: "row", class: "who" },
      linkName(who),
      team ? el("span", { class: "note", title: team.name }, ` ${team.letter}`) : "",
      isMine ? el("span", { class: "note" }, " (you)") : "",
      left ? el("span", { class: "note left" }, ` ${left}`) : "",
    ),
    progress.map((each) => cell(tellNumber(each))),
    el(
      "td",
      { class: "number points" },
      isRuled ? el("a", { href: "#rulings", class: "ruled", title: "A ruling has changed these points" }, "§") : "",
      tellNumber(points),
    ),
    rounds.map((each) => cell(tellNumber(each), "number by-round")),
    tieBreaks.map((each) => cell(tellTieBreak(each))),
  );
}

function showTeams({ teams, counting }) {
  const head = (said, kind = "number") => el("th", { scope: "col", class: kind }, said);
  const rows = teams.map(({ place, letter, name, points, entrants }) =>
    el(
      "tr",
      {},
      el("td", { class: "number" }, `${place}`),
      el("th", { scope: "row", class: "who" }, `${letter} · `, el("bdi", {}, name)),
      el("td", { class: "number points" }, tellNumber(points)),
      el("td", { class: "who" }, entrants.map(nameOf).join(", ")),
    ),
  );
  return el(
    "div",
    {},
    el("h3", { id: "teams" }, "Teams"),
    el("p", { class: "note" }, `By the points of the best ${counting} of each; equal ones by their places.`),
    wideTable(
      el(
        "table",
        { "aria-labelledby": "teams" },
        el("thead", {}, el("tr", {}, head("#"), head("Team", "who"), head("Points"), head("Who counts", "who"))),
        el("tbody", {}, rows),
      ),
      "teams",
    ),
  );
}
