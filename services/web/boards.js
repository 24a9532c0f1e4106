// The game after each of its events, as one viewer sees it. What is not here is fetched in blocks, or all at once as a film
// of patches, which is a sixth of the bytes; a version never changes.

import { readBoards } from "./api.js";
import { readFrames } from "./frames.js";
import { dropNulls } from "./merge_patch.js";

// One request covers what is played in some seconds; the API gives at most 64.
const BLOCK = 32;
// Boards that came as a film share what did not change; those of longer games, or of a seat, are forgotten again.
const KEPT_MAX = 8_192;
const BLOCKS_KEPT_MAX = 512;

export class Boards {
  #game;
  #seat;
  #kept = new Map();
  #underWay = new Map();
  #film = null;
  #isFilming = false;

  // `seat` is null for the public's view.
  constructor(game, seat = null) {
    this.#game = game;
    this.#seat = seat;
  }

  keep(shown) {
    // The oldest use goes first: a Map remembers the order in which it was filled.
    this.#kept.delete(shown.version);
    this.#kept.set(shown.version, shown);
    const max = this.#film ? KEPT_MAX : BLOCKS_KEPT_MAX;
    if (this.#kept.size > max) this.#kept.delete(this.#kept.keys().next().value);
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
    // While the film runs, all but this one will be here in a moment.
    const end = this.#isFilming ? version : Math.min(newest, version - ((version - 1) % BLOCK) + BLOCK - 1);
    // Backwards, the block is wanted from its start; behind what is kept already, only the rest of it.
    let start = this.#isFilming ? version : version - ((version - 1) % BLOCK);
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

  // Fetches every board up to a version, once; `onFrames` gets them as [{line, shown}, …]. What fails is fetched in blocks later.
  readFilm(upTo, onFrames) {
    if (this.#seat !== null || upTo > KEPT_MAX) return Promise.resolve();
    this.#film ??= this.#runFilm(upTo, onFrames).catch(() => {
      this.#film = null;
    });
    return this.#film;
  }

  async #runFilm(upTo, onFrames) {
    const enough = new AbortController();
    this.#isFilming = true;
    let gathered = [];
    try {
      for await (const frame of readFrames(this.#game, 0, enough.signal)) {
        if (!frame.line) continue;
        this.keep(frame.shown);
        gathered.push(frame);
        if (gathered.length === BLOCK || frame.line.version === upTo) {
          onFrames(gathered);
          gathered = [];
        }
        if (frame.line.version === upTo) break;
      }
    } finally {
      enough.abort();
      this.#isFilming = false;
    }
  }

  async #fetch(start, end) {
    let from = start;
    while (from !== null && from <= end) {
      const page = await readBoards(this.#game, from, end, this.#seat);
      page.items.forEach((shown) => this.keep(dropNulls(shown)));
      from = page.next;
    }
  }
}
