// Building a chariot: one option of each category, each with its effect, a race where races count, and the points so
// far.

import { button, el } from "../../parts/dom.js";
import { field, group, select } from "../../parts/field.js";
import { capital, spaced } from "../../parts/words.js";
import { tips } from "./tips.js";

export function buildBuildPanel(asked) {
  return { element: new Workshop(asked).element };
}

class Workshop {
  constructor({ decision: { choices }, choose }) {
    this.choices = choices;
    this.choose = choose;
    this.room = el("div", { class: "options" });
    this.total = el("p", { class: "points-line", role: "status" });
    const races = choices.races.map(({ name }) => [name, capital(spaced(name))]);
    this.races = races.length ? select("race", races) : null;
    this.races?.addEventListener("change", () => this.#begin(this.races.value));
    this.element = el(
      "div",
      { class: "build-panel" },
      this.total,
      this.races ? field("Race", this.races) : "",
      this.room,
    );
    this.#begin(choices.races[0]?.name ?? null);
  }

  // Begins with the plainest chariot of a race.
  #begin(race) {
    const { equipment, candidates, races } = this.choices;
    this.race = races.find(({ name }) => name === race) ?? null;
    const plain = candidates.find((each) => (each.race ?? null) === race).equipment;
    const isFixed = (name) => this.race?.must_take.includes(name) ?? false;
    this.rows = [...new Set(equipment.map(({ category }) => category))].map((category) => {
      const all = equipment.filter((each) => each.category === category);
      const offered = this.race ? all.filter(({ name }) => this.race.may_choose.includes(name)) : all;
      const fixed = all.filter(({ name }) => isFixed(name));
      const chosen = offered.find(({ name }) => plain.includes(name)) ?? null;
      const added = all.filter(({ name }) => this.race?.may_add.includes(name));
      return { category, offered, fixed, chosen, added, buttons: [], fewer: [] };
    });
    this.extras = new Map();
    this.room.replaceChildren(...this.rows.map((row) => this.#buildRow(row)));
    this.#tell();
  }

  #buildRow(row) {
    row.buttons = row.offered.map((item) =>
      buildOption(item, "", () => {
        row.chosen = item;
        this.#tell();
      }),
    );
    const added = row.added.map((item) => buildOption(item, "+ ", () => this.#add(item, 1)));
    row.fewer = row.added.map((item) => button("", () => this.#add(item, -1)));
    return group(
      capital(row.category),
      row.fixed.length ? el("p", { class: "note" }, `Always: ${row.fixed.map(tellItem).join(", ")}`) : "",
      el("div", { class: "parts" }, row.buttons, added, row.fewer),
    );
  }

  // Some races take an option again and again.
  #add(item, times) {
    this.extras.set(item, (this.extras.get(item) ?? 0) + times);
    this.#tell();
  }

  #tell() {
    const { equipment, points_max: max } = this.choices;
    const taken = [
      ...this.rows.flatMap(({ chosen, fixed }) => [...fixed, chosen].filter(Boolean)),
      ...[...this.extras].flatMap(([item, times]) => Array(times).fill(item)),
    ];
    for (const { offered, buttons, chosen, added, fewer } of this.rows) {
      added.forEach((item, place) => {
        const times = this.extras.get(item) ?? 0;
        fewer[place].hidden = !times;
        fewer[place].textContent = `− ${spaced(item.name)} (${times} taken)`;
      });
      offered.forEach((item, place) => {
        buttons[place].setAttribute("aria-pressed", `${item === chosen}`);
        // An option that goes with none of the others is out of reach until they change.
        buttons[place].disabled =
          item !== chosen && taken.some((each) => each.category !== item.category && clashes(item, each));
      });
    }
    const points = taken.reduce((sum, item) => sum + item.points, 0);
    const isDear = points > max;
    this.total.textContent = `${points} of ${max} points${isDear ? ": too many" : " spent"}`;
    this.total.classList.toggle("too-many", isDear);
    const names = equipment.flatMap((item) => taken.filter((each) => each === item)).map(({ name }) => name);
    this.choose(
      isDear ? null : { kind: "build_chariot", race: this.race?.name ?? null, equipment: names },
      `this chariot for ${points} points`,
    );
  }
}

// With its effect; a longer explanation would hide the rows below.
function buildOption(item, sign, onPress) {
  const made = button(`${sign}${tellItem(item)}`, onPress);
  made.append(el("span", { class: "note" }, tips[item.name] ?? ""));
  return made;
}

function clashes(one, other) {
  return one.excludes.includes(other.name) || other.excludes.includes(one.name);
}

function tellItem({ name, points }) {
  return `${capital(spaced(name))} ${points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0"}`;
}
