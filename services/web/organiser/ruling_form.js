// The form of a ruling: its kind, its table or entrant, its reason. The server previews the ruling before it
// is made; the form stays filled in until then.

import { el, form } from "../parts/dom.js";
import { tellPlace } from "../tournament/table_card.js";
import { nameOf } from "../tournament/words.js";
import { confirm, field, group, number, readReason, reasonField, select, tick } from "../parts/field.js";

const KINDS = {
  points_ruled: ["Award or take points", "Adds points to an entrant in a round that was drawn, or takes some away."],
  result_replaced: ["Replace a result", "The table counts with the places that you give, not with those of its game."],
  game_voided: ["Void a table", "The table counts nothing."],
  table_replayed: ["Play a table again", "A new game for the same people. Only until the next round is called."],
  no_show_told: [
    "Tell a no-show",
    "An entrant will not come: the table goes on without them now. The server does this by itself when the time to " +
      "sit down is over.",
  ],
  entrant_removed: ["Remove an entrant", "They are drawn no more; their points stay."],
};
const OF_TABLE = new Set(["result_replaced", "game_voided", "table_replayed", "no_show_told"]);
const POINTS_MAX = 1_000_000;

export class RulingForm {
  #shown = null;
  // Tables by the round whose tables they are, as far as they were needed.
  #tables = new Map();
  #handlers;
  #told = "";

  // `preview` and `send` get a ruling for the API; `readRound` gives a round of the tournament, `hasBegun` states of a
  // game whether it is known to have begun.
  constructor(handlers) {
    this.#handlers = handlers;
    this.kind = select(
      "ruling",
      Object.entries(KINDS).map(([value, [said]]) => [value, said]),
    );
    this.about = el("div", { class: "about" });
    this.note = el("p", { class: "note" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.done = el("p", { class: "note", role: "status" });
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
  }

  async show(shown) {
    const isFirst = this.#shown === null;
    this.#shown = shown;
    this.root.hidden =
      shown.tournament.status === "finished" || shown.tournament.status === "aborted" || !shown.entrants.items.length;
    const round = Number(this.form.elements.round?.value) || this.#listDrawn().at(-1);
    await this.#load(round);
    this.renew(isFirst ? null : this.#read());
  }

  // Lays the form out where its options have changed. Choices stay chosen.
  renew(before = this.#read()) {
    const shown = this.#shown;
    const round = Number(this.form.elements.round?.value) || this.#listDrawn().at(-1);
    const tables = (this.#tables.get(round) ?? []).map(({ attempt, status, game, seats }) => [
      attempt,
      status,
      this.#handlers.hasBegun(game),
      seats.map(({ entrant }) => entrant),
    ]);
    const told = JSON.stringify([
      this.#listDrawn(),
      round,
      tables,
      shown.entrants.items.map((each) => [nameOf(each), each.left]),
    ]);
    if (told === this.#told) return;
    this.#told = told;
    this.#lay(before);
  }

  // The rounds that have tables.
  #listDrawn() {
    const { round, round_status: phase } = this.#shown.tournament;
    return Array.from({ length: phase === "check_in" ? round - 1 : round }, (_, index) => index + 1);
  }

  async #load(round) {
    if (!round) return;
    const found = await this.#handlers.readRound(round, this.#shown.tournament).catch(() => null);
    if (found) this.#tables.set(round, found.tables);
  }

  // Fills the form in for a table or an entrant, and goes there.
  async begin(kind, about) {
    await this.#load(about.round);
    this.kind.value = kind;
    this.#lay(about);
    this.root.scrollIntoView({ block: "start" });
    this.kind.focus({ preventScroll: true });
  }

  #lay(chosen = this.#read()) {
    const kind = this.kind.value;
    const focused = this.about.contains(document.activeElement) ? document.activeElement.getAttribute("name") : null;
    this.note.textContent = KINDS[kind][1];
    this.problem.textContent = "";
    this.about.replaceChildren(...(OF_TABLE.has(kind) ? this.#layTable(kind, chosen) : this.#layEntrant(kind, chosen)));
    // The focus stays where it was.
    if (focused) this.form.elements[focused]?.focus?.({ preventScroll: true });
  }

  #layEntrant(kind, chosen) {
    const who = field(
      "Who",
      select(
        "entrant",
        this.#shown.entrants.items
          .filter((each) => kind !== "entrant_removed" || !each.left)
          .map((each) => [each.entrant, `${nameOf(each)} (${each.entrant})`]),
        chosen?.entrant,
      ),
    );
    if (kind === "entrant_removed") return [who];
    const drawn = this.#listDrawn();
    return [
      who,
      field(
        "Round",
        select(
          "round",
          drawn.map((round) => [round, `Round ${round}`]),
          chosen?.round ?? drawn.at(-1),
        ),
        drawn.length ? null : "Points can be ruled once a round was drawn.",
      ),
      field(
        "Points",
        number("points", chosen?.points ?? "", { min: -POINTS_MAX, max: POINTS_MAX }),
        "Below 0 takes points away.",
      ),
    ];
  }

  #layTable(kind, chosen) {
    const rounds = this.#listDrawn().filter(
      (each) => kind !== "table_replayed" || each === this.#shown.tournament.round,
    );
    const round = select(
      "round",
      rounds.map((each) => [each, `Round ${each}`]),
      chosen?.round ?? rounds.at(-1),
    );
    const table = el("select", { name: "table" });
    const rest = el("div");
    const layTables = (wanted) => {
      table.replaceChildren(
        ...(this.#tables.get(Number(round.value)) ?? [])
          .filter(
            ({ status, game }) => kind !== "no_show_told" || (status === "awaited" && !this.#handlers.hasBegun(game)),
          )
          .map((each) =>
            el(
              "option",
              { value: each.table, selected: each.table === wanted },
              `Table ${each.table}: ${each.seats.map(nameOf).join(", ")}`,
            ),
          ),
      );
    };
    const laySeats = (kept = null) => rest.replaceChildren(...this.#laySeats(kind, kept));
    round.addEventListener("change", async () => {
      await this.#load(Number(round.value));
      layTables(null);
      laySeats();
    });
    table.addEventListener("change", () => laySeats());
    layTables(chosen?.table);
    this.about.replaceChildren(field("Round", round), field("Table", table), rest);
    laySeats(chosen);
    this.#layOnceThere(Number(round.value));
    return [...this.about.children];
  }

  // A round whose tables were not asked for yet is read, and laid out then.
  async #layOnceThere(round) {
    if (!round || this.#tables.has(round)) return;
    await this.#load(round);
    if (this.#tables.has(round)) this.#lay();
  }

  // `kept` has the entries made before, if they were for the same draw of the same table.
  #laySeats(kind, kept) {
    const table = this.#findTable();
    if (!table) return [el("p", { class: "note" }, "There is no such table.")];
    const isSame = kept?.shownTable?.game === table.game;
    if (kind === "result_replaced") {
      const places = [["", "no place"], ...table.seats.map((_, place) => [place + 1, tellPlace(place + 1)])];
      const given =
        isSame && kept.ranking
          ? kept.ranking.map(({ seat, place }) => [table.seats[seat].entrant, place])
          : table.scored.map((each) => [each.entrant, each.place]);
      const before = new Map(given);
      return [
        group(
          "Places",
          table.seats.map((seat) =>
            field(nameOf(seat), select(`seat-${seat.seat}`, places, before.get(seat.entrant) ?? "")),
          ),
        ),
      ];
    }
    if (kind === "no_show_told")
      return [
        group(
          "Who is not there",
          table.seats.map((seat) =>
            tick("absent", seat.entrant, nameOf(seat), {
              isTicked: isSame && Boolean(kept.entrants?.includes(seat.entrant)),
            }),
          ),
        ),
      ];
    return [];
  }

  #findTable() {
    const { round, table } = this.form.elements;
    return this.#tables.get(Number(round?.value))?.find((each) => each.table === Number(table?.value)) ?? null;
  }

  // The content of the form, as the API takes it, with the table beside it.
  #read() {
    const { elements } = this.form;
    const kind = this.kind.value;
    const at = (name) => (elements[name]?.value ? Number(elements[name].value) : null);
    if (!OF_TABLE.has(kind))
      return {
        ruling: kind,
        entrant: at("entrant"),
        ...(kind === "points_ruled" ? { round: at("round"), points: at("points") } : {}),
      };
    const shownTable = this.#findTable();
    const about = {
      ruling: kind,
      round: at("round"),
      table: at("table"),
      attempt: shownTable?.attempt ?? null,
      shownTable,
    };
    if (kind === "result_replaced")
      return {
        ...about,
        ranking: (shownTable?.seats ?? [])
          .map(({ seat }) => ({ place: at(`seat-${seat}`), seat }))
          .filter(({ place }) => place !== null),
      };
    if (kind === "no_show_told")
      return {
        ...about,
        entrants: [...this.form.querySelectorAll("[name=absent]:checked")]
          .map(({ value }) => Number(value))
          .sort((one, other) => one - other),
      };
    return about;
  }

