// The game after each of its events, as one viewer sees it. Missing boards are fetched in blocks, or all at once as a
// download of patches, which is a sixth of the bytes; a version never changes.

import { caller, read } from "../parts/api.js";
import { dropNulls, readFrames } from "../parts/frames.js";

// One request covers some seconds of play; the API gives at most 64.
const BLOCK = 32;
// Boards that came as one download share unchanged parts; those of longer games, or of a seat, are forgotten again.
const KEPT_MAX = 8_192;
const BLOCKS_KEPT_MAX = 512;

export class Boards {
  #game;
  #seat;
  #kept = new Map();
  #underWay = new Map();
  #reading = null;
  #isReadingAll = false;

  // `seat` is null for the public's view.
  constructor(game, seat = null) {
    this.#game = game;
    this.#seat = seat;
  }

  keep(shown) {
    // The oldest use goes first: a Map remembers the order in which it was filled.
    this.#kept.delete(shown.version);
    this.#kept.set(shown.version, shown);
    const max = this.#reading ? KEPT_MAX : BLOCKS_KEPT_MAX;
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
    const end = this.#isReadingAll ? version : Math.min(newest, version - ((version - 1) % BLOCK) + BLOCK - 1);
    // Backwards, the block is wanted from its start; behind the kept part, only the rest of it.
    let start = this.#isReadingAll ? version : version - ((version - 1) % BLOCK);
    while (start < version && this.#kept.has(start)) start += 1;
    const name = `${start}-${end}`;
    if (!this.#underWay.has(name)) {
      this.#underWay.set(
        name,
        this.#fetch(start, end).finally(() => this.#underWay.delete(name)),
      );
    }
    await this.#underWay.get(name);
    return this.find(version);
  }

  // The next boards are asked for before they are needed; a failure shows when it is.
  prefetch(version, newest) {
    if (version <= newest && !this.#kept.has(version)) this.read(version, newest).catch(() => null);
  }

  // Fetches every board up to a version, once; `onFrames` gets them as [{line, shown}, …]. Failed ones come in blocks
  // later.
  readAll(upTo, onFrames) {
    if (this.#seat !== null || upTo > KEPT_MAX) return Promise.resolve();
    this.#reading ??= this.#readEvery(upTo, onFrames).catch(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readEvery(upTo, onFrames) {
    const enough = new AbortController();
    this.#isReadingAll = true;
    let gathered = [];
    try {
      for await (const frame of readFrames(caller, this.#game, 0, enough.signal)) {
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
      this.#isReadingAll = false;
    }
  }

  async #fetch(start, end) {
    let from = start;
    while (from !== null && from <= end) {
      const query = new URLSearchParams({ from, to: end, ...(this.#seat !== null && { seat: this.#seat }) });
      const page = await read(`/v1/games/${encodeURIComponent(this.#game)}/boards?${query}`);
      page.items.forEach((shown) => this.keep(dropNulls(shown)));
      from = page.next;
    }
  }
}
