// The whole board in a corner, while only a part of it is in sight: the track, a dot for each chariot, and that part.

import { svg } from "../parts/dom.js";

// A dot is so large as the board is wide, in hundredths.
const DOT = 3;

export class MiniMap {
  // `outline` is the path of the track in the `box` of the board.
  constructor(outline, { x, y, width, height }) {
    this.radius = (width * DOT) / 100;
    this.dots = svg("g", {});
    this.part = svg("rect", { class: "mini-part" });
    this.element = svg(
      "svg",
      { class: "mini-map", viewBox: [x, y, width, height].join(" "), "aria-hidden": "true" },
      svg("path", { class: "mini-track", d: outline, "fill-rule": "evenodd" }),
      this.dots,
      this.part,
    );
    this.look({ x, y, width, height }, false);
  }

  place(chariots) {
    const dots = chariots.filter(({ name }) => name);
    this.dots.replaceChildren(
      ...dots.map(({ point, colour }) =>
        svg(
          "g",
          { class: `disc-${colour}` },
          svg("circle", { class: "disc-ground mini-dot", cx: point.x, cy: point.y, r: this.radius }),
        ),
      ),
    );
  }

  look(box, isNear) {
    this.element.classList.toggle("mini-needed", isNear);
    for (const [name, value] of Object.entries(box)) this.part.setAttribute(name, `${value}`);
  }
}
