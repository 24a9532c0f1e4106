// The boards of one game by version, fetched in blocks and kept in small number: a version never changes.

import { readBoards } from "./api.js";

// One request covers what is played in some seconds; the API gives at most 64.
const BLOCK = 32;
// A board has some tens of kilobytes once parsed; this many are a few megabytes.
const KEPT_MAX = 512;

export class Boards {
  #game;
  #kept = new Map();
  #underWay = new Map();

  constructor(game) {
    this.#game = game;
  }

  keep(shown) {
    // The oldest use goes first: a Map remembers the order in which it was filled.
    this.#kept.delete(shown.version);
    this.#kept.set(shown.version, shown);
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value);
  }

  find(version) {
    return this.#kept.get(version) ?? null;
  }

  async read(version, newest) {
    const found = this.find(version);
    if (found) {
      this.keep(found);
      return found;
    }
    const end = Math.min(newest, version - ((version - 1) % BLOCK) + BLOCK - 1);
    // Backwards, the block is wanted from its start; behind what is kept already, only the rest of it.
    let start = version - ((version - 1) % BLOCK);
    while (start < version && this.#kept.has(start)) start += 1;
    const name = `${start}-${end}`;
    if (!this.#underWay.has(name)) {
      this.#underWay.set(name, this.#fetch(start, end).finally(() => this.#underWay.delete(name)));
    }
    await this.#underWay.get(name);
    return this.find(version);
  }

  // What is played next is asked for before it is needed; a failure shows when it is.
  prefetch(version, newest) {
    if (version <= newest && !this.#kept.has(version)) this.read(version, newest).catch(() => null);
  }

  async #fetch(start, end) {
    let from = start;
    while (from !== null && from <= end) {
      const page = await readBoards(this.#game, from, end);
      page.items.forEach((shown) => this.keep(shown));
      from = page.next;
    }
  }
}
