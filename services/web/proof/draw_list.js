// <spina-draws>: every roll and shuffle with its mark and how it was checked; the one before the shown moment stands
// above the closed list.

import { el } from "../parts/dom.js";
import { MARKS, mark, tellDraw, tellHow } from "./report_view.js";

class DrawList extends HTMLElement {
  #draws = new Map();
  #items = new Map();
  #shown = Infinity;

  connectedCallback() {
    // Whether lines of the game are shown on this page, so that a draw can lead to its moment.
    this.isLinking = this.hasAttribute("linking");
    this.latest = el("p", { class: "latest" });
    this.count = el("span");
    this.list = el("ol", { class: "draws" });
    this.details = el(
      "details",
      { hidden: true },
      el("summary", {}, "Every roll and shuffle, and how it was checked: ", this.count),
      this.list,
    );
    this.details.addEventListener("toggle", () => this.#fill());
    this.replaceChildren(this.latest, this.details);
  }

  // A second report on a draw replaces the first: a shuffle has one once the secret is there.
  add(draws) {
    for (const draw of draws) {
      this.#draws.set(draw.version, draw);
      this.#items.get(draw.version)?.replaceWith(this.#show(draw));
    }
    this.point(this.#shown);
    const bad = [...this.#draws.values()].filter(({ verdict }) => verdict === "did_not_hold").length;
    this.count.textContent = `${this.#draws.size}${bad ? `, ${bad} of them not right` : ""}`;
    this.details.hidden = false;
    this.#fill();
  }

  // The last draw before the moment that is shown stands above the list.
  point(version) {
    this.#shown = version;
    const last = this.#draws.get(Math.max(...[...this.#draws.keys()].filter((each) => each <= version)));
    this.latest.replaceChildren(
      ...(last ? [mark(last.verdict), el("span", {}, `${tellDraw(last)}. ${tellHow(last)}`)] : []),
    );
  }

  // A long game has hundreds; they are only made when the list is opened.
  #fill() {
    if (!this.details.open) return;
    const fresh = [...this.#draws.values()].filter(({ version }) => !this.#items.has(version));
    this.list.append(...fresh.map((draw) => this.#show(draw)));
  }

  #show(draw) {
    const place = this.isLinking
      ? el("a", { href: `#${draw.version}` }, `Event ${draw.version}`)
      : `Event ${draw.version}`;
    const item = el(
      "li",
      { "data-version": draw.version, "data-verdict": draw.verdict },
      mark(draw.verdict),
      el(
        "div",
        {},
        el("p", {}, place, `. ${tellDraw(draw)}: ${MARKS[draw.verdict].word}`),
        el("p", { class: "note" }, tellHow(draw)),
      ),
    );
    this.#items.set(draw.version, item);
    return item;
  }
}

customElements.define("spina-draws", DrawList);
