// The drawing of a course that is changed by mouse, touch and keys: the ground as the game's board draws it, and a
// handle for each corner, each edge, each obstacle and the line.

import { svg } from "../parts/dom.js";
import { drawGround, STANDS, tellObstacle } from "../rulesets/chariotmaster/ground.js";
import { drawPlan, fromTable, toPlan } from "./shape.js";

// Room around a course, in millimetres.
const MARGIN = STANDS + 40;
// A finger needs so many pixels, whatever the scale is.
const HANDLE_PX = 13;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEP_MM = 10;
const FINE_MM = 1;

export class Stage {
  #box = { x: -600, y: -600, width: 1200, height: 900 };
  /** @type {{ item: any, pointer: number } | null} */
  #drag = null;

  // `pick(item)` chooses a handle, `move(item, point)` puts it elsewhere, `rest()` ends a movement, and
  // `remove(item)` takes it away. An item is {kind, index}: a corner, an edge, an obstacle, or the start.
  constructor({ pick, move, rest, remove }) {
    this.pick = pick;
    this.move = move;
    this.rest = rest;
    this.remove = remove;
    this.ground = svg("g", {});
    this.marks = svg("g", {});
    this.handles = svg("g", {});
    this.element = svg(
      "svg",
      { class: "board course-stage", role: "group", "aria-label": "The course" },
      this.ground,
      this.handles,
      this.marks,
    );
    this.element.addEventListener("pointermove", (event) => this.#onMove(event));
    for (const type of ["pointerup", "pointercancel"])
      this.element.addEventListener(type, (event) => this.#onEnd(event));
  }

  // `shaped` is the course as the rules would lay it, or the fault of a drawing that is none.
  show(sketch, shaped, { chosen, fault }) {
    if (!this.#drag) this.#fit(sketch, shaped);
    this.#showGround(sketch, shaped);
    this.#showHandles(sketch, shaped, chosen);
    this.#showFault(fault);
  }

  #fit(sketch, shaped) {
    const room = sketch.width / 2 + MARGIN;
    const points = shaped.pieces ? outlineOf(sketch, shaped) : sketch.corners;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => -y)];
    this.#box = {
      x: Math.min(...xs) - room,
      y: Math.min(...ys) - room,
      width: Math.max(...xs) - Math.min(...xs) + 2 * room,
      height: Math.max(...ys) - Math.min(...ys) + 2 * room,
    };
    const { x, y, width, height } = this.#box;
    this.element.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }

  #showGround(sketch, shaped) {
    if (!shaped.pieces) {
      const points = sketch.corners.map(({ x, y }) => `${x},${-y}`).join(" ");
      this.ground.removeAttribute("transform");
      this.ground.replaceChildren(svg("polygon", { class: "course-rough", points }));
      return;
    }
    const { x, y, heading } = shaped.frame;
    this.ground.setAttribute("transform", `translate(${x},${-y}) rotate(${-heading})`);
    this.ground.replaceChildren(...drawGround(drawPlan(toPlan(sketch, shaped))).flat(2));
  }

  #showHandles(sketch, shaped, chosen) {
    const focused = document.activeElement?.getAttribute("data-item");
    const size = (HANDLE_PX * this.#box.width) / Math.max(320, this.element.clientWidth || 640);
    const { corners } = sketch;
    const edges = corners.map(({ x, y }, index) => {
      const to = corners[(index + 1) % corners.length];
      return {
        kind: "edge",
        index,
        at: { x: (x + to.x) / 2, y: (y + to.y) / 2 },
        said: `Add a corner after ${index + 1}`,
      };
    });
    const items = [
      ...edges,
      ...corners.map((at, index) => ({ kind: "corner", index, at, said: `Corner ${index + 1}` })),
      ...sketch.obstacles.map((at, index) => ({ kind: "obstacle", index, at, said: tellObstacle(at) })),
      ...(shaped.pieces
        ? [{ kind: "start", index: 0, at: fromTable(shaped.frame, { x: 0, y: 0 }), said: "The line" }]
        : []),
    ];
    this.handles.replaceChildren(...items.map((item) => this.#buildHandle(item, size, isSame(item, chosen))));
    if (focused) /** @type {any} */ (this.handles.querySelector(`[data-item="${focused}"]`))?.focus();
  }

  #buildHandle({ kind, index, at, said }, size, isChosen) {
    const handle = svg(
      "g",
      {
        class: `handle handle-${kind}`,
        role: "button",
        tabindex: "0",
        "data-item": `${kind}-${index}`,
        "aria-label": said,
        "aria-pressed": String(isChosen),
        transform: `translate(${at.x},${-at.y}) scale(${size})`,
      },
      svg("title", {}, said),
      svg("circle", { class: "handle-reach", r: 1.7 }),
      SIGNS[kind](),
    );
    const item = { kind, index };
    handle.addEventListener("pointerdown", (event) => this.#onDown(event, item));
    handle.addEventListener("keydown", (event) => this.#onKey(event, item, at));
    return handle;
  }

  #showFault(fault) {
    const size = (HANDLE_PX * this.#box.width) / Math.max(320, this.element.clientWidth || 640);
    const at = fault?.at;
    this.marks.replaceChildren(
      ...(at
        ? [
            svg(
              "g",
              { class: "course-fault", transform: `translate(${at.x},${-at.y}) scale(${size})` },
              svg("circle", { r: 2.2 }),
              svg("text", { y: 0.55, "text-anchor": "middle", "font-size": 1.8 }, "!"),
            ),
          ]
        : []),
    );
  }

  #onDown(event, item) {
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    const at = this.#pointOf(event);
    this.#drag = { item: this.pick(item, at) ?? item, pointer: event.pointerId };
  }

  #onMove(event) {
    const drag = this.#drag;
    if (drag && drag.pointer === event.pointerId) this.move(drag.item, this.#pointOf(event));
  }

  #onEnd(event) {
    if (this.#drag?.pointer !== event.pointerId) return;
    this.#drag = null;
    this.rest();
  }

  #onKey(event, item, at) {
    const step = event.shiftKey ? FINE_MM : STEP_MM;
    if (event.key in KEYS && item.kind !== "edge") {
      const [dx, dy] = KEYS[event.key];
      this.pick(item, at);
      this.move(item, { x: at.x + dx * step, y: at.y + dy * step });
      this.rest();
    } else if (event.key === "Enter" || event.key === " ") {
      this.pick(item, at);
      this.rest();
    } else if (event.key === "Delete" || event.key === "Backspace") this.remove(item);
    else return;
    event.preventDefault();
  }

  #pointOf({ clientX, clientY }) {
    const matrix = /** @type {any} */ (this.element).getScreenCTM().inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return { x, y: -y };
  }
}

const SIGNS = {
  edge: () => svg("path", { class: "handle-sign", d: "M-0.5,0 H0.5 M0,-0.5 V0.5" }),
  corner: () => svg("circle", { class: "handle-sign", r: 0.7 }),
  obstacle: () => svg("rect", { class: "handle-sign", x: -0.6, y: -0.6, width: 1.2, height: 1.2 }),
  start: () => svg("path", { class: "handle-sign", d: "M-0.3,1 V-1 L0.9,-0.55 L-0.3,-0.1" }),
};

function isSame(one, other) {
  return one.kind === other?.kind && one.index === other?.index;
}

function outlineOf(sketch, { pieces, frame }) {
  const drawn = drawPlan(toPlan(sketch, { pieces, frame })).pieces;
  const starts = drawn.map(({ starts: { middle } }) => ({ x: middle.x_um / 1000, y: middle.y_um / 1000 }));
  return [...starts.map((at) => fromTable(frame, at)), ...sketch.corners.map(({ x, y }) => ({ x, y }))];
}
