// <spina-countdown until="…">: the time left to a player, by the server's clock; all of a page tick together. Its event
// "low" comes once, ten seconds before the end.

import { hurryWhile } from "./reaching.js";
import { tellTime } from "./waiting.js";

const TICK_MS = 500;
// Ten seconds are counted as in games.
const LOW_MS = 10_000;

let ahead_ms = 0;
const shown = new Set();

// How far the server's clock is ahead of the reader's.
export function setOffset(offset_ms) {
  ahead_ms = offset_ms;
}

export function now() {
  return Date.now() + ahead_ms;
}

class Countdown extends HTMLElement {
  #said = "";

  connectedCallback() {
    this.setAttribute("role", "timer");
    this.classList.add("clock");
    this.dataset.tip = "clock";
    shown.add(this);
    this.tick();
  }

  disconnectedCallback() {
    shown.delete(this);
  }

  tick() {
    const left = Date.parse(this.getAttribute("until") ?? "") - now();
    const said = left > 0 ? tellTime(left) : "time is up";
    if (this.#said !== said) this.replaceChildren(said);
    this.#said = said;
    const isLow = left < LOW_MS;
    if (isLow && left > 0 && !this.classList.contains("clock-low")) this.dispatchEvent(new Event("low"));
    this.classList.toggle("clock-low", isLow);
  }
}

hurryWhile(() => shown.size > 0);
customElements.define("spina-countdown", Countdown);
setInterval(() => shown.forEach((each) => each.tick()), TICK_MS);
