// Due actions, the entrants who owe them, and the time left. An entrant who is done is not named.

import { el, time } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { count, list } from "../parts/words.js";
import { nameOf } from "./words.js";

// No viewer reads more than a dozen clocks: the rest is counted.
const CLOCKS_MAX = 8;
const NAMES_MAX = 6;
const ASKED = { sit_down: "be seated", get_ready: "get ready" };

export class DeadlineList {
  constructor() {
    this.list = el("ul", { class: "deadlines" });
    this.rest = el("p", { class: "note" });
    this.root = el(
      "section",
      { class: "due", "aria-labelledby": "due" },
      el("h2", { id: "due" }, "Due now"),
      this.list,
      this.rest,
    );
  }

  show({ deadlines, entrants }) {
    const { items } = deadlines;
    this.root.hidden = items.length === 0;
    const names = new Map(entrants.items.map((each) => [each.entrant, nameOf(each)]));
    renew(
      this.list,
      items
        .slice(0, CLOCKS_MAX)
        .map((each) => ({ ...each, names: each.entrants.slice(0, NAMES_MAX).map((entrant) => names.get(entrant)) })),
      {
        key: ({ round, table }) => `${round}-${table}`,
        build: showDeadline,
      },
    );
    this.rest.textContent = items.length > CLOCKS_MAX ? `and ${count(items.length - CLOCKS_MAX, "more table")}.` : "";
  }
}

function showDeadline({ what, round, table, until, entrants, names, game }) {
  const who = [...names, ...(entrants.length > names.length ? [`${entrants.length - names.length} more`] : [])];
  const said =
    what === "check_in" ? `Check in for round ${round}: ` : `Round ${round}, table ${table}, ${ASKED[what]}: `;
  return el(
    "li",
    {},
    el("spina-countdown", { until }),
    el(
      "span",
      {},
      said,
      el("bdi", {}, list(who)),
      game ? [" ", el("a", { href: `/games/${game}` }, "the game")] : "",
      el("span", { class: "note" }, " until ", time(until)),
    ),
  );
}
