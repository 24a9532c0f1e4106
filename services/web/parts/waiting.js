// <spina-waiting>: whom the game waits for, and how long they still have; it counts down where the page shows the
// present.

import { el, time } from "./dom.js";
import { fullName, inSeat } from "./names.js";
import { count, list } from "./words.js";

const TICK_MS = 500;

class Waiting extends HTMLElement {
  /** @type {Api.GameShown | null} */
  #shown = null;
  /** @type {{ clock: HTMLElement, deadline: string }[]} */
  #clocks = [];
  #isLive = false;
  #offset_ms = 0;

  connectedCallback() {
    this.classList.add("waiting");
    setInterval(() => this.#isLive && this.#shown && this.#tick(), TICK_MS);
  }

  // `offset_ms` is how far the server's clock is ahead of the reader's.
  show(shown, { isLive, offset_ms }) {
    this.#shown = shown;
    this.#isLive = isLive;
    this.#offset_ms = offset_ms;
    this.#build(shown);
  }

  /** @param {Api.GameShown} shown */
  #build(shown) {
    this.#clocks = [];
    const isOn = shown.status === "running";
    const handed = shown.seats
      .filter((each) => isOn && each.status === "held" && each.is_handed)
      .map((each) => fullName(each.seat));
    const driven = handed.length
      ? el(
          "p",
          { class: "note" },
          `${handed.length > 1 ? "House bots drive" : "A house bot drives"} for ${list(handed)}, until they are back.`,
        )
      : "";
    if (shown.paused_until) {
      this.replaceChildren(el("p", {}, ...tellPause(shown)), driven);
      return;
    }
    if (shown.status === "open") {
      const free = shown.seats.filter((each) => each.status === "vacant").length;
      this.replaceChildren(
        free
          ? `Waiting for players: ${count(free, "seat is", "seats are")} free.`
          : "Waiting until all players are ready.",
      );
      return;
    }
    const waited = new Map(shown.owed.filter((each) => each.is_waited_for).map((each) => [each.seat, each]));
    if (!waited.size) {
      this.replaceChildren(driven);
      return;
    }
    const items = [...waited.values()].map((owed, index) => {
      const clock = el("span", { class: "clock", role: "timer", "data-tip": "clock" });
      if (owed.deadline) this.#clocks.push({ clock, deadline: owed.deadline });
      return el(
        "li",
        { title: fullName(owed.seat) },
        owed.seat === shown.your_seat ? "you" : inSeat(owed.seat),
        owed.deadline ? " " : "",
        owed.deadline ? clock : "",
        index + 1 < waited.size ? ", " : "",
      );
    });
    this.replaceChildren(el("span", {}, "Waiting for "), el("ul", { class: "waited" }, items), driven);
    this.#tick();
  }

  #tick() {
    const shown = this.#shown;
    if (!shown) return;
    // In a replay, the time left at that moment; of a delayed game, the driver's time as far as spectators can know.
    const now = this.#isLive ? Date.now() + this.#offset_ms - shown.terms.delay_s * 1000 : Date.parse(shown.at);
    for (const { clock, deadline } of this.#clocks) {
      const left = Math.max(0, Date.parse(deadline) - now);
      const said = tellTime(left);
      if (clock.textContent !== said) clock.textContent = said;
      clock.classList.toggle("clock-low", left < 10_000);
    }
  }
}

export function tellTime(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (number) => `${number}`.padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

customElements.define("spina-waiting", Waiting);

/**
 * Why no clock of a paused game runs, and until when.
 * @param {Api.GameShown} shown
 */
export function tellPause({ terms, paused_until: until }) {
  if (terms.table) return ["The organisers paused the round: no clock runs, and no move is taken until they go on."];
  return ["No clock runs until ", until ? time(until) : "", " at the latest."];
}
