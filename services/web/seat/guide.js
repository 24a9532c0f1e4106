// The guide through a first game: one text at a time, about a part of the page that is there, which gets a ring. A text
// comes with a decision or by the button, never while cards are chosen. The browser remembers seen texts, for each
// ruleset.

import { button, el } from "../parts/dom.js";

const PLACE = "spina-guide";
export class Guide {
  /** @type {Element | null} */
  #pointed = null;
  #at = -1;

  // `steps` are [selector, text] in the order in which a player meets them.
  constructor(name, steps) {
    this.name = name;
    this.steps = steps;
    this.said = el("p", { role: "status" });
    this.next = button("Next", () => this.#goOn([this.#at]));
    this.element = el(
      "section",
      { class: "guide", "aria-label": "Guide", hidden: true },
      this.said,
      el(
        "div",
        { class: "buttons" },
        this.next,
        button("No more guide", () => this.#goOn(steps.keys())),
      ),
    );
  }

  close() {
    this.#point(-1);
  }

  // A text that stood beside an answer as it was sent is not shown again.
  pass() {
    if (this.#at >= 0) this.#keep([...this.#read(), this.#at]);
  }

  again() {
    this.#keep([]);
    this.look();
  }

  // Shows the first text that was not seen and has its part on the page.
  look() {
    const seen = this.#read();
    this.#point(
      this.steps.findIndex(
        ([selector], step) => !seen.includes(step) && document.querySelector(selector)?.checkVisibility(),
      ),
    );
  }

  #goOn(steps) {
    this.#keep([...this.#read(), ...steps]);
    this.look();
  }

  #point(place) {
    this.#pointed?.classList.remove("pointed-at");
    this.#at = place;
    this.element.hidden = place < 0;
    if (place < 0) return;
    const [selector, text] = this.steps[place];
    this.#pointed = document.querySelector(selector);
    this.#pointed?.classList.add("pointed-at");
    if (this.said.textContent !== text) this.said.textContent = text;
  }

  #read() {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}")[this.name] ?? [];
  }

  #keep(seen) {
    localStorage.setItem(
      PLACE,
      JSON.stringify({ ...JSON.parse(localStorage.getItem(PLACE) ?? "{}"), [this.name]: seen }),
    );
  }
}
