// <spina-my-games>: the games of this browser's account, those where it is its turn first; it follows them by one stream.

import { read } from "../parts/api.js";
import { el } from "../parts/dom.js";
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

  async connectedCallback() {
    this.hidden = true;
    this.rows = el("ul", { class: "games" });
    this.replaceChildren(el("h2", {}, "My games"), this.rows);
    if (!(await signIn())) return;
    const known = await read("/v1/account/games").catch(() => null);
    if (!known) return;
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
    this.hidden = !shown.length;
    renew(this.rows, shown, { key: ({ game }) => game, build: buildRow });
  }

  async #follow(after) {
    let known = after;
    while (this.isConnected) {
      try {
        for await (const { name, id, data } of readStream(
          `/v1/account/events?after=${encodeURIComponent(known)}`,
          new AbortController().signal,
        )) {
          if (name === "open") continue;
          known = id ?? known;
          const item = JSON.parse(data);
          if (item.game) this.#take([item]);
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
          ? "Waiting for the others"
          : status === "open"
            ? "Not begun"
            : place
              ? `${tellPlace(place)} place`
              : "Aborted";
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

customElements.define("spina-my-games", MyGames);
