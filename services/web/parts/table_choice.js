// The table of a new game: a preset of the ruleset, one that this browser keeps, or any options, each by its own field.

import { button, el } from "./dom.js";
import { field, group, select } from "./field.js";
import { buildOptions } from "./options.js";
import { wordsOf } from "./ruleset_words.js";

const KEY = "spina-tables";
const OWN = "own";
const NAME_MAX = 40;
const RELEASED = "as the release has it";

export class TableChoice {
  #presets;

  // The first preset is chosen, or with `isPlain` the one without any option, as the API has it.
  constructor(ruleset, { isPlain = false } = {}) {
    this.ruleset = ruleset.ruleset;
    this.fields = buildOptions(ruleset);
    this.#presets = [...(wordsOf(this.ruleset).presets ?? []), ...this.#readKept()];
    this.about = el("p", { class: "note", role: "status" });
    this.list = select("table", []);
    this.list.addEventListener("change", () => this.#lay());
    this.name = el("input", { name: "table-name", maxlength: NAME_MAX, autocomplete: "off" });
    const boxes = ruleset.boxes ?? [];
    this.box = select("box", [["", RELEASED], ...boxes.map((each) => [each.components, each.name])]);
    // Presets first; the fields stand behind them.
    this.element =
      this.#presets.length || boxes.length
        ? el(
            "div",
            {},
            this.#presets.length ? [field("Table", this.list), this.about] : "",
            boxes.length
              ? field("Box", this.box, "Decks, tracks and numbers: those of the release, or a box of this server.")
              : "",
          )
        : "";
    this.more = this.fields.length
      ? group(
          "Rules of this table",
          this.fields,
          field("Keep this table as", this.name),
          el(
            "div",
            { class: "buttons" },
            button("Keep it in this browser", () => this.#keep()),
          ),
        )
      : "";
    for (const each of this.fields) each.addEventListener("change", () => this.#tellOwn());
    const plain = this.#presets.findIndex(({ options }) => !Object.keys(options ?? {}).length);
    this.#list(isPlain ? (plain < 0 ? OWN : plain) : 0);
    this.#lay();
  }

  // The options of the fields; an empty one is left out.
  get options() {
    return Object.fromEntries(this.fields.map(({ option }) => [option.name, option.read()]));
  }

  // The hash of the box that is chosen; none of the release's.
  get components() {
    return this.box.value || null;
  }

  // Options of seats are asked for so many.
  setSeats(count) {
    for (const { option } of this.fields) option.setSeats?.(count);
  }

  // Puts one option on the table that is chosen, as a link has it.
  choose(name, value) {
    for (const { option } of this.fields) if (option.name === name) option.write(value);
    this.#tellOwn();
  }

  #list(chosen) {
    const named = this.#presets.map(({ name }, place) => [place, name]);
    const choices = [...named, [OWN, "As chosen below"]];
    this.list.replaceChildren(...choices.map(([value, said]) => el("option", { value }, said)));
    this.list.value = String(chosen);
  }

  #lay() {
    const preset = this.#presets[this.list.value];
    this.about.textContent = preset?.about ?? "The rules that are chosen in the fields.";
    if (preset) for (const { option } of this.fields) option.write(preset.options?.[option.name]);
  }

  #tellOwn() {
    this.list.value = OWN;
    this.#lay();
  }

  // Under a name that is kept already, the table takes the place of the former.
  #keep() {
    const name = this.name.value.trim();
    if (!name) {
      this.name.focus();
      return;
    }
    const kept = [...this.#readKept().filter((each) => each.name !== name), { name, options: this.options }];
    localStorage.setItem(KEY, JSON.stringify({ ...readAll(), [this.ruleset]: kept }));
    this.#presets = [...(wordsOf(this.ruleset).presets ?? []), ...this.#readKept()];
    this.#list(this.#presets.findIndex((each) => each.name === name));
    this.#lay();
  }

  #readKept() {
    return (readAll()[this.ruleset] ?? []).map((each) => ({ ...each, about: "Kept in this browser." }));
  }
}

function readAll() {
  return JSON.parse(localStorage.getItem(KEY) ?? "{}");
}
