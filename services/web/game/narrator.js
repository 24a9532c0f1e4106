// The race for readers of the screen: one polite region speaks each act once it is over, a new leader, and the end. A
// reader who goes back in the race hears the line that was gone to.

import { Retelling } from "./acts.js";
import { el } from "../parts/dom.js";
import { tell } from "../parts/sentences.js";

// Speech follows the race, and not each event: the sentences of this time are announced together.
const REST_MS = 1_200;

export class Narrator {
  #retelling;
  #due = [];
  #timer = null;

  constructor(ruleset) {
    this.ruleset = ruleset;
    this.#retelling = new Retelling(ruleset);
    this.element = el("p", { class: "unseen", "aria-live": "polite" });
  }

  // By the arguments of a retelling.
  follow(shown, moment) {
    this.#due.push(...this.#retelling.follow(shown, moment));
    if (this.#due.length) this.#speakSoon();
  }

  // The moment that a reader has gone to: the last one, where the hand goes on.
  tellLine(line) {
    if (!line) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = [tell(line, this.ruleset.words)];
    this.#speakSoon();
  }

  #speakSoon() {
    this.#timer ??= setTimeout(() => {
      this.element.textContent = this.#due.join(" ");
      this.#due = [];
      this.#timer = null;
    }, REST_MS);
  }
}
