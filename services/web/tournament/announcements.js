// What the organisers announced, the newest first, and the calls of entrants with their answers.

import { button, el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { list } from "../parts/words.js";
import { nameOf, tellMoment } from "./words.js";

// The newest words count; the others are shown when they are asked for.
const SHOWN_MAX = 3;

export class Announcements {
  #max = SHOWN_MAX;
  #shown = null;

  constructor() {
    this.list = el("ul", { class: "announced plain", "aria-live": "polite" });
    this.more = button(
      "Earlier announcements",
      () => {
        this.#max = Infinity;
        this.show(this.#shown);
      },
      { hidden: true },
    );
    this.root = el(
      "section",
      { class: "announcements", "aria-labelledby": "announced", hidden: true },
      el("h2", { id: "announced" }, "From the organisers"),
      this.list,
      this.more,
    );
  }

  // `own` is the number of the viewer's own entry, whose answers stand among the announcements to it.
  show(shown) {
    this.#shown = shown;
    const { tournament, entrants, own = null } = shown;
    const names = new Map(entrants.items.map((each) => [each.entrant, nameOf(each)]));
    const words = tournament.announcements.map((said) => ({
      ...said,
      to: said.entrants.length ? list(said.entrants.map((entrant) => names.get(entrant))) : null,
      isMine: said.entrants.includes(own),
    }));
    const answers = tournament.calls
      .filter(({ entrant, answer }) => entrant === own && answer !== null)
      .map(({ line, at, answer, text }) => ({ line, at, text: answer, to: null, asked: text, isMine: true }));
    const all = [...words, ...answers].sort((one, other) => other.line - one.line);
    this.root.hidden = all.length === 0;
    this.more.hidden = all.length <= this.#max;
    renew(this.list, all.slice(0, this.#max), { key: ({ line }) => line, build: showWord });
  }
}

function showWord({ line, at, text, to, asked, isMine }) {
  return el(
    "li",
    { class: isMine ? "mine" : "" },
    asked ? el("p", { class: "note" }, "You asked: ", el("bdi", {}, asked)) : "",
    el("p", {}, to ? [el("strong", {}, el("bdi", {}, to)), ": "] : "", el("bdi", {}, text)),
    el("p", { class: "note" }, tellLine({ line, at })),
  );
}

export function tellLine({ line, at }) {
  return `${tellMoment(at)}, line ${line}`;
}
