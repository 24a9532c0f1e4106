// <spina-opening>: the terms of a new tournament, each with an explanation and a default that suits an evening.

import { listRulesets } from "../parts/api.js";
import { el, form } from "../parts/dom.js";
import { titleOf } from "../parts/ruleset_words.js";
import { DEMANDS, SEATINGS, TIE_BREAKS, tellFormat, tellSizes } from "../tournament/words.js";
import { confirm, field, group, number, select, tick } from "../parts/field.js";
import { TableChoice } from "../parts/table_choice.js";
import { buildSlips } from "./slips.js";
import { defaultPoints, listSizes, readDoor, readTerms } from "./terms.js";
import { Commander } from "./commander.js";
import { SigningKey } from "./signing_key.js";
import { Controls } from "./token.js";

const FORMATS = [
  ["score", "Rounds by score: equals meet, and no two meet twice where that can be avoided"],
  ["round_robin", "Round robin: all entrants meet each other as equally often as possible"],
  ["heats", "Heats and a final: heats are drawn by lot, then the best sit at one table"],
  ["knockout", "Knockout: the best of each table go on"],
];
// Which fields a format has.
const OF_FORMAT = {
  score: ["rounds"],
  round_robin: ["rounds"],
  heats: ["heats", "finalists"],
  knockout: ["survivors"],
};
const DEFAULT_TIE_BREAKS = ["wins", "opponents", "last_round", "lot", ""];
// As on the command line: lots to which entrants add nothing are the server's word alone.
const DEFAULT_DEMANDS = new Set(["links"]);
const SIZE_DEFAULT = 4;
const MONTH_MIN = 31 * 24 * 60;

class OpeningPage extends HTMLElement {
  /** @type {TableChoice} */
  #table;

  async connectedCallback() {
    this.commander = new Commander();
    try {
      const { items } = await listRulesets();
      this.#build(items);
    } catch (error) {
      this.replaceChildren(el("p", { class: "state", role: "alert" }, `The rulesets cannot be read: ${error.message}`));
    }
  }

  #build(rulesets) {
    this.rulesets = rulesets;
    this.problem = el("p", { class: "problem", role: "alert" });
    this.formatFields = el("div", { class: "fields" });
    this.optionFields = el("div", { class: "fields" });
    this.pointFields = el("div", { class: "fields" });
    this.button = el("button", { type: "submit" }, "Open the tournament…");
    const token = el("spina-token");
    this.token = token;
    const controls = new Controls(token);
    this.form = form(
      { class: "opening" },
      () => this.#ask(),
      this.#buildGame(),
      this.#buildFormat(),
      this.#buildPoints(),
      this.#buildTimes(),
      this.#buildDemands(),
      this.#buildPeople(),
      this.#buildTeams(),
      this.#buildDoor(),
      this.#buildAbout(),
      el("div", { class: "buttons" }, controls.hold([], this.button)),
      this.problem,
    );
    this.replaceChildren(token, this.form);
    const { elements } = this.form;
    elements.ruleset.addEventListener("change", () => this.#layOptions());
    elements.format.addEventListener("change", () => this.#layFormat());
    for (const name of ["tables-min", "tables-max"]) elements[name].addEventListener("change", () => this.#layPoints());
    this.#layOptions();
    this.#layFormat();
    this.#layPoints();
  }

  #buildDoor() {
    const names = field(
      "The list, a person in each line",
      el("textarea", { name: "names", rows: 4 }),
      "Each gets a code of its own, to print as a slip. The names stay here: the server gets none of them.",
    );
    names.hidden = true;
    const kinds = select("door", [
      ["open", "anybody, with any account"],
      ["code", "who has the code, the same for all"],
      ["list", "the people of a list, with a code for each"],
    ]);
    kinds.addEventListener("change", () => (names.hidden = kinds.value !== "list"));
    return group(
      "Who may enter",
      field("Entry is open for", kinds),
      names,
      tick("approval", "approval", "After approval", { help: "an organiser admits each entry before its first draw" }),
      tick("waiting", "waiting", "With a waiting list", {
        help: "where all places are taken, the next comes in when one is free",
      }),
    );
  }

  #buildTeams() {
    return group(
      "Teams of entrants",
      tick("teams", "teams", "Entrants may form teams", {
        help: "the first of a team founds it, and gives its mates a link",
      }),
      el(
        "div",
        { class: "fields" },
        field("Members at most", number("team-members", 4, { min: 2, max: 16 })),
        field("Best members who count", number("team-counting", 3, { min: 1, max: 16 })),
      ),
      field("Mates sit", select("team-seating", Object.entries(SEATINGS), "apart_if_possible")),
      tick("team-race", "team-race", "Mates at one table race as a team", {
        help: "as one side of their game, where the game has sides and none is set above",
      }),
    );
  }

