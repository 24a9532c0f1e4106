// Every entrant with its state: here, late, gone, or not seen at a table.

import { el } from "../parts/dom.js";
import { CutList } from "../parts/keyed.js";
import { count, list } from "../parts/words.js";
import { linkName } from "./words.js";

// A small field is shown at once; a large one is opened on request.
const OPEN_MAX = 16;
const ROWS_MAX = 100;

export class EntrantList {
  #isFirst = true;

  constructor() {
    this.count = el("span", { class: "note" });
    this.summary = el("summary", {}, el("h2", { id: "entrants" }, "Entrants"), this.count);
    this.list = el("ol", { class: "entrants", start: "0" });
    this.cut = new CutList(this.list, { max: ROWS_MAX, key: ({ entrant }) => entrant, build: showEntrant });
    this.root = el("details", { class: "section" }, this.summary, this.list, this.cut.more);
  }

  show({ entrants: { items }, tournament, mine }) {
    if (this.#isFirst) this.root.open = items.length <= OPEN_MAX && tournament.status === "open";
    this.#isFirst = false;
    const left = items.filter((each) => each.left).length;
    this.count.textContent = ` ${items.length}${left ? `, ${left} of them left` : ""}`;
    const isCheckIn = tournament.round_status === "check_in";
    this.cut.show(items.map((each) => ({ ...each, isCheckIn, mine })));
  }
}

function showEntrant(entrant) {
  const states = listStates(entrant);
  return el(
    "li",
    { class: entrant.entrant === entrant.mine ? "mine" : null },
    linkName(entrant),
    states.map((said) => el("span", { class: "tag" }, said)),
  );
}

// The states of an entrant; none while it simply plays.
function listStates({
  left,
  from_round: from,
  missed,
  no_shows: absent,
  is_checked_in: isHere,
  isCheckIn,
  links_left: links,
  key,
}) {
  return [
    left,
    from > 1 ? `late, from round ${from}` : null,
    isCheckIn && isHere && !left ? "checked in" : null,
    missed.length && !left ? `did not check in for ${tellRounds(missed)}` : null,
    absent.length ? `did not come in ${tellRounds(absent)}` : null,
    links ? "own links" : null,
    key ? "signs" : null,
  ].filter(Boolean);
}

function tellRounds(rounds) {
  return rounds.length === 1 ? `round ${rounds[0]}` : `${count(rounds.length, "round")} (${list(rounds.map(String))})`;
}