  // The gap that still has to be filled in, or null.
  /** @param {Record<string, any>} ruling */
  #findGap(ruling) {
    if (OF_TABLE.has(ruling.ruling) && !ruling.shownTable) return "Choose a table.";
    if (ruling.ruling === "points_ruled" && (!ruling.points || ruling.round === null))
      return ruling.round === null
        ? "There is no round yet for which points can be ruled."
        : "Say how many points, more or less than 0.";
    if (ruling.ruling === "result_replaced" && !ruling.ranking.length) return "Give a place to an entrant.";
    if (ruling.ruling === "no_show_told" && !ruling.entrants.length) return "Say who is not there.";
    return ruling.entrant === null ? "Choose an entrant." : null;
  }

  async #ask() {
    const ruling = this.#read();
    const reason = readReason(this.form);
    const gap = this.#findGap(ruling) ?? (reason ? null : "Say why: a ruling needs a reason.");
    this.problem.textContent = gap ?? "";
    this.done.textContent = "";
    if (gap) {
      if (!reason) this.form.elements.reason.focus();
      return;
    }
    /** @type {Record<string, any>} */
    const { shownTable, ...fields } = { ...ruling, reason };
    try {
      const preview = await this.#handlers.preview(fields);
      const lines = [preview.ruling, ...preview.outcomes].map(({ told }) => el("p", {}, el("bdi", {}, told)));
      const isWanted = await confirm({ title: KINDS[ruling.ruling][0], lines, act: "Rule so, for ever" });
      this.button.focus();
      if (!isWanted) return;
      const { first_version: line } = await this.#handlers.send(fields);
      this.form.elements.reason.value = "";
      this.done.textContent = `It stands in line ${line} of the log.`;
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}
