// Places of a board that the player may choose: a layer over the picture, in which the pointer and the keyboard reach
// each. It is one stop for the Tab key; arrow keys go from place to place, Enter and Space choose.

import { svg } from "../parts/dom.js";

const BACK = new Set(["ArrowLeft", "ArrowUp"]);
const ON = new Set(["ArrowRight", "ArrowDown"]);

export class Offers {
  #items = [];

  // `onShow(points)` gets the corners of the offered places.
  constructor(picture, onShow) {
    this.onShow = onShow;
    this.layer = picture.appendChild(svg("g", { class: "offers" }));
    this.layer.addEventListener("keydown", (event) => this.#onKey(event));
  }

  // `places` are {key, shapes, said, kind, onPick}; the pictured `shapes` are drawn above the board.
  show(places) {
    this.#items = places.map(({ key, shapes, said, kind = "", onPick }) => {
      const item = svg(
        "g",
        { class: `offer ${kind}`, role: "button", tabindex: "-1", "aria-label": said, "aria-pressed": "false" },
        svg("title", {}, said),
        shapes,
      );
      item.dataset.key = key;
      item.addEventListener("click", () => {
        this.#focus(item);
        onPick();
      });
      return item;
    });
    this.#items[0]?.setAttribute("tabindex", "0");
    this.layer.replaceChildren(...this.#items);
    const { x, y, width, height } = this.layer.getBBox();
    this.onShow(
      places.length
        ? [
            { x, y },
            { x: x + width, y: y + height },
          ]
        : [],
    );
  }

  get isOpen() {
    return this.#items.length > 0;
  }

  choose(key) {
    for (const item of this.#items) item.setAttribute("aria-pressed", `${item.dataset.key === key}`);
  }

  #focus(item) {
    for (const each of this.#items) each.setAttribute("tabindex", each === item ? "0" : "-1");
    item.focus({ preventScroll: true });
  }

  #onKey(event) {
    const place = this.#items.indexOf(event.target);
    const step = ON.has(event.key) ? 1 : BACK.has(event.key) ? -1 : 0;
    if (place < 0 || (!step && event.key !== "Enter" && event.key !== " ")) return;
    // The replay has the same keys.
    event.preventDefault();
    event.stopPropagation();
    if (step) this.#focus(this.#items.at((place + step) % this.#items.length));
    else this.#items[place].dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}
