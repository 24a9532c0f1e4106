// The lines of one game: the newest pages first, then older ones, and one by one as they happen.
// Versions count from 1; a hole is a line that is not here yet.

import { read } from "../parts/api.js";

// The lines beside the present in the chronicle; a viewer needs them before older ones.
const TAIL = 150;

export class Log {
  #game;
  #lines = [];
  #count = 0;

  constructor(game) {
    this.#game = game;
  }

  find(version) {
    return this.#lines[version - 1] ?? null;
  }

  get last() {
    return this.#lines.at(-1) ?? null;
  }

  // Whether every line up to the last is here; of a log of which nothing is here, that is true as well.
  get isWhole() {
    return this.#count === this.#lines.length;
  }

  // Keeps new lines and gives them back.
  add(lines) {
    const added = lines.filter((line) => !this.find(line.version));
    for (const line of added) this.#lines[line.version - 1] = line;
    this.#count += added.length;
    return added;
  }

  // The lines after one version, up to another.
  between(after, upTo) {
    return this.#lines.slice(after, upTo).filter(Boolean);
  }

  // The decisions that the player of a seat sealed, from any device; those of a stand-in are not among them.
  listSealed(seat) {
    const sealed = this.#lines.filter(({ type, by }) => type === "action_sealed" && by === `seat:${seat}`);
    return sealed.map(({ data }) => data.decision);
  }

  // Reads the lines before a version, the nearest first, and reports each page.
  async readBehind(version, onPage) {
    const start = Math.max(0, version - TAIL);
    await this.#readPages(start, version, onPage);
    await this.#readPages(0, start, onPage);
  }

  async #readPages(after, upTo, onPage) {
    for (let at = after; at !== null && at < upTo; ) {
      const page = await read(`/v1/games/${encodeURIComponent(this.#game)}/events?after=${at}`);
      const added = this.add(page.items);
      if (added.length) onPage(added);
      at = page.next;
    }
  }
}