  #buildAbout() {
    const line = (name, label, help) => field(label, el("input", { name, maxlength: 100, autocomplete: "off" }), help);
    return group(
      "What people should know",
      field(
        "Description",
        el("textarea", { name: "description", rows: 3, maxlength: 1000 }),
        "House rules, fees, prizes.",
      ),
      el(
        "div",
        { class: "fields" },
        line("place", "Place", "The hall, or online."),
        line("starts-at", "Start", "With the time zone: Thursday 19:30, Vienna."),
        line("contact", "Contact", "Public, and stays for ever."),
      ),
    );
  }

  #buildGame() {
    return group(
      "The game",
      field(
        "Name",
        el("input", { name: "name", maxlength: 100, required: true, autocomplete: "off" }),
        "Public, and stays for ever.",
      ),
      field(
        "Ruleset",
        select(
          "ruleset",
          this.rulesets.map(({ ruleset, seats_min: min, seats_max: max }) => [
            ruleset,
            `${titleOf(ruleset)}, for ${min} to ${max}`,
          ]),
        ),
      ),
      this.optionFields,
    );
  }

  #buildFormat() {
    return group(
      "Rounds and tables",
      field("Format", select("format", FORMATS)),
      this.formatFields,
      el(
        "div",
        { class: "fields" },
        field("Smallest table", number("tables-min", SIZE_DEFAULT - 1, { min: 2, max: 6 })),
        field("Largest table", number("tables-max", SIZE_DEFAULT, { min: 2, max: 6 })),
        field("Best size", number("tables-preferred", SIZE_DEFAULT, { min: 2, max: 6 })),
      ),
      el(
        "p",
        { class: "note" },
        "All entrants are seated if tables of these sizes allow it; otherwise as few as possible sit out.",
      ),
    );
  }

  #buildPoints() {
    const breaks = [["", "none"], ...Object.entries(TIE_BREAKS).map(([value, { means }]) => [value, means])];
    return group(
      "Points",
      el(
        "p",
        { class: "note" },
        "Points for each place of a table, the first place first. With these defaults tables of every size compare.",
      ),
      this.pointFields,
      field("A bye earns", number("bye", 30, { min: 0, max: 1_000_000 })),
      ...DEFAULT_TIE_BREAKS.map((chosen, place) =>
        field(
          place ? `Tie-break ${place + 1}` : "Where points are equal",
          select(`tie-break-${place + 1}`, breaks, chosen),
        ),
      ),
    );
  }

  #buildTimes() {
    return group(
      "Times",
      el(
        "div",
        { class: "fields" },
        field(
          "Check-in, minutes",
          number("check-in", 10, { min: 1, max: MONTH_MIN }),
          "Entrants who have not checked in by then are not in the draw of that round.",
        ),
        field(
          "To sit down, minutes",
          number("sit-down", 5, { min: 1, max: MONTH_MIN }),
          "Entrants who are not there by then are drawn out of the table.",
        ),
      ),
      tick("clock", "clock", "Clocks", {
        help: "each decision has a time; without them a game waits for ever",
        isTicked: true,
      }),
      el(
        "div",
        { class: "fields" },
        field("For a decision, seconds", number("clock-decision", 60, { min: 1, max: MONTH_MIN * 60 })),
        field(
          "In the bank, minutes",
          number("clock-bank", 10, { min: 0, max: MONTH_MIN }),
          "For a whole game, used up where a decision takes longer.",
        ),
      ),
      field(
        "Viewer delay, seconds",
        number("delay", 0, { min: 0, max: 86_400 }),
        "Games are shown so much later to spectators, until they are over.",
      ),
    );
  }

  #buildDemands() {
    return group(
      "Demands",
      el("p", { class: "note" }, "Of every entrant and every game; the verification says which of them held."),
      ...Object.entries(DEMANDS).map(([value, { name, means }]) =>
        tick("demand", value, name, { help: means, isTicked: DEFAULT_DEMANDS.has(value) }),
      ),
    );
  }

  #buildPeople() {
    return group(
      "People",
      field("Entrants at most", number("entries", 64, { min: 2, max: 2_048 })),
      field(
        "Other organisers",
        el("textarea", { name: "organisers", rows: 2, spellcheck: "false" }),
        "The ids of their accounts, one in a line. You are one of them. Helpers come by a link at any time.",
      ),
    );
  }

  #layOptions() {
    const found = this.rulesets.find(({ ruleset }) => ruleset === this.form.elements.ruleset.value);
    this.#table = new TableChoice(found, { isPlain: true });
    this.optionFields.replaceChildren(this.#table.element, this.#table.more);
  }

  #layFormat() {
    const made = {
      rounds: () => field("Rounds", number("rounds", 3, { min: 1, max: 64 })),
      heats: () => field("Heats", number("heats", 3, { min: 1, max: 63 })),
      finalists: () =>
        field(
          "In the final",
          number("finalists", SIZE_DEFAULT, { min: 2, max: 6 }),
          "As many as sit at the last table.",
        ),
      survivors: () =>
        field(
          "Go on from each table",
          number("survivors", 2, { min: 1, max: 5 }),
          "Fewer than sit at the smallest table.",
        ),
    };
    this.formatFields.replaceChildren(...OF_FORMAT[this.form.elements.format.value].map((name) => made[name]()));
  }

  // Points written for a size stay while other sizes come and go.
  #layPoints() {
    const { elements } = this.form;
    const sizes = { min: Number(elements["tables-min"].value), max: Number(elements["tables-max"].value) };
    const written = new Map([...this.pointFields.querySelectorAll("input")].map(({ name, value }) => [name, value]));
    this.pointFields.replaceChildren(
      ...listSizes(sizes)
        .filter((size) => size >= 2)
        .map((size) => {
          const name = `points-${size}`;
          return field(
            `Table of ${size}`,
            el("input", {
              name,
              value: written.get(name) ?? defaultPoints(size).join(", "),
              required: true,
              pattern: "[0-9]+([ ,]+[0-9]+)*",
            }),
          );
        }),
    );
  }

  async #ask() {
    const terms = readTerms(this.form, this.#table);
    const door = readDoor(this.form);
    this.problem.textContent = "";
    const lines = [
      el(
        "p",
        {},
        el("strong", {}, el("bdi", {}, terms.name)),
        ` · ${titleOf(terms.ruleset)} · ${tellFormat(terms.format)} · ${tellSizes(terms.tables)}`,
      ),
      "These are the terms on which people enter. They stand in the first line of its log and cannot be changed " +
        "afterwards.",
    ];
    const isWanted = await confirm({ title: "Open this tournament", lines, act: "Open it" });
    this.button.focus();
    if (!isWanted) return;
    try {
      const { people, ...rest } = door ?? { people: [] };
      const { id } = this.token.account;
      // Every act of the organiser is signed by this key from here on, in this browser.
      const key = await SigningKey.require(id);
      terms.organisers = { ...terms.organisers, [id]: key?.publicKey ?? null };
      const sent = door ? { ...terms, door: { ...rest, codes: people.map(([, code]) => code) } } : terms;
      const { tournament } = await this.commander.send("", sent);
      const onDone = () => location.assign(`/tournaments/${tournament}/organise`);
      if (!people.length) return onDone();
      this.replaceChildren(buildSlips({ tournament, name: terms.name, people, onDone }));
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}

customElements.define("spina-opening", OpeningPage);
