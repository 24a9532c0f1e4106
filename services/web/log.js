// The lines of one game, page by page from the API and then one by one as they happen; versions count from 1 without holes.

import { readEvents } from "./api.js";

export class Log {
  #game;
  lines = [];

  constructor(game) {
    this.#game = game;
  }

  get newest() {
    return this.lines.length;
  }

  find(version) {
    return this.lines[version - 1] ?? null;
  }

  add(line) {
    if (line.version === this.newest + 1) this.lines.push(line);
  }

  // Reads to the end of what there is, telling after each page.
  async readAll(onPage) {
    for (let after = 0; after !== null; ) {
      const page = await readEvents(this.#game, after);
      page.items.forEach((line) => this.add(line));
      onPage(page.items);
      after = page.next;
    }
  }
}
