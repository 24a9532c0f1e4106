// <spina-moves>: every move of the race so far and how it was made up, turn by turn; each is a link to its moment.

import { showMove } from "../board/displays.js";
import { el } from "../parts/dom.js";
import { badge } from "../board/factions.js";
import { capital } from "../parts/words.js";

class MoveList extends HTMLElement {
  #told = null;

  connectedCallback() {
    this.list = el("div", { class: "moves" });
    this.details = el("details", {}, el("summary", {}, "Every move, and how it was made up"), this.list);
    this.details.addEventListener("toggle", () => this.#fill());
    this.hidden = true;
    this.replaceChildren(this.details);
  }

  // `chariots` are those of the chart, `turns` [{number, lines}] in order.
  tell(turns, chariots, { turnWord, findMove }) {
    this.hidden = !turns.length || !chariots.length || !findMove;
    if (this.hidden) return;
    this.#told = { turns, chariots, turnWord, findMove };
    this.#fill();
  }

  // A long race has hundreds; they are only made when the list is opened.
  #fill() {
    if (!this.details.open || !this.#told) return;
    const { turns, chariots, turnWord, findMove } = this.#told;
    this.list.replaceChildren(
      ...turns.flatMap(({ number, lines }) => {
        const moves = chariots.map((chariot) => [chariot, findMove(chariot.key, lines)]).filter(([, move]) => move);
        moves.sort(([, one], [, other]) => one.version - other.version);
        return moves.length
          ? [el("section", {}, el("h3", {}, `${capital(turnWord)} ${number}`), el("ul", {}, moves.map(showLinked)))]
          : [];
      }),
    );
  }
}

function showLinked([{ colour, name }, move]) {
  return el("li", {}, el("a", { href: `#${move.version}` }, badge(colour), ` ${name}`), showMove(move));
}

customElements.define("spina-moves", MoveList);
