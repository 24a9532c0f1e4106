// Every ruling: its content, its author, its reason and its effect; the newest first.

import { readTagged } from "../api.js";
import { el } from "../dom.js";
import { renew } from "../keyed.js";
import { list } from "../words.js";
import { tellPlace } from "./table_card.js";
import { RULINGS, nameOf, tellNumber } from "./words.js";

// Which places were ruled is in the line of the log alone; so many are read, and the others when they are asked for.
const READ_MAX = 20;

export class RulingList {
  #places = new Map();
  #shown = null;
  #max = READ_MAX;

  constructor() {
    this.list = el("ol", { class: "rulings", reversed: true });
    this.none = el("p", { class: "state" }, "Nothing has been ruled.");
    this.more = el("button", { type: "button", hidden: true }, "Earlier rulings");
    this.root = el("section", { "aria-labelledby": "rulings" }, el("h2", { id: "rulings" }, "Rulings"), this.none, this.list, this.more);
    this.more.addEventListener("click", () => {
      this.#max *= 4;
      this.show(this.#shown);
    });
  }

  show(shown) {
    this.#shown = shown;
    const { rulings, id } = shown.tournament;
    const listed = rulings.slice(-this.#max).reverse();
    const nameIn = (entrant) => nameOf(shown.entrants.items[entrant] ?? { name: null, entrant });
    this.none.hidden = listed.length > 0;
    this.more.hidden = listed.length === rulings.length;
    this.list.setAttribute("start", rulings.length);
    renew(this.list, listed.map((ruled) => ({
      ...ruled,
      places: this.#places.get(ruled.line) ?? list(ruled.absent.map(nameIn)),
      name: ruled.entrant === null ? null : nameIn(ruled.entrant),
      changed: ruled.changes.map((each) => ({ ...each, name: nameIn(each.entrant) })),
    })), { key: ({ line }) => line, build: showRuling });
    this.#readPlaces(id, listed);
  }

  async #readPlaces(tournament, listed) {
    const missing = listed.filter(({ line, type }) => type === "result_replaced" && !this.#places.has(line));
    if (!missing.length) return;
    try {
      for (const { line } of missing) this.#places.set(line, await readPlaces(tournament, line));
    } catch {
      // They are told without; the next change of the tournament asks again.
      return;
    }
    this.show(this.#shown);
  }
}

// The ranking of a ruling; seats stay numbers where the table was drawn again since.
async function readPlaces(tournament, line) {
  const { body: events } = await readTagged(`/v1/tournaments/${tournament}/events?after=${line - 1}&limit=1`);
  const { ranking, round, table, attempt } = events.items[0].data;
  const { body: pairings } = await readTagged(`/v1/tournaments/${tournament}/pairings?round=${round}`);
  const found = pairings.items[0]?.tables[table - 1];
  const nameAt = (seat) => (found?.attempt === attempt ? nameOf(found.seats[seat]) : `seat ${seat}`);
  return [...ranking].sort((one, other) => one.place - other.place).map(({ seat, place }) => `${tellPlace(place)} ${nameAt(seat)}`).join(", ");
}

function showRuling(ruled) {
  const { line, type, by, by_name: author, reason, changed } = ruled;
  return el("li", { id: `ruling-${line}` },
    el("p", {}, el("strong", {}, RULINGS[type] ?? type), el("bdi", {}, tellWhat(ruled))),
    el("p", { class: "reason" }, "“", el("bdi", {}, reason), "”"),
    el("p", { class: "note" }, el("bdi", {}, tellChanges(changed)), ` Line ${line}, by `, el("bdi", { title: by }, author ?? by), "."));
}

function tellWhat({ type, round, table, points, name, places }) {
  if (type === "points_ruled") return `: ${name} ${points < 0 ? "loses" : "gets"} ${Math.abs(points)} points for round ${round}`;
  if (table === null) return `: ${name}`;
  return `, round ${round}, table ${table}${places ? `: ${places}` : ""}`;
}

function tellChanges(changed) {
  if (!changed.length) return "It changed no points when it was made.";
  return `It changed the points of ${list(changed.map(({ name, points_before: before, points_after: after }) => `${name} from ${tellNumber(before)} to ${tellNumber(after)}`))}.`;
}
