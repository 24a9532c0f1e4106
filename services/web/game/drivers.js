// <spina-drivers>: the drivers of a race in the order of their places, beside the board: mark, name, and whose turn it
// is.

import { el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { badge } from "../board/factions.js";
import { inSeat, noted, tellFates } from "../parts/names.js";

class Drivers extends HTMLElement {
  connectedCallback() {
    // A list rendered again moves its windows.
    if (this.rows) return;
    this.rows = el("ol", { class: "drivers-strip", "aria-label": "Drivers by their places" });
    this.replaceChildren(this.rows);
  }

  // With the attribute `linked` they lead to the players. `chariots` are those of the ruleset: [{key, colour, seat,
  // fate}].
  show({ ranking, owed, seats, your_seat: own }, chariots) {
    // A race in a file has no server for the players.
    const isLinked = this.hasAttribute("linked") && location.protocol !== "file:";
    const waited = new Set(owed.filter((each) => each.is_waited_for).map((each) => each.seat));
    const placed = (ranking ?? []).filter(({ seat }) => chariots.some((each) => each.seat === seat));
    const items = placed.map(({ place, seat }) => ({
      seat,
      place,
      href: isLinked && seats[seat].player ? `/players/${seats[seat].player}` : null,
      isWaited: waited.has(seat),
      isOwn: seat === own,
      name: noted(inSeat(seat), tellFates(seat, chariots)),
      marks: chariots.filter((each) => each.seat === seat).map(({ colour }) => colour),
    }));
    renew(this.rows, items, { key: ({ seat }) => seat, build: buildDriver });
  }
}

function buildDriver({ place, href, isWaited, isOwn, name, marks }) {
  const said = [
    marks.map(badge),
    el("span", { class: "driver-name" }, name),
    isOwn ? el("span", { class: "driver-you" }, " (you)") : null,
    isWaited ? el("span", { class: "driver-awaited" }, " chooses") : null,
  ];
  return el(
    "li",
    { class: `driver${isWaited ? " driver-waited" : ""}${isOwn ? " driver-own" : ""}` },
    el("b", {}, `${place}.`),
    href ? el("a", { class: "driver-link", href }, said) : said,
  );
}

customElements.define("spina-drivers", Drivers);
