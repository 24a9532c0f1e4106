// A table before the start: who sits there, the links for friends, and house bots for the seats that are still free.

import { readPlayer } from "../parts/api.js";
import { button, el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { listLinks } from "./opening.js";
import { findOffered } from "../parts/ruleset_words.js";
import { teamOf } from "../parts/teams.js";
import { sendCommand } from "./sender.js";

export class WaitingRoom {
  // `box` is the seat's element on the page.
  constructor(box) {
    this.box = box;
    this.rows = el("ul", { class: "table-seats" });
    this.links = null;
  }

  async show(shown) {
    const { box } = this;
    const isOpener = shown.opened_by === `player:${box.account.id}`;
    const isBound = shown.seats.some((each) => each.is_ready);
    this.links ??= await listLinks(box.game);
    this.bots = findOffered(shown.ruleset)?.bots ?? [];
    if (this.rows.parentNode !== box.room) box.room.replaceChildren(this.rows);
    const items = shown.seats.map((each) => ({
      ...each,
      team: teamOf(shown.terms.options, each.seat),
      isOwn: each.seat === shown.your_seat,
      isOpener,
      isBound,
      url: this.links.find(({ seat }) => seat === each.seat)?.url,
    }));
    renew(this.rows, items, { key: ({ seat }) => seat, build: (item) => this.#buildRow(item) });
  }

  #buildRow({ seat, team, status, player, offer, isOwn, isOpener, isBound, url, is_ready: isReady }) {
    const isFree = status === "vacant";
    const who = el("span", {}, isOwn ? "You" : isFree ? this.#tellOffer(offer) : "…");
    const named = status === "held" ? player : offer?.player;
    if (named && !isOwn)
      readPlayer(named).then(
        ({ name }) => (who.textContent = isFree ? `Kept for ${name}` : name),
        () => (who.textContent = "A player"),
      );
    return el(
      "li",
      {},
      team ? el("span", {}, `Team ${team}: `) : "",
      who,
      isFree ? "" : el("span", { class: "note" }, isReady ? "ready" : "seated"),
      isFree && url && offer?.kind === "link" ? buildLink(url) : "",
      isFree && isOpener && this.bots.length && offer?.kind !== "house"
        ? button("Call a house bot", () => this.#call(seat))
        : "",
      isOpener && !isBound && status === "held" && !isOwn ? button("Send away", () => this.#offer(seat, null)) : "",
    );
  }

  #tellOffer(offer) {
    if (offer?.kind === "house") return "A house bot is coming …";
    if (offer?.kind === "link") return "Free, for the holder of its link";
    return offer?.kind === "player" ? "Kept for a player" : "Free, for all";
  }

  #call(seat) {
    return this.#offer(seat, { kind: "house", bot: this.bots[Math.min(1, this.bots.length - 1)] });
  }

  async #offer(seat, to) {
    const { box } = this;
    await sendCommand({ stream: box.game, path: `/v1/games/${box.game}/offers`, fields: { seat, to } }).catch((error) =>
      box.complain(error),
    );
  }
}

// The link is shown too: browsers give no clipboard to plain http.
function buildLink(url) {
  const made = button("Copy the link", async () => {
    await navigator.clipboard?.writeText(url).catch(() => null);
    made.textContent = "Copied";
  });
  return el(
    "span",
    { class: "invitation" },
    el("input", { readonly: true, value: url, "aria-label": "Link to this seat" }),
    made,
  );
}
