// Following a game: it comes again after every loss, with the last version it has, so that nothing is missed or told twice.

import { readFrames } from "./frames.js";

// A server that restarts is back in a second or two; one that stays away is asked less and less often.
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 30_000;
// Thousands who lost the same server must not come back in one moment.
const SPREAD = 0.5;
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
  #wake = () => null;

  // Calls onFrames([{line, shown}, …]), onState("live" | "lost" | "over") and onReaders(count).
  constructor(game, after, handlers) {
    this.#game = game;
    this.#version = after;
    this.#handlers = handlers;
  }

  // Runs until the game is over or `close` is called.
  async run() {
    const hurry = () => this.#wake();
    addEventListener("online", hurry);
    let pause = RETRY_MS;
    while (!this.#isOver && !this.#stop.signal.aborted) {
      const wasOpen = await this.#follow();
      if (this.#isOver || this.#stop.signal.aborted) break;
      pause = wasOpen ? RETRY_MS : Math.min(pause * 2, RETRY_MS_MAX);
      await this.#rest(pause * (1 - SPREAD * Math.random()));
    }
    removeEventListener("online", hurry);
  }

  close() {
    this.#stop.abort();
    this.#wake();
  }

  async #follow() {
    const connected = new AbortController();
    const signal = AbortSignal.any([connected.signal, this.#stop.signal]);
    // Told to be offline is known at once; the stream itself would notice only much later.
    const drop = () => connected.abort();
    addEventListener("offline", drop);
    let wasOpen = false;
    try {
      for await (const told of readFrames(this.#game, this.#version, signal)) {
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

  #rest(pause) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
