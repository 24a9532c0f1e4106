// Every ruling in the server's words: its author, its reason and its effect; the newest first.

import { button, el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { tellMoment } from "./words.js";

// A season has hundreds; the others are shown when they are asked for.
const SHOWN_MAX = 20;

export class RulingList {
  #rulings = [];
  #max = SHOWN_MAX;

  constructor() {
    this.list = el("ol", { class: "rulings", reversed: true });
    this.none = el("p", { class: "state" }, "Nothing has been ruled.");
    this.more = button(
      "Earlier rulings",
      () => {
        this.#max *= 4;
        this.#draw();
      },
      { hidden: true },
    );
    this.root = el(
      "section",
      { "aria-labelledby": "rulings" },
      el("h2", { id: "rulings" }, "Rulings"),
      this.none,
      this.list,
      this.more,
    );
  }

  show({ tournament }) {
    this.#rulings = tournament.rulings;
    this.#draw();
  }

  #draw() {
    const listed = this.#rulings.slice(-this.#max).reverse();
    this.none.hidden = listed.length > 0;
    this.more.hidden = listed.length === this.#rulings.length;
    this.list.setAttribute("start", this.#rulings.length);
    renew(this.list, listed, { key: ({ line }) => line, build: showRuling });
  }
}

function showRuling({ line, at, by, by_name: author, told }) {
  return el(
    "li",
    { id: `ruling-${line}` },
    el("p", {}, el("bdi", {}, told)),
    el("p", { class: "note" }, `${tellMoment(at)}, line ${line}, by `, el("bdi", { title: by }, author ?? by), "."),
  );
}
