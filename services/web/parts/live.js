// Following a game: it comes again after every loss, with the last version it has, so that nothing is missed or told
// twice.

import { caller } from "./api.js";
import { readFrames } from "./frames.js";
import { Retry } from "./reaching.js";

// The lines of one command arrive together and are shown in one movement.
const GATHER_MS = 30;

// The last line of every game.
export const LAST = "secret_disclosed";

export class Live {
  #game;
  #version;
  #handlers;
  #stop = new AbortController();
  #gathered = [];
  #isGathering = false;
  #isOver = false;

  // Calls onFrames([{line, shown}, …]), onState("live" | "lost" | "over"), onReaders(count) and onOffset(ms): how far
  // the server's clock is ahead, on every connection.
  constructor(game, after, handlers) {
    this.#game = game;
    this.#version = after;
    this.#handlers = handlers;
  }

  // Runs until the game is over or `close` is called.
  async run() {
    const retry = new Retry();
    while (true) {
      if (await this.#follow()) retry.reset();
      if (this.#isOver || this.#stop.signal.aborted) return;
      await retry.rest(this.#stop.signal);
    }
  }

  close() {
    this.#stop.abort();
  }

  async #follow() {
    const connected = new AbortController();
    const signal = AbortSignal.any([connected.signal, this.#stop.signal]);
    // Asked to be offline is known at once; the stream itself would notice only much later.
    const drop = () => connected.abort();
    addEventListener("offline", drop);
    let wasOpen = false;
    try {
      for await (const told of readFrames(caller, this.#game, this.#version, signal)) {
        wasOpen = true;
        this.#take(told);
      }
    } catch (error) {
      // On every fault the page comes again; a bug of the page itself is worth a line.
      if (error instanceof TypeError || error.name === "AbortError" || error.status !== undefined)
        this.lastError = error;
      else console.error(error);
    } finally {
      removeEventListener("offline", drop);
      this.#flush();
    }
    if (!this.#isOver) this.#handlers.onState("lost");
    return wasOpen;
  }

  #take(told) {
    if (told.line) {
      this.#version = told.line.version;
      this.#gathered.push(told);
      if (!this.#isGathering) setTimeout(() => this.#flush(), GATHER_MS);
      this.#isGathering = true;
      if (told.line.type === LAST) this.#isOver = true;
    } else if (told.isOpen) {
      this.#handlers.onOffset(told.offset_ms);
    } else if (told.readers !== undefined) {
      this.#handlers.onReaders(told.readers);
    } else if (told.end === "over") {
      this.#isOver = true;
    }
    this.#handlers.onState(this.#isOver ? "over" : "live");
  }

  #flush() {
    this.#isGathering = false;
    const frames = this.#gathered;
    this.#gathered = [];
    if (frames.length) this.#handlers.onFrames(frames);
  }
}
