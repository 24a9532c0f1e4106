// <spina-lobby>: public games by status and ruleset, the newest first; the filter stays in the address.

import { listPage, listRulesets } from "./parts/api.js";
import { ago, button, el } from "./parts/dom.js";
import { renew } from "./parts/keyed.js";
import { RaceWindow } from "./game/race_window.js";
import { titleOf, wordsOf } from "./parts/ruleset_words.js";
import "./tournament/cup_list.js";
import { count, tellProgress } from "./parts/words.js";

// In the order of interest to spectators.
const SECTIONS = {
  running: { title: "Races now", empty: "No race is run now." },
  open: { title: "Tables that wait for players", empty: "No table waits for players now." },
  finished: { title: "Results", empty: "No race is over yet." },
  aborted: { title: "Broken off", empty: "No race was broken off." },
};
const STATES = { running: "Running", open: "Open", finished: "Over", aborted: "Broken off" };
// Of everything at once only the newest of each kind; each kind by itself is shown page by page.
const FEW = 8;
// Races shown by their boards, and how often those are read again.
const WINDOWS = 3;
const WINDOWS_MS = 4_000;
// An open page shows new games by itself; a lobby has no need for less.
const REFRESH_MS = 15_000;

class Lobby extends HTMLElement {
  #asked = 0;
  #hasMore = false;
  #timers = [];
  /** @type {Map<string, any> | null} */
  #pages = null;
  #featured = document.querySelector("spina-featured")?.window?.race.id;
  #windows = new Map();

