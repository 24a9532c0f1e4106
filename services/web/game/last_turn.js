// <spina-last-turn>: the last act of each chariot, laid on the table: its cards or dice, the sum, and its hits on
// rivals. It stays until the next act. A row is a link to its moment; "again" asks the page to show the turn once more.

import { listActs } from "./acts.js";
import { badge } from "../board/factions.js";
import { button, el } from "../parts/dom.js";
import { renew } from "../parts/keyed.js";
import { keepPace, PACES, readPace } from "./pace.js";
import { capital, list } from "../parts/words.js";

class LastTurn extends HTMLElement {
  #from = null;

  connectedCallback() {
    if (this.rows) return;
    this.hidden = true;
    this.heading = el("h2", { id: "last-turn-heading" }, "");
    this.again = button("Show it again", () => this.dispatchEvent(new CustomEvent("again", { detail: this.#from })), {
      class: "chip",
    });
    this.pace = el(
      "select",
      { "aria-label": "Pace of the turns", title: "How fast the turns of the others are shown" },
      Object.entries(PACES).map(([value, { said }]) => el("option", { value }, said)),
    );
    this.pace.value = readPace();
    this.pace.addEventListener("change", () => keepPace(this.pace.value));
    this.rows = el("ol", { class: "acts", tabindex: "0", "aria-labelledby": "last-turn-heading" });
    this.replaceChildren(el("div", { class: "acts-head" }, this.heading, this.pace, this.again), this.rows);
  }

  // `turns` are the last two, [{number, version, lines}], the present one last; `chariots` are those of the ruleset.
  show(turns, chariots, ruleset, own) {
    const all = listActs(turns, chariots, ruleset);
    const acts = all.filter((act) => all.findLast(({ key }) => key === act.key) === act);
    this.hidden = !acts.length;
    if (!acts.length) return;
    this.ruleset = ruleset;
    const newest = acts.at(-1).turn;
    const isOne = acts.every(({ turn }) => turn === newest);
    this.#from = isOne
      ? turns.find(({ number }) => number === newest).version
      : (acts[0].move.begins ?? acts[0].move.version);
    this.heading.textContent = isOne ? `${capital(ruleset.turnWord)} ${newest}` : "The last moves";
    renew(this.rows, acts, {
      key: ({ key }) => key,
      build: (act) => this.#build(act, act.turn === newest, act.seat === own),
    });
  }

  #build({ colour, name, move }, isNew, isOwn) {
    const { pieces, notes, version } = move;
    return el(
      "li",
      { class: `act${isNew ? "" : " act-before"}${isOwn ? " act-own" : ""}` },
      badge(colour),
      el("span", { class: "act-line" }, el("a", { href: `#${version}` }, name), tellSum(move)),
      el("span", { class: "act-pieces" }, pieces.map(this.ruleset.showPiece)),
      notes.length ? el("span", { class: "note" }, list(notes)) : null,
    );
  }
}

// "16 spaces", and small beside it what they are made of.
function tellSum({ parts, said }) {
  if (!said) return null;
  const counted = parts.filter(([, value]) => value);
  const sum = counted
    .map(([, value], place) => (value < 0 ? ` − ${-value}` : `${place ? " + " : ""}${value}`))
    .join("");
  return el(
    "span",
    { class: "act-sum", title: counted.map(([label, value]) => `${label} ${value}`).join(", ") },
    el("b", {}, said),
    counted.length > 1 ? el("small", {}, ` = ${sum}`) : null,
  );
}

customElements.define("spina-last-turn", LastTurn);
