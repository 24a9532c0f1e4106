// A tournament that is polled: changed parts are read, and unchanged ones cost a hundred bytes.

import { readTagged } from "../parts/api.js";
import { onWake, Retry } from "../parts/reaching.js";

// A round goes on for minutes. Two hundred people in one hall, behind one address, stay below the limit on requests.
const LOOK_MS = 5_000;
// So many do not come in one moment.
const SPREAD = 0.3;
const OVER = new Set(["finished", "aborted"]);

export class Feed {
  #path;
  #handlers;
  #round = null;
  #timer = null;
  #retry = new Retry();
  #isReading = false;
  #isWanted = false;
  #rounds = new Map();
  // The last answers: all but the deadlines follow from the log, so it is asked for again once that is longer.
  #told = null;

  // Calls onRead({tournament, standings, entrants, deadlines, pairings, offset_ms}), and onState("live" | "lost" |
  // "over", error).
  constructor(id, handlers) {
    this.#path = `/v1/tournaments/${encodeURIComponent(id)}`;
    this.#handlers = handlers;
    onWake(() => this.#isReading || this.look());
  }

  // The round that is shown, or null for the one that was called last.
  choose(round) {
    this.#round = round;
    return this.look();
  }

  // Reads now. If it is reading already, it does so once more afterwards.
  async look() {
    clearTimeout(this.#timer);
    if (this.#isReading) {
      this.#isWanted = true;
      return;
    }
    this.#isReading = true;
    let isOver = false;
    let pause = LOOK_MS * (1 + SPREAD * Math.random());
    try {
      isOver = await this.#read();
      this.#retry.reset();
      this.#handlers.onState(isOver ? "over" : "live");
    } catch (error) {
      pause = this.#retry.next();
      this.#handlers.onState("lost", error);
    }
    this.#isReading = false;
    if (this.#isWanted) {
      this.#isWanted = false;
      await this.look();
    } else if (!isOver) {
      // A hidden page is not polled; it is once it is visible.
      this.#timer = setTimeout(() => document.hidden || this.look(), pause);
    }
  }

  // Reads a round by itself; those of two thousand people are megabytes together. One that others have followed stays
  // as it is until a ruling.
  async readRound(round, tournament) {
    const stamp = `${tournament.rulings.length}`;
    const kept = this.#rounds.get(round);
    if (kept && kept.stamp === stamp && round < tournament.round) return kept.found;
    const { body } = await readTagged(`${this.#path}/pairings?round=${round}`);
    const found = body.items[0] ?? null;
    this.#rounds.set(round, { stamp, found });
    return found;
  }

  async #read() {
    // The deadlines have the version too, and they alone change without it: when a player sits down in a game.
    const { body: deadlines, offset_ms, isNew } = await readTagged(`${this.#path}/deadlines`);
    const chosen = this.#round;
    const told = `${deadlines.version} ${chosen}`;
    if (told === this.#told?.key && !isNew) return this.#isOver();
    if (told !== this.#told?.key) this.#told = { key: told, ...(await this.#readParts(chosen)) };
    this.#handlers.onRead({ ...this.#told, deadlines, offset_ms });
    return this.#isOver();
  }

  async #readParts(chosen) {
    const { body: tournament } = await readTagged(this.#path);
    const round = chosen ?? tournament.round;
    const parts = ["standings", "entrants", ...(round ? [`pairings?round=${round}`] : [])];
    const found = await Promise.all(parts.map((each) => readTagged(`${this.#path}/${each}`)));
    const [standings, entrants, pairings] = found.map(({ body }) => body);
    return { tournament, standings, entrants, pairings: pairings ?? null, round };
  }

  #isOver() {
    return OVER.has(this.#told.tournament.status);
  }
}
