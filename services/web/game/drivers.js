// <spina-drivers>: the drivers of a race in the order of their places, beside the board: mark, name, and whose turn it is.

import { el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { badge } from "../board/factions.js";
import { inSeat, noted, tellFates } from "../parts/names.js";

class Drivers extends HTMLElement {
  connectedCallback() {
    // A list that is rendered again moves its windows.
    if (this.rows) return;
    this.rows = el("ol", { class: "drivers-strip", "aria-label": "Drivers by their places" });
    this.replaceChildren(this.rows);
  }

  // `chariots` are those of the ruleset: [{key, colour, seat, fate}].
  show({ ranking, owed, your_seat: own }, chariots) {
    const waited = new Set(owed.filter((each) => each.is_waited_for).map((each) => each.seat));
    const placed = (ranking ?? []).filter(({ seat }) => chariots.some((each) => each.seat === seat));
    const items = placed.map(({ place, seat }) => ({
      seat,
      place,
      isWaited: waited.has(seat),
      isOwn: seat === own,
      name: noted(inSeat(seat), [...(seat === own ? ["you"] : []), ...tellFates(seat, chariots)]),
      marks: chariots.filter((each) => each.seat === seat).map(({ colour }) => colour),
    }));
    renew(this.rows, items, { key: ({ seat }) => seat, build: buildDriver });
  }
}

function buildDriver({ place, isWaited, isOwn, name, marks }) {
  return el(
    "li",
    { class: `driver${isWaited ? " driver-waited" : ""}${isOwn ? " driver-own" : ""}` },
    el("b", {}, `${place}.`),
    marks.map(badge),
    el("span", { class: "driver-name" }, name),
  );
}

customElements.define("spina-drivers", Drivers);
