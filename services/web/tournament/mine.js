// One entrant: its place and each of its games. A player sees the own entry, a viewer the one found by its name. A
// chosen entrant is in the address behind the #, which no browser sends, so that a link or a bookmark leads there
// again.

import { button, el, form } from "../parts/dom.js";
import { renewOne } from "../parts/keyed.js";
import { tellPlace } from "./table_card.js";
import { nameOf, tellName, tellNumber } from "./words.js";

const MATCHES_MAX = 8;

export class Mine {
  #shown = null;
  #onChoose;

  // `onChoose` gets the number of an entrant, or null.
  constructor(onChoose) {
    this.#onChoose = onChoose;
    this.input = el("input", {
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "A name",
      "aria-describedby": "found",
    });
    this.matches = el("div", { class: "matches" });
    this.state = el("p", { class: "note", id: "found", role: "status" });
    this.card = el("div", { class: "my-card", "aria-live": "polite" });
    this.form = form(
      { class: "find", role: "search" },
      () => this.matches.querySelector("button")?.click(),
      el("label", {}, el("span", {}, "Find a name"), this.input),
      this.matches,
      this.state,
    );
    this.root = el("section", { class: "mine-section", "aria-label": "Games of one entrant" }, this.card, this.form);
    this.input.addEventListener("input", () => this.#match());
  }

  // `history` are all rounds, once they are there, or null.
  show(shown) {
    this.#shown = shown;
    const { entrants, mine, own } = shown;
    const found = mine === null ? null : (entrants.items[mine] ?? null);
    this.form.hidden = (found !== null && mine !== own) || entrants.items.length === 0;
    const told = found && describe(found, shown);
    // Of an own entry there is nothing to show before it has played.
    renewOne(this.card, told && (!told.isOwn || told.played.length) ? told : null, () => this.#build(told));
  }

  #match() {
    const wanted = this.input.value.trim().toLocaleLowerCase();
    const found = wanted
      ? this.#shown.entrants.items.filter((each) => nameOf(each).toLocaleLowerCase().includes(wanted))
      : [];
    this.matches.replaceChildren(
      ...found.slice(0, MATCHES_MAX).map((each) => button(tellName(each), () => this.#choose(each.entrant))),
    );
    this.state.textContent = !wanted
      ? ""
      : found.length > MATCHES_MAX
        ? `${found.length} names; type more of yours.`
        : found.length
          ? ""
          : "No entrant has this name.";
  }

  #choose(entrant) {
    this.#onChoose(entrant);
    this.input.value = "";
    this.#match();
    (entrant === null ? this.input : this.card.querySelector("button"))?.focus();
  }

  #build({ who, isOwn, standing, played }) {
    return el(
      "div",
      {},
      el(
        "div",
        { class: "section-head" },
        el("h2", {}, tellName(who)),
        isOwn ? "" : button("Another entrant", () => this.#choose(null)),
      ),
      standing ? el("p", {}, `${tellPlace(standing.place)} with ${tellNumber(standing.points)} points`) : "",
      played.length ? el("ul", { class: "plain" }, played.map(showPlayed)) : "",
    );
  }
}

// The content of the card, as data: it is built again only where this is different.
function describe(who, { standings, pairings, mine, own, history }) {
  const standing = standings.items.find((each) => each.entrant === mine) ?? null;
  const rounds = history ?? pairings?.items ?? [];
  return {
    who,
    isOwn: mine === own,
    standing: standing && standings.rounds ? { place: standing.place, points: standing.points } : null,
    played: rounds.map((round) => findPlayed(round, mine)).filter(Boolean),
  };
}

function findPlayed(round, mine) {
  const table = round.tables.find((each) => each.seats.some(({ entrant }) => entrant === mine));
  const bye = round.byes.find(({ entrant }) => entrant === mine);
  if (bye) return { round: round.round, bye: bye.points };
  if (!table) return null;
  const scored = table.scored.find(({ entrant }) => entrant === mine) ?? null;
  return {
    round: round.round,
    table: table.table,
    game: table.game,
    scored,
    status: table.status,
    others: table.seats.filter(({ entrant }) => entrant !== mine).map(nameOf),
  };
}

function showPlayed({ round, bye, table, game, scored, others, status }) {
  if (bye !== undefined) return el("li", {}, `Round ${round}: sat out, ${bye} points`);
  const said = scored
    ? `${tellPlace(scored.place)}, ${tellNumber(scored.points)} points`
    : status === "void"
      ? "void"
      : status === "walked_over"
        ? "did not come"
        : "to be played";
  return el(
    "li",
    {},
    el("a", { href: `/games/${game}` }, `Round ${round}, table ${table}`),
    `: ${said}, against `,
    el("bdi", {}, others.join(", ")),
  );
}
