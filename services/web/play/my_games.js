// <spina-my-games>: the games of this browser's account, those where it is its turn first, and apart from them the
// seats that are offered to it; it follows them by one stream.

import { caller, command, read } from "../parts/api.js";
import { button, el } from "../parts/dom.js";
import { readStream } from "../parts/frames.js";
import "../parts/countdown.js";
import { renew } from "../parts/keyed.js";
import { titleOf } from "../parts/ruleset_words.js";
import { signIn } from "../seat/account.js";
import { tellPlace } from "../tournament/table_card.js";
import { list } from "../parts/words.js";

const SHOWN_MAX = 6;
const RETRY_MS = 5_000;

class MyGames extends HTMLElement {
  #items = new Map();
  #offers = new Map();

  async connectedCallback() {
    this.hidden = true;
    this.rows = el("ul", { class: "games" });
    this.offers = el("ul", { class: "games" });
    this.offered = el(
      "section",
      { "aria-label": "Seats offered to you", hidden: true },
      el("h3", {}, "Seats offered to you"),
      this.offers,
    );
    this.replaceChildren(el("h2", {}, "My games"), this.rows, this.offered);
    if (!(await signIn())) return;
    const known = await read("/v1/account/games").catch(() => null);
    if (!known) return;
    for (const each of known.offers) this.#offers.set(each.game, each);
    this.#take(known.items);
    this.#follow(known.after);
  }

  #take(items) {
    for (const each of items) this.#items.set(each.game, each);
    const rank = ({ is_your_turn: isMine, is_handed: isHanded, status }) =>
      isMine || (isHanded && status === "running") ? 0 : status === "running" ? 1 : status === "open" ? 2 : 3;
    const shown = [...this.#items.values()]
      .sort((one, other) => rank(one) - rank(other) || (one.last_at < other.last_at ? 1 : -1))
      .slice(0, SHOWN_MAX);
    this.hidden = !shown.length && !this.#offers.size;
    this.offered.hidden = !this.#offers.size;
    renew(this.rows, shown, { key: ({ game }) => game, build: buildRow });
    renew(this.offers, [...this.#offers.values()], {
      key: ({ game }) => game,
      build: (offer) => buildOffer(offer, (asked) => this.#decline(asked)),
    });
  }

  // What is declined leaves the list at once, and is in no later one.
  async #decline(asked) {
    await command("/v1/account/declines", asked);
    for (const { game, sender } of [...this.#offers.values()])
      if (game === asked.game || sender === asked.sender) this.#offers.delete(game);
    this.#take([]);
  }

  async #follow(after) {
    let known = after;
    while (this.isConnected) {
      try {
        for await (const { name, id, data } of readStream(
          caller,
          `/v1/account/events?after=${encodeURIComponent(known)}`,
          new AbortController().signal,
        )) {
          if (name === "open") continue;
          known = id ?? known;
          const item = JSON.parse(data);
          if (name === "seat_offered") this.#offers.set(item.game, item);
          else if (name === "offer_ended") this.#offers.delete(item.game);
          this.#take(item.game && !item.sender ? [item] : []);
        }
      } catch {
        // The next try goes on from the last event.
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function buildRow({
  game,
  ruleset,
  status,
  players,
  is_your_turn: isMine,
  is_handed: isHanded,
  is_offered: isOffered,
  waits_for: waited,
  deadline,
  place,
  seat,
}) {
  const others = players.filter((each) => each.seat !== seat).map(({ name }) => name);
  const said = isMine
    ? "Your turn"
    : isHanded && status === "running"
      ? "A house bot drives for you"
      : isOffered
        ? "A seat is kept for you"
        : status === "running"
          ? tellWaited(waited, players)
          : status === "open"
            ? "Not begun"
            : place
              ? `${tellPlace(place)} place`
              : "No result";
  return el(
    "li",
    {},
    el(
      "a",
      { href: `/games/${game}`, class: isMine ? "game game-mine" : "game" },
      el("strong", {}, titleOf(ruleset)),
      el("span", { class: `status status-${status}` }, said),
      el("span", { class: "drivers" }, others.length ? `with ${list(others)}` : "alone so far"),
      el("span", { class: "note when" }, isMine && deadline ? el("spina-countdown", { until: deadline }) : ""),
    ),
  );
}

// A game that runs waits for a seat, or is paused.
function tellWaited(waited, players) {
  const names = players.filter((each) => waited.includes(each.seat)).map(({ name }) => name);
  return waited.length ? `Waiting for ${list(names)}` : "Paused";
}

function buildOffer({ game, ruleset, sender, sender_name: name }, decline) {
  const said = name ?? "an organiser";
  return el(
    "li",
    {},
    el(
      "a",
      { href: `/games/${game}`, class: "game" },
      el("strong", {}, titleOf(ruleset)),
      el("span", { class: "status" }, "A seat is kept for you"),
      el("span", { class: "drivers" }, "by ", el("bdi", {}, said)),
    ),
    el(
      "span",
      { class: "buttons" },
      button("Decline", () => decline({ game }), { "aria-label": `Decline the offer of ${said}` }),
      button("Decline all of this player", () => decline({ sender }), {
        "aria-label": `Decline all offers of ${said}`,
      }),
    ),
  );
}

customElements.define("spina-my-games", MyGames);
