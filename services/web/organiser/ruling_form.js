// The form of a ruling: its kind, what it is about, its reason. Kinds and fields are the server's, so that a new kind
// appears by itself. The server previews the ruling before it is made; the form stays filled in until then.

import { readTagged } from "../parts/api.js";
import { el, form } from "../parts/dom.js";
import { confirm, field, readReason, reasonField, select } from "../parts/field.js";
import { nameOf } from "../tournament/words.js";
import { buildLink, buildSecret, FIELDS, findSeated } from "./ruling_fields.js";

// Which entrants a kind of ruling can be about, where not all.
const WHOM = {
  entrant_removed: ({ left }) => !left || left === "waiting",
  entrant_excused: ({ left }) => !left,
  entry_handed: ({ left }) => !left,
  entrant_admitted: ({ left }) => left === "waiting",
  entrant_returned: ({ left }) => left && left !== "waiting",
  pairing_wished: ({ left }) => !left,
};

// Kinds that are about the round that goes on.
const OF_LAST = new Set(["tables_seated", "time_given", "round_paused", "round_resumed"]);

export class RulingForm {
  #shown = null;
  #forms = null;
  #role = null;
  // Rounds by number, as far as they were needed.
  #rounds = new Map();
  #handlers;
  #told = "";

  // `preview` and `send` get a ruling for the API; `readRound` gives a round of the tournament, `hasBegun` states of a
  // game whether it is known to have begun.
  constructor(handlers) {
    this.#handlers = handlers;
    this.kind = select("ruling", []);
    this.about = el("div", { class: "about" });
    this.note = el("p", { class: "note" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.done = el("div", { class: "note", role: "status" });
    this.button = el("button", { type: "submit" }, "Rule…");
    this.form = form(
      { class: "ruling", novalidate: true },
      () => this.#ask(),
      field("Kind of ruling", this.kind),
      this.note,
      this.about,
      reasonField(),
      el("div", { class: "buttons" }, this.button),
      this.problem,
      this.done,
    );
    this.root = el(
      "section",
      { "aria-labelledby": "rule" },
      el("h2", { id: "rule" }, "Rule"),
      el(
        "p",
        { class: "note" },
        "No earlier line is edited: a ruling is a public line of the log, with its reason and its changes.",
      ),
      this.form,
    );
    this.kind.addEventListener("change", () => this.#lay());
    this.form.addEventListener("change", (event) => this.#renewAfter(event.target));
  }

  async show(shown) {
    const isFirst = this.#shown === null;
    this.#shown = shown;
    this.root.hidden = shown.tournament.status === "finished" || shown.tournament.status === "aborted";
    await this.#loadForms();
    await this.#load(this.#findRound());
    this.renew(isFirst ? null : this.#read());
  }

  // Lays the form out where its options have changed. Choices stay chosen.
  renew(before = this.#read()) {
    if (!this.#forms) return;
    const { tables = [], byes = [] } = this.#rounds.get(this.#findRound()) ?? {};
    const told = JSON.stringify([
      this.#listDrawn(),
      this.#findRound(),
      tables.map(({ attempt, status, game, seats }) => [
        attempt,
        status,
        this.#handlers.hasBegun(game),
        seats.map(({ entrant }) => entrant),
      ]),
      byes.map(({ entrant }) => entrant),
      this.#shown.tournament.helpers,
      this.#shown.entrants.items.map((each) => [nameOf(each), each.left]),
    ]);
    if (told === this.#told) return;
    this.#told = told;
    this.#lay(before);
  }

  // Fills the form in for a table or an entrant, and goes there.
  async begin(kind, about) {
    // What stood in the form before must not be ruled meanwhile.
    this.button.disabled = true;
    try {
      await this.#loadForms();
      await this.#load(about.round);
      this.kind.value = kind;
      this.#lay(about);
    } finally {
      this.button.disabled = false;
    }
    this.root.scrollIntoView({ block: "start" });
    this.kind.focus({ preventScroll: true });
  }

  async #loadForms() {
    if (this.#forms) return;
    const { body } = await readTagged("/v1/rulings");
    this.#forms = new Map(body.items.map((each) => [each.ruling, each]));
    this.#list();
  }

  // The kinds that the role of a helper may rule; an organiser, who has none, may rule all.
  set role(role) {
    if (this.#role === role) return;
    this.#role = role;
    if (this.#forms) this.#list();
  }

  #list() {
    const chosen = this.kind.value;
    const kinds = [...this.#forms.values()].filter(({ roles }) => !this.#role || roles.includes(this.#role));
    this.kind.replaceChildren(
      ...kinds.map(({ ruling, label }) => el("option", { value: ruling, selected: ruling === chosen }, label)),
    );
    this.#told = "";
  }

  // The rounds that have tables, and the one that is drawn next.
  #listDrawn() {
    const { round, round_status: phase } = this.#shown.tournament;
    return Array.from({ length: phase === "check_in" ? round - 1 : round }, (_, index) => index + 1);
  }

  #findRound() {
    const chosen = this.form.elements.namedItem("round");
    const drawn = this.#listDrawn();
    const number = chosen instanceof HTMLSelectElement ? Number(chosen.value) : 0;
    return drawn.includes(number) ? number : drawn.at(-1);
  }

  async #load(round) {
    if (!round) return;
    const found = await this.#handlers.readRound(round, this.#shown.tournament).catch(() => null);
    if (found) this.#rounds.set(round, found);
  }

  // The fields of the kind that is chosen.
  get #asked() {
    return this.#forms?.get(this.kind.value)?.fields ?? [];
  }

  #has(kind) {
    return this.#asked.some((asked) => asked.kind === kind);
  }

  #describe(chosen) {
    const kind = this.kind.value;
    const round = this.#rounds.get(this.#findRound());
    const isWaiting = ({ status, game }) => status === "awaited" && !this.#handlers.hasBegun(game);
    const tables = (round?.tables ?? []).filter((table) => kind !== "no_show_told" || isWaiting(table));
    const drawn = this.#listDrawn().filter(
      (number) => kind !== "table_replayed" || number === this.#shown.tournament.round,
    );
    const numbers = this.form.elements;
    const number = Number(/** @type {any} */ (numbers.namedItem("table"))?.value ?? 0);
    const table = this.#has("table") ? (tables.find((each) => each.table === number) ?? null) : null;
    return {
      form: this.form,
      ruling: kind,
      entrants: this.#shown.entrants.items.filter(WHOM[kind] ?? (() => true)),
      drawn: OF_LAST.has(kind) ? [this.#shown.tournament.round].filter(Boolean) : drawn,
      coming: this.#shown.tournament.held_round || this.#listDrawn().length + 1,
      tables,
      table,
      seated: this.#has("seating") && round ? findSeated(round, this.#shown.entrants.items) : null,
      helpers: this.#shown.tournament.helpers.filter((each) => !each.is_dismissed),
      chosen,
      hasBegun: this.#handlers.hasBegun,
    };
  }

  #lay(chosen = this.#read()) {
    const focused = this.about.contains(document.activeElement) ? document.activeElement.getAttribute("name") : null;
    this.note.textContent = this.#forms.get(this.kind.value).note;
    this.problem.textContent = "";
    this.about.replaceChildren();
    for (const asked of this.#asked) {
      // A seat or a place is of the table that was laid out before it.
      const about = this.#describe(chosen);
      const isSame = !chosen?.shownTable || chosen.shownTable.game === about.table?.game;
      this.about.append(FIELDS[asked.kind].lay(asked, isSame ? about : { ...about, chosen: null }));
    }
    // The focus stays where it was.
    if (focused) this.#focus(focused);
    this.#layOnceThere();
  }

  // A round whose tables were not asked for yet is read, and laid out then.
  async #layOnceThere() {
    const round = this.#findRound();
    if (!round || this.#rounds.has(round)) return;
    await this.#load(round);
    if (this.#rounds.has(round)) this.#lay();
  }

  // Another round has other tables, and another table other seats.
  async #renewAfter(changed) {
    if (changed.name === "round") {
      await this.#load(this.#findRound());
      this.#lay();
    } else if (changed.name === "table" && (this.#has("seats") || this.#has("ranking"))) this.#lay();
  }

  // The content of the form, as the API takes it, with the table beside it.
  #read() {
    if (!this.#forms) return null;
    const about = this.#describe(null);
    const read = Object.fromEntries(this.#asked.map((asked) => [asked.name, FIELDS[asked.kind].read(asked, about)]));
    const { table } = about;
    return { ruling: this.kind.value, ...read, ...(table ? { attempt: table.attempt, shownTable: table } : {}) };
  }

  // The gap that still has to be filled in, or null.
  #findGap(ruling) {
    const about = this.#describe(null);
    for (const asked of this.#asked) {
      const gap = FIELDS[asked.kind].gap?.(ruling[asked.name], about);
      if (gap) return gap;
    }
    return null;
  }

  #focus(name) {
    const input = this.form.elements.namedItem(name);
    if (input instanceof HTMLElement) input.focus({ preventScroll: true });
  }

  async #ask() {
    const ruling = this.#read();
    const reason = readReason(this.form);
    const gap = this.#findGap(ruling) ?? (reason ? null : "Say why: a ruling needs a reason.");
    this.problem.textContent = gap ?? "";
    this.done.textContent = "";
    if (gap) {
      if (!reason) this.#focus("reason");
      return;
    }
    /** @type {Record<string, any>} */
    const { shownTable: _, ...fields } = { ...ruling, reason };
    let made = null;
    let isSent = false;
    try {
      const linked = this.#asked.find(({ kind }) => kind === "link");
      made = linked ? await buildSecret() : null;
      if (linked) fields[linked.name] = made.hash;
      const { ruling: previewed, outcomes, warnings, version: seen } = await this.#handlers.preview(fields);
      const lines = [
        ...[previewed, ...outcomes].map(({ told }) => el("p", {}, el("bdi", {}, told))),
        ...warnings.map(({ level, told }) =>
          el("p", { class: `warned-${level}` }, "Look at this: ", el("bdi", {}, told)),
        ),
      ];
      const isWanted = await confirm({
        title: this.#forms.get(fields.ruling).label,
        lines,
        act: "Rule so, for ever",
      });
      this.button.focus();
      if (!isWanted) return;
      isSent = true;
      const { first_version: line } = await this.#handlers.send(fields, seen);
      /** @type {any} */ (this.form.elements.namedItem("reason")).value = "";
      this.done.replaceChildren(
        `It stands in line ${line} of the log.`,
        made ? buildLink({ entrant: fields.entrant, secret: made.secret }) : "",
      );
    } catch (error) {
      this.problem.textContent = error.message;
      // The ruling may stand all the same, and its secret is nowhere else.
      if (made && isSent) this.done.replaceChildren(buildLink({ entrant: fields.entrant, secret: made.secret }));
    }
  }
}
