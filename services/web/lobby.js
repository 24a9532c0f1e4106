// The lobby: public games by what they are now and by ruleset, the newest first; what was asked for stays in the address.

import { listGames, listRulesets } from "./api.js";
import { el, time } from "./dom.js";
import { titleOf } from "./rulesets.js";

const STATUSES = { running: "Running", open: "Open", finished: "Finished", aborted: "Aborted" };
const EMPTY = {
  "": "No public game has been opened yet.",
  running: "No game is running now.",
  open: "No game waits for players now.",
  finished: "No game is finished yet.",
  aborted: "No game was aborted.",
};
// Whoever leaves the page open sees new games without asking; a lobby has no need for less.
const REFRESH_MS = 15_000;

class Lobby extends HTMLElement {
  #asked = 0;
  #more = [];

  connectedCallback() {
    const query = new URLSearchParams(location.search);
    this.status = query.get("status") in STATUSES ? query.get("status") : "";
    this.ruleset = query.get("ruleset") ?? "";
    this.state = el("p", { class: "state", role: "status" }, "Loading the games…");
    this.list = el("ul", { class: "games" });
    this.next = el("button", { type: "button", hidden: true }, "Earlier games");
    this.next.addEventListener("click", () => this.#readMore());
    this.replaceChildren(this.#buildFilters(), this.state, this.list, this.next);
    this.#read();
    setInterval(() => document.hidden || this.#more.length || this.#read(), REFRESH_MS);
  }

  #buildFilters() {
    const choices = [["", "All"], ...Object.entries(STATUSES)].map(([value, title]) => {
      const input = el("input", { type: "radio", name: "status", value, checked: value === this.status });
      input.addEventListener("change", () => this.#choose({ status: value }));
      return el("label", { class: "choice" }, input, el("span", {}, title));
    });
    const select = el("select", {}, el("option", { value: "" }, "Every ruleset"));
    select.addEventListener("change", () => this.#choose({ ruleset: select.value }));
    listRulesets().then(({ items }) => {
      select.append(...items.map(({ ruleset }) => el("option", { value: ruleset }, titleOf(ruleset))));
      select.value = this.ruleset;
    }, () => null);
    return el("div", { class: "filters" }, el("fieldset", {}, el("legend", {}, "Show"), choices),
      el("label", {}, el("span", { class: "note" }, "Ruleset "), select));
  }

  #choose(chosen) {
    Object.assign(this, chosen);
    const query = new URLSearchParams(Object.entries({ status: this.status, ruleset: this.ruleset }).filter(([, value]) => value));
    history.replaceState(null, "", query.size ? `/?${query}` : "/");
    this.#more = [];
    this.state.textContent = "Loading the games…";
    this.#read();
  }

  async #read() {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const page = await listGames({ status: this.status, ruleset: this.ruleset });
      // An answer to what was asked before the last choice is of no use.
      if (asked === this.#asked) this.#show(page);
    } catch (error) {
      if (asked === this.#asked) this.#complain(error);
    }
  }

  async #readMore() {
    try {
      const page = await listGames({ status: this.status, ruleset: this.ruleset, before: this.earlier });
      this.#more.push(...page.items);
      this.list.append(...page.items.map(showGame));
      this.#offer(page);
    } catch (error) {
      this.#complain(error);
    }
  }

  #show(page) {
    this.list.replaceChildren(...page.items.map(showGame));
    const many = `${page.items.length}${page.next ? " or more" : ""} ${page.items.length === 1 ? "game" : "games"}`;
    this.state.textContent = page.items.length ? many : EMPTY[this.status];
    this.#offer(page);
  }

  #offer(page) {
    this.earlier = page.next;
    this.next.hidden = page.next === null;
  }

  #complain(error) {
    const again = el("button", { type: "button" }, "Try again");
    again.addEventListener("click", () => this.#read());
    this.state.replaceChildren(`The games cannot be shown: ${error.message} `, again);
  }
}

function showGame(game) {
  return el(
    "li",
    {},
    el(
      "a",
      { href: `/games/${game.id}`, class: "game" },
      el("strong", {}, titleOf(game.ruleset)),
      el("span", { class: `status status-${game.status}` }, STATUSES[game.status]),
      el("span", { class: "note" }, `${game.seats} seats, ${game.version} events`),
      el("span", { class: "note" }, "opened ", time(game.opened_at)),
    ),
  );
}

customElements.define("spina-lobby", Lobby);
