// <spina-featured>: one race at the top of the front page, moving: the newest that is run now, else the end of the last
// one again.

import { caller, listPage, readGame } from "../parts/api.js";
import { el } from "../parts/dom.js";
import { dropNulls, readFrames } from "../parts/frames.js";
import { Live } from "../parts/live.js";
import { isStill } from "../board/motion.js";
import { RaceWindow } from "./race_window.js";

// An event is looked at for so long; a race far ahead of its picture is caught up with.
const REST_MS = 160;
const BEHIND_MAX = 120;
// The end of a race shown again.
const FINISH_EVENTS = 240;
const AGAIN_MS = 5_000;

class Featured extends HTMLElement {
  #frames = [];

  async connectedCallback() {
    this.hidden = true;
    this.leaving = new AbortController();
    try {
      const [running] = (await listPage("games", { status: "running" })).items;
      const [finished] = (await listPage("games", { status: "finished" })).items;
      if (!running && !finished) return;
      this.window = new RaceWindow(running ?? finished);
      // The list below need not show the same race.
      this.dispatchEvent(new CustomEvent("featured", { detail: this.window.race.id, bubbles: true }));
      this.replaceChildren(
        this.window.element,
        el(
          "p",
          { class: "creed" },
          "Every die, card and move is fixed before it is seen, and your own browser checks it all. ",
          finished ? el("a", { href: `/games/${finished.id}` }, "See a race that checks itself") : "",
        ),
      );
      await this.#begin(running ?? finished);
      this.hidden = false;
    } catch (error) {
      // The list below states why nothing can be read.
      if (error.status === undefined) console.error(error);
    }
  }

  disconnectedCallback() {
    this.leaving.abort();
    this.live?.close();
    clearInterval(this.timer);
  }

  async #begin({ id, status }) {
    const { body } = await readGame(id);
    const present = dropNulls(body);
    this.window.show(present);
    if (isStill() && status !== "running") return;
    this.timer = setInterval(() => this.#step(), REST_MS);
    if (status === "running") this.#follow(id, present.version);
    else this.#again(id, present.version).catch(() => null);
  }

  #follow(id, version) {
    this.live = new Live(id, version, {
      onFrames: (frames) => this.#frames.push(...frames),
      onState: () => null,
      onReaders: () => null,
      onOffset: () => null,
    });
    this.live.run();
  }

  async #again(id, version) {
    const kept = [];
    for await (const frame of readFrames(caller, id, Math.max(0, version - FINISH_EVENTS), this.leaving.signal)) {
      if (frame.line) kept.push(frame);
      if (frame.line?.version === version) break;
    }
    while (this.isConnected) {
      this.#frames.push(...kept);
      await new Promise((resolve) => setTimeout(resolve, kept.length * REST_MS + AGAIN_MS));
    }
  }

  // A quiet event changes nothing that is seen; the next one is shown with it.
  #step() {
    if (document.hidden || !this.#frames.length) return;
    const behind = this.#frames.length > BEHIND_MAX ? this.#frames.length - 1 : 0;
    const taken = this.#frames.splice(0, behind + 1);
    this.window.show(taken.at(-1).shown, { passed: behind ? [] : taken.map(({ line }) => line) });
  }
}

customElements.define("spina-featured", Featured);
