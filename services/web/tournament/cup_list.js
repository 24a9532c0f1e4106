// <spina-tournaments>: those that wait for entrants, those that run, those that are over; all of them, or with `few`,
// as in the lobby, the newest of each kind.

import { listPage } from "../parts/api.js";
import { ago, button, el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { titleOf } from "../parts/ruleset_words.js";
import { capital, count } from "../parts/words.js";
import { FORMATS } from "./words.js";

// In the order of interest to players and spectators.
const KINDS = {
  open: { title: "Open for entry", empty: "No tournament waits for entrants now." },
  running: { title: "Running", empty: "No tournament is running now." },
  finished: { title: "Finished", empty: "No tournament is finished yet." },
  aborted: { title: "Aborted", empty: null },
};
const FEW = 3;
const MOST_NAMES = 3;
const REFRESH_MS = 15_000;

class TournamentList extends HTMLElement {
  #sections = new Map();
  #timer = null;

  connectedCallback() {
    this.isShort = this.hasAttribute("few");
    this.list = null;
    this.more = null;
    this.state = el("p", { class: "state", role: "status" }, "Loading the tournaments…");
    this.replaceChildren(this.state);
    this.#read();
    this.#timer = setInterval(() => document.hidden || this.#read(), REFRESH_MS);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async #read() {
    try {
      const kinds = Object.keys(KINDS).filter((kind) => !this.isShort || kind !== "aborted");
      const pages = await Promise.all(kinds.map((status) => listPage("tournaments", { status })));
      this.#show(kinds.map((kind, index) => [kind, pages[index]]));
    } catch (error) {
      this.state.replaceChildren(
        `The tournaments cannot be shown: ${error.message} `,
        button("Try again", () => this.#read()),
      );
    }
  }

  #show(pages) {
    const isEmpty = pages.every(([, page]) => !page.items.length);
    this.state.textContent = isEmpty ? "No tournament is announced." : "";
    if (this.isShort) {
      const items = pages.flatMap(([, page]) => page.items.slice(0, FEW));
      this.list ??= this.appendChild(el("ul", { class: "cups" }));
      renew(this.list, items, { key: ({ id }) => id, build: showCup });
      this.more ??= this.appendChild(
        el(
          "p",
          {},
          el("a", { href: "/tournaments" }, "All tournaments"),
          " · ",
          el("a", { href: "/tournaments/new" }, "Open a tournament"),
        ),
      );
      return;
    }
    for (const [kind, page] of pages) this.#showKind(kind, page, isEmpty);
  }

  #showKind(kind, page, isEmpty) {
    const { title, empty } = KINDS[kind];
    if (!this.#sections.has(kind))
      this.#sections.set(kind, this.appendChild(new Section(kind, title, empty).root).section);
    this.#sections.get(kind).show(page, isEmpty);
  }
}

// The tournaments of one kind; earlier ones are added when they are asked for, and stay.
class Section {
  #earlier = [];
  #next = null;

  constructor(kind, title, empty) {
    this.kind = kind;
    this.list = el("ul", { class: "cups" });
    this.empty = empty;
    this.note = el("p", { class: "state" });
    this.more = button("Earlier tournaments", () => this.#readEarlier(), { hidden: true });
    this.root = Object.assign(
      el("section", { "aria-label": title }, el("h2", {}, title), this.note, this.list, this.more),
      { section: this },
    );
  }

  show(page, isHidden) {
    this.page = page;
    if (!this.#earlier.length) this.#next = page.next;
    const known = new Set(page.items.map(({ id }) => id));
    renew(this.list, [...page.items, ...this.#earlier.filter(({ id }) => !known.has(id))], {
      key: ({ id }) => id,
      build: showCup,
    });
    this.root.hidden = isHidden || (!page.items.length && this.empty === null);
    this.note.textContent = page.items.length ? "" : (this.empty ?? "");
    this.more.hidden = this.#next === null;
  }

  async #readEarlier() {
    try {
      const page = await listPage("tournaments", { status: this.kind, before: this.#next });
      this.#earlier.push(...page.items);
      this.#next = page.next;
      this.show(this.page, false);
    } catch (error) {
      this.note.textContent = `They cannot be shown: ${error.message}`;
    }
  }
}

function showCup(cup) {
  return el(
    "li",
    {},
    el(
      "a",
      { href: `/tournaments/${cup.id}`, class: "cup-row" },
      el("strong", {}, el("bdi", {}, cup.name)),
      el("span", { class: `status status-${cup.status}` }, capital(cup.status)),
      el("span", { class: "led" }, tellCup(cup)),
      el("span", { class: "note when" }, tellWhen(cup)),
      el("span", { class: "note" }, `${titleOf(cup.ruleset)}, ${FORMATS[cup.format] ?? cup.format}`),
    ),
  );
}

function tellCup({ status, entries, entries_max: max, round, leaders }) {
  if (status === "open") return `Enter: ${entries} of ${max} places are taken`;
  const many = `${count(entries, "entrant")}, round ${round}`;
  if (!leaders.length || status === "aborted") return many;
  const said = status === "finished" ? "won by " : "led by ";
  return [
    status === "finished" ? "" : `${many}, `,
    said,
    tellNames(leaders),
    status === "finished" ? el("span", { class: "note" }, `, ${count(entries, "entrant")}`) : "",
  ];
}

function tellNames(leaders) {
  const names = leaders
    .slice(0, MOST_NAMES)
    .flatMap((each, place) => [place ? ", " : "", el("bdi", {}, each.name ?? "unnamed")]);
  return leaders.length > MOST_NAMES ? [...names, ` and ${leaders.length - MOST_NAMES} more`] : names;
}

function tellWhen({ status, opened_at: opened, last_at: last }) {
  if (status === "finished" || status === "aborted") return ["ended ", ago(last)];
  return status === "running" ? ["last change ", ago(last)] : ["opened ", ago(opened)];
}

customElements.define("spina-tournaments", TournamentList);
