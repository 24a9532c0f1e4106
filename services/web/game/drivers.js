// <spina-drivers>: the drivers of a race in the order of their places, beside the board: mark, name, and whose turn it
// is.

import { el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { badge } from "../board/factions.js";
import { inSeat, noted, tellFates } from "../parts/names.js";
import { teamOf } from "../parts/teams.js";

class Drivers extends HTMLElement {
  connectedCallback() {
    // A list rendered again moves its windows.
    if (this.rows) return;
    this.rows = el("ol", { class: "drivers-strip", "aria-label": "Drivers by their places" });
    this.replaceChildren(this.rows);
  }

  // With the attribute `linked` they lead to the players. `chariots` are those of the ruleset.
  show({ ranking, owed, seats, terms, your_seat: own }, chariots, ruleset) {
    // A race in a file has no server for the players.
    const isLinked = this.hasAttribute("linked") && location.protocol !== "file:";
    const waited = new Set(owed.filter((each) => each.is_waited_for).map((each) => each.seat));
    const placed = (ranking ?? []).filter(({ seat }) => chariots.some((each) => each.seat === seat));
    const most = Math.max(...chariots.map(({ progress }) => progress ?? -Infinity));
    const items = placed.map(({ place, seat }) => ({
      seat,
      place,
      href: isLinked && seats[seat].player ? `/players/${seats[seat].player}` : null,
      isWaited: waited.has(seat),
      isOwn: seat === own,
      team: teamOf(terms?.options, seat),
      name: noted(inSeat(seat), tellFates(seat, chariots)),
      gap: tellGap(seat, chariots, most, ruleset),
      marks: chariots.filter((each) => each.seat === seat).map(({ colour }) => colour),
    }));
    renew(this.rows, items, { key: ({ seat }) => seat, build: buildDriver });
  }
}

// How far the best chariot of a seat is behind the first of all, where both are in the race.
function tellGap(seat, chariots, most, { tellDistance }) {
  const own = chariots.filter((each) => each.seat === seat && each.progress !== null).map(({ progress }) => progress);
  const behind = most - Math.max(...own);
  return tellDistance && behind > 0 && Number.isFinite(behind) ? tellDistance(behind) : null;
}

function buildDriver({ place, href, isWaited, isOwn, team, name, gap, marks }) {
  const said = [
    marks.map(badge),
    // Where names have no room; they bear it themselves.
    team ? el("span", { class: "driver-team", "aria-hidden": "true" }, team) : null,
    el("span", { class: "driver-name" }, name),
    isOwn ? el("span", { class: "driver-you" }, " (you)") : null,
    gap
      ? el(
          "span",
          { class: "driver-gap", title: `${gap} behind` },
          el("span", { "aria-hidden": "true" }, `−${Math.round(parseFloat(gap)) || 1}`),
          el("span", { class: "unseen" }, ` ${gap} behind`),
        )
      : null,
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
