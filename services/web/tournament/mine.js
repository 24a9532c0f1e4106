// Finding one's own name: its place, its next game, and each game that it has played. The chosen entrant is in
// the address behind the #, which no browser sends, so that a link or a bookmark leads there again.

import { button, el, form } from "../dom.js";
import { renewOne } from "../keyed.js";
import { tellPlace } from "./table_card.js";
import { nameOf, tellName, tellNumber } from "./words.js";

const MATCHES_MAX = 8;

export class Mine {
  #shown = null;
  #onChoose;

  // `onChoose` gets the number of an entrant, or null.
  constructor(onChoose) {
    this.#onChoose = onChoose;
    this.input = el("input", { type: "search", autocomplete: "off", spellcheck: "false", placeholder: "A name", "aria-describedby": "found" });
    this.matches = el("div", { class: "matches" });
    this.state = el("p", { class: "note", id: "found", role: "status" });
    this.card = el("div", { class: "my-card", "aria-live": "polite" });
    this.form = form({ class: "find", role: "search" }, () => this.matches.querySelector("button")?.click(), el("label", {}, el("span", {}, "Find my name"), this.input), this.matches, this.state);
    this.root = el("section", { class: "mine-section", "aria-label": "My games" }, this.form, this.card);
    this.input.addEventListener("input", () => this.#match());
  }

  // `history` are all rounds, once they are there, or null.
  show(shown) {
    this.#shown = shown;
    const { entrants, mine } = shown;
    const found = mine === null ? null : entrants.items[mine] ?? null;
    this.form.hidden = found !== null || entrants.items.length === 0;
    renewOne(this.card, found && describe(found, shown), (told) => this.#build(told));
  }

  #match() {
    const wanted = this.input.value.trim().toLocaleLowerCase();
    const found = wanted ? this.#shown.entrants.items.filter((each) => nameOf(each).toLocaleLowerCase().includes(wanted)) : [];
    this.matches.replaceChildren(...found.slice(0, MATCHES_MAX).map((each) => button(tellName(each), () => this.#choose(each.entrant))));
    this.state.textContent = !wanted ? "" : found.length > MATCHES_MAX ? `${found.length} names; type more of yours.` : found.length ? "" : "No entrant has this name.";
  }

  #choose(entrant) {
    this.#onChoose(entrant);
    this.input.value = "";
    this.#match();
    (entrant === null ? this.input : this.card.querySelector("button"))?.focus();
  }

  #build({ who, standing, next, played }) {
    return el("div", {},
      el("div", { class: "section-head" }, el("h2", {}, tellName(who)), button("Another entrant", () => this.#choose(null))),
      standing ? el("p", {}, `${tellPlace(standing.place)} with ${tellNumber(standing.points)} points`) : "",
      el("p", { class: "next" }, tellNext(next)),
      played.length ? el("ul", { class: "plain" }, played.map(showPlayed)) : "");
  }
}

// The content of the card, as data: it is built again only where this is different.
function describe(who, { tournament, standings, pairings, deadlines, mine, history, now_ms: now }) {
  const standing = standings.items.find((each) => each.entrant === mine) ?? null;
  const rounds = history ?? pairings?.items ?? [];
  const current = rounds.find((each) => each.round === tournament.round) ?? null;
  return {
    who,
    standing: standing && { place: standing.place, points: standing.points },
    next: findNext(who, { tournament, current, deadlines, mine, now }),
    played: rounds.map((round) => findPlayed(round, mine)).filter(Boolean),
  };
}

function findNext(who, { tournament, current, deadlines, mine, now }) {
  if (tournament.status === "finished" || tournament.status === "aborted") return { what: "over" };
  const table = current?.tables.find((each) => each.seats.some(({ entrant }) => entrant === mine));
  if (table?.status === "awaited") {
    const seat = table.seats.findIndex(({ entrant }) => entrant === mine);
    const due = deadlines.items.find((each) => each.game === table.game && each.entrants.includes(mine) && Date.parse(each.until) > now);
    return { what: "play", round: current.round, table: table.table, seat, game: table.game, asked: due?.what, until: due?.until ?? null };
  }
  if (who.left) return { what: who.left };
  if (current?.waiting.some(({ entrant }) => entrant === mine)) return { what: "check_in", round: current.round, until: current.until };
  if (current?.byes.some(({ entrant }) => entrant === mine)) return { what: "bye", round: current.round };
  return { what: "wait" };
}

function tellNext({ what, round, table, seat, game, asked, until }) {
  switch (what) {
    case "play":
      return [el("a", { class: "go", href: `/games/${game}` }, `Round ${round}, table ${table}: to your game`), ` seat ${seat}`, until ? [asked === "get_ready" ? ", get ready within " : ", sit down within ", el("spina-countdown", { until })] : ""];
    case "check_in":
      return [`Check in for round ${round} within `, el("spina-countdown", { until }), "."];
    case "bye":
      return `You sit out in round ${round}.`;
    case "over":
      return "";
    case "wait":
      return "Nothing to do now: wait for the others, or for the next round.";
    default:
      return `Nothing more to do: ${what}.`;
  }
}

function findPlayed(round, mine) {
  const table = round.tables.find((each) => each.seats.some(({ entrant }) => entrant === mine));
  const bye = round.byes.find(({ entrant }) => entrant === mine);
  if (bye) return { round: round.round, bye: bye.points };
  if (!table) return null;
  const scored = table.scored.find(({ entrant }) => entrant === mine) ?? null;
  return { round: round.round, table: table.table, game: table.game, scored, status: table.status, others: table.seats.filter(({ entrant }) => entrant !== mine).map(nameOf) };
}

function showPlayed({ round, bye, table, game, scored, others, status }) {
  if (bye !== undefined) return el("li", {}, `Round ${round}: sat out, ${bye} points`);
  const said = scored ? `${tellPlace(scored.place)}, ${tellNumber(scored.points)} points` : status === "void" ? "void" : status === "walked_over" ? "did not come" : "to be played";
  return el("li", {}, el("a", { href: `/games/${game}` }, `Round ${round}, table ${table}`), `: ${said}, against `, el("bdi", {}, others.join(", ")));
}
