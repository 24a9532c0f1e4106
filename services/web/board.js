// What every drawn board has in common: a picture that scales, chariots that stay the same elements while they move.

import { svg } from "./dom.js";

// A space takes this long when a move is shown along its way; a long way is shown faster.
const STEP_MS = 90;
const WAY_MS_MAX = 900;

export class Board extends HTMLElement {
  #chariots = new Map();
  #drawn = null;
  picture = null;

  // Draws the ground once and puts every chariot where `shown` has it; `lines` are the events that
  // led here from what was shown before, if the page went forward.
  show(shown, lines) {
    const ground = this.groundOf(shown.board);
    if (this.#drawn !== ground) {
      this.#drawn = ground;
      this.#chariots.clear();
      this.picture = this.draw(shown.board);
      this.layer = svg("g", { class: "chariots" });
      this.picture.append(this.layer);
      this.replaceChildren(this.picture);
    }
    this.update(shown.board);
    this.picture.setAttribute("aria-label", this.describe(shown.board));
    this.#place(this.chariotsOf(shown.board), lines);
  }

  #place(chariots, lines) {
    const gone = new Set(this.#chariots.keys());
    for (const { key, mark, point, way, scale = 1 } of chariots) {
      gone.delete(key);
      const element = this.#chariots.get(key) ?? this.layer.appendChild(mark());
      const before = this.#chariots.has(key) ? element.dataset.at : null;
      this.#chariots.set(key, element);
      const at = `${point.x},${point.y}`;
      element.firstElementChild.setAttribute("transform", `scale(${scale})`);
      element.dataset.at = at;
      element.setAttribute("transform", `translate(${at})`);
      for (const running of element.getAnimations()) running.cancel();
      if (before && before !== at && lines.length) animate(element, before, lines.flatMap(way), point);
    }
    for (const key of gone) {
      this.#chariots.get(key).remove();
      this.#chariots.delete(key);
    }
  }
}

function animate(element, before, way, point) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [x, y] = before.split(",").map(Number);
  const places = [{ x, y }, ...way.slice(0, -1), point];
  const frames = places.map((place) => ({ transform: `translate(${place.x}px, ${place.y}px)` }));
  element.animate(frames, { duration: Math.min(WAY_MS_MAX, STEP_MS * Math.max(3, places.length)), easing: "ease-in-out" });
}
