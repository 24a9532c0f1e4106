// The race for readers of the screen: one polite region speaks each act once it is over, a new leader, and the end. A
// reader who goes back in the race hears the line that was gone to.

import { el } from "../parts/dom.js";
import { inSeat, tellOrder } from "../parts/names.js";
import { tell } from "../parts/sentences.js";
import { capital, list } from "../parts/words.js";

// Speech follows the race, and not each event: the acts of this time are announced together.
const REST_MS = 1_200;
// Lines that belong to no act.
const TOLD = new Set([
  "seat_resigned",
  "seat_handed",
  "seat_reclaimed",
  "game_paused",
  "pause_ended",
  "game_stopped",
  "game_aborted",
  "seat_removed",
]);

export class Narrator {
  #told = new Map();
  #due = [];
  #leader = null;
  #status = null;
  #timer = null;

  constructor(ruleset) {
    this.ruleset = ruleset;
    this.element = el("p", { class: "unseen", "aria-live": "polite" });
  }

  // `acts` are those of the last turn, `passed` the lines since the moment shown before; `isOn` states whether the race
  // went on.
  follow(shown, { acts, passed, chariots, isOn }) {
    for (const { key, name, move } of acts) {
      const said = tellAct(name, move);
      if (this.#told.get(key) !== said && isOn) this.#put(key, said);
      this.#told.set(key, said);
    }
    for (const line of passed) {
      if (TOLD.has(line.type)) this.#put(line.version, tell(line, this.ruleset.words));
    }
    this.#tellEnd(shown, chariots);
    this.#tellLeader(shown.ranking ?? [], isOn);
    if (this.#due.length) this.#speakSoon();
  }

  #tellEnd({ status, ranking = [], board }, chariots) {
    if (this.#status === "running" && status === "finished")
      this.#put("end", `${tellOrder(ranking, chariots, board?.teams)}.`);
    this.#status = status;
  }

  // The moment that a reader has gone to.
  tellLine(line) {
    if (!line) return;
    this.#due = [[line.version, tell(line, this.ruleset.words)]];
    this.#speakSoon();
  }

  #tellLeader(ranking, isMoving) {
    const first = ranking.filter(({ place }) => place === 1);
    const leader = first.length === 1 ? first[0].seat : null;
    if (leader !== null && leader !== this.#leader) {
      if (isMoving && this.#leader !== null) this.#put("leader", `${capital(inSeat(leader))} takes the lead.`);
      this.#leader = leader;
    }
  }

  // An act that goes on is announced as it stands at the end.
  #put(key, said) {
    this.#due = [...this.#due.filter(([each]) => each !== key), [key, said]];
  }

  #speakSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.element.textContent = this.#due.map(([, said]) => said).join(" ");
      this.#due = [];
    }, REST_MS);
  }
}

function tellAct(name, { said, notes }) {
  const told = [said, ...notes].filter(Boolean);
  return `${capital(name)}: ${list(told)}.`;
}