  connectedCallback() {
    const query = new URLSearchParams(location.search);
    const status = query.get("status") ?? "";
    this.status = status in SECTIONS ? status : "";
    this.ruleset = query.get("ruleset") ?? "";
    this.state = el("p", { class: "state", role: "status" }, "Loading the races…");
    this.sections = el("div", {});
    this.races = el("ul", { class: "races" });
    this.counts = new Map();
    this.replaceChildren(
      this.#buildFilters(),
      this.state,
      this.sections,
      el(
        "section",
        { class: "tournaments", "aria-label": "Tournaments" },
        el("h2", {}, "Tournaments"),
        el("spina-tournaments", { few: true }),
      ),
    );
    document.addEventListener("featured", ({ detail }) => {
      this.#featured = detail;
      if (this.#pages) this.#show(this.#pages);
    });
    this.#read();
    this.#timers = [
      setInterval(() => document.hidden || this.#hasMore || this.#read(), REFRESH_MS),
      setInterval(() => document.hidden || this.#lookOn(), WINDOWS_MS),
    ];
    document.addEventListener("visibilitychange", () => document.hidden || this.#hasMore || this.#read());
  }

  disconnectedCallback() {
    for (const timer of this.#timers) clearInterval(timer);
  }

  #buildFilters() {
    const choices = [["", "All"], ...Object.entries(SECTIONS).map(([value, { title }]) => [value, title])].map(
      ([value, title]) => {
        const input = el("input", { type: "radio", name: "status", value, checked: value === this.status });
        input.addEventListener("change", () => this.#choose({ status: value }));
        const count = value ? el("span", { class: "count" }) : null;
        if (count) this.counts?.set(value, count);
        return el("label", { class: "choice" }, input, el("span", {}, title, count));
      },
    );
    const select = el("select", {}, el("option", { value: "" }, "Every game"));
    select.addEventListener("change", () => this.#choose({ ruleset: select.value }));
    listRulesets().then(
      ({ items }) => {
        select.append(...items.map(({ ruleset }) => el("option", { value: ruleset }, titleOf(ruleset))));
        select.value = this.ruleset;
      },
      () => null,
    );
    return el(
      "div",
      { class: "filters" },
      el("fieldset", {}, el("legend", {}, "Show"), choices),
      el("label", {}, el("span", { class: "note" }, "Game "), select),
    );
  }

  #choose(chosen) {
    Object.assign(this, chosen);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ status: this.status, ruleset: this.ruleset }))
      if (value) query.set(name, value);
    history.replaceState(null, "", query.size ? `/?${query}` : "/");
    this.#hasMore = false;
    this.state.textContent = "Loading the races…";
    this.#read();
  }

  async #read() {
    this.#asked += 1;
    const asked = this.#asked;
    const { ruleset } = this;
    try {
      const kinds = Object.keys(SECTIONS);
      const pages = await Promise.all(kinds.map((status) => listPage("games", { status, ruleset })));
      // An answer to a request from before the last choice is of no use.
      if (asked === this.#asked) this.#show(new Map(kinds.map((kind, index) => [kind, pages[index]])));
    } catch (error) {
      if (asked === this.#asked) this.#complain(error);
    }
  }

  #show(pages) {
    this.#pages = pages;
    for (const [kind, page] of pages)
      this.counts?.get(kind)?.replaceChildren(` ${page.items.length}${page.next === null ? "" : "+"}`);
    const shown = [...pages].filter(([kind, page]) =>
      this.status ? kind === this.status : this.#pick(kind, page).length || (kind === "running" && !page.items.length),
    );
    this.sections.replaceChildren(...shown.map(([kind, page]) => this.#showSection(kind, page)));
    const isEmpty = [...pages.values()].every((page) => !page.items.length);
    this.state.textContent = isEmpty && !this.status ? "No race has been opened yet." : "";
  }

  #showSection(kind, page) {
    const { title, empty } = SECTIONS[kind];
    const all = this.#pick(kind, page);
    if (kind === "running") this.#showRaces(all.slice(0, WINDOWS));
    const items = kind === "running" ? all.slice(WINDOWS) : all;
    const shown = el("ul", { class: "games" }, items.map(showGame));
    return el(
      "section",
      { "aria-label": title },
      this.status ? null : el("h2", {}, title),
      kind === "running" ? this.races : null,
      all.length ? shown : el("p", { class: "state" }, empty),
      this.#offerMore(kind, page, shown),
    );
  }

  // The race at the top of the page is not shown a second time.
  #pick(kind, { items }) {
    if (this.status) return items;
    return items.filter(({ id }) => kind !== "running" || id !== this.#featured).slice(0, FEW);
  }

  #showRaces(games) {
    renew(
      this.races,
      games.map(({ id, ruleset, taken }) => ({ id, ruleset, taken })),
      {
        key: ({ id }) => id,
        build: (race) => {
          this.#windows.set(race.id, new RaceWindow(race));
          return el("li", {}, this.#windows.get(race.id).element);
        },
      },
    );
    const ids = new Set(games.map(({ id }) => id));
    for (const id of this.#windows.keys()) if (!ids.has(id)) this.#windows.delete(id);
    this.#lookOn();
  }

  // A race that cannot be read now is read the next time.
  #lookOn() {
    for (const each of this.#windows.values()) each.refresh().catch(() => null);
  }

  /** @returns {HTMLInputElement | null} */
  #input(kind) {
    return this.querySelector(`input[value="${kind}"]`);
  }

  #offerMore(kind, page, shown) {
    const isCut = !this.status && page.items.length > FEW;
    if (!isCut && page.next === null) return null;
    if (!this.status) return button(`${SECTIONS[kind].title}: all`, () => this.#input(kind)?.click());
    let { next } = page;
    const more = button("Earlier ones", async () => {
      try {
        this.#hasMore = true;
        const earlier = await listPage("games", { status: kind, ruleset: this.ruleset, before: next });
        shown.append(...earlier.items.map(showGame));
        ({ next } = earlier);
        more.hidden = next === null;
      } catch (error) {
        this.#complain(error);
      }
    });
    return more;
  }

  #complain(error) {
    this.state.replaceChildren(
      `The games cannot be shown: ${error.message} `,
      button("Try again", () => this.#read()),
    );
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
      el("span", { class: `status status-${game.status}` }, STATES[game.status]),
      el("span", { class: "drivers" }, tellDrivers(game), tellWinners(game)),
      el("span", { class: "note" }, tellProgress(game, wordsOf(game.ruleset).turn)),
      el("span", { class: "note when" }, tellTime(game)),
    ),
  );
}

function tellDrivers({ seats, taken = [] }) {
  const names = taken.map((each) => each.name ?? "a player");
  if (!names.length) return count(seats, "seat");
  const free = seats - names.length;
  return `${joinNames(names)}${free > 0 ? `; ${count(free, "seat is", "seats are")} free` : ""}`;
}

// A race without a winner has no first place.
function tellWinners({ status, winners, taken }) {
  if (status !== "finished") return "";
  const names = taken.filter(({ seat }) => winners.includes(seat)).map((each) => each.name ?? "a player");
  const said = winners.length ? `${winners.length > 1 ? "Shared by" : "Won by"} ${joinNames(names)}` : "No seat won";
  return el("span", { class: "won-by" }, said);
}

// A bracket that stands behind every name is shown once: "Teres (house bot)" and the others are "Teres, Diocles (house
// bots)".
function joinNames(names) {
  const [, kind] = names[0].match(/ \(([^)]*)\)$/) ?? [];
  const ending = ` (${kind})`;
  if (names.length < 2 || !kind || !names.every((name) => name.endsWith(ending))) return names.join(", ");
  return `${names.map((name) => name.slice(0, -ending.length)).join(", ")} (${kind}s)`;
}

function tellTime({ status, opened_at: opened, started_at: started, ended_at: ended }) {
  if (status === "finished" || status === "aborted") return ended ? ["ended ", ago(ended)] : ["opened ", ago(opened)];
  return status === "running" && started ? ["began ", ago(started)] : ["opened ", ago(opened)];
}

customElements.define("spina-lobby", Lobby);
