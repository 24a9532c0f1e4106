// Marks of a player on the table: the lanes that are free, a ghost of the base where a step ends, and handles to drag.
// The pointer moves them; the panel has the same controls for the keyboard.

import { svg } from "../../parts/dom.js";
import { findEdges, goWay, measureWays, pivot, placeHinge } from "./base.js";
import { toMm, toPlace, toPoint } from "./course.js";

const HANDLE_MM = 22;
const TICK_MM = 10;
// The part of the table that a driver sees from close, at least; a narrow page has the height for a nearer view.
const CLOSE = { width: 420, height: 236 };
const NEAR = { width: 300, height: 250 };
const NARROW_PX = 600;
const MARGIN_MM = 45;
const HINGES = ["centre", "front_left", "front_right", "rear_left", "rear_right"];

// The view from close stays chosen from one decision to the next.
let isClose = true;

export class TableMarks {
  #drag = null;

  // Null for a chariot that has nothing on the table yet.
  static of(board, view, chariot) {
    const piece = view.pieces.find((each) => each.piece === chariot);
    return piece ? new TableMarks(board, piece) : null;
  }

  // `onWay(way, um)`, `onTurn(degrees)` and `onHinge(hinge)` describe where the pointer drags the ghost.
  constructor(board, piece, { onWay = null, onTurn = null, onHinge = null } = {}) {
    this.board = board;
    this.piece = piece;
    this.pose = piece.pose;
    this.edges = findEdges(piece);
    this.onWay = onWay;
    this.onTurn = onTurn;
    this.onHinge = onHinge;
    this.picture = board.picture;
    this.lanes = svg("g", { class: "lanes" });
    this.ghost = svg("g", { class: "ghost" });
    this.handles = svg("g", { class: "handles" });
    this.layer = svg("g", { class: "driving", "aria-hidden": "true" }, this.lanes, this.ghost, this.handles);
    board.layer.after(this.layer);
    this.layer.addEventListener("pointerdown", (event) => this.#onDown(event));
    this.layer.addEventListener("pointermove", (event) => this.#onMove(event));
    for (const type of ["pointerup", "pointercancel"])
      this.layer.addEventListener(type, () => {
        this.#drag = null;
      });
    this.show(this.pose);
  }

  get isClose() {
    return isClose;
  }

  changeView() {
    isClose = !isClose;
    this.#look();
  }

  // Brings the chariot and the end of a way into sight; not under a pointer, which the picture would run away from.
  show(end) {
    if (this.#drag) return;
    this.seen = [this.pose, end];
    this.#look();
  }

  close() {
    this.layer.remove();
    this.board.see();
  }

  // `lanes` are {way, low_um, high_um, contact_um}: long enough from the first to the second, and something to touch at
  // the last.
  showLanes(lanes) {
    const { x, y, turned } = toPlace(this.pose);
    this.lanes.setAttribute("transform", `translate(${x},${y}) rotate(${turned})`);
    this.lanes.replaceChildren(...lanes.map((lane) => this.#drawLane(lane)));
    if (lanes.length) this.show(goWay(this.pose, lanes[0].way, lanes[0].high_um));
  }

  // The base at the end of a way, `landing`, and turned there about a hinge to both sides as far as `reach`, or not at
  // all.
  showGhost(landing, { hinge = "centre", degrees = 0, reach = 0 } = {}) {
    this.landing = landing;
    this.hinge = hinge;
    const end = pivot(landing, this.edges, hinge, degrees);
    const { x, y, turned } = toPlace(end);
    this.ghost.setAttribute("transform", `translate(${x},${y}) rotate(${turned})`);
    this.ghost.replaceChildren(this.#outline("ghost-base"), svg("path", { class: "ghost-nose", d: this.#drawNose() }));
    this.handles.replaceChildren(...(reach ? this.#drawHandles(landing, end) : []));
  }

  hideGhost() {
    this.ghost.replaceChildren();
    this.handles.replaceChildren();
  }

  // A rectangle around a part of a piece, for a place to choose.
  static outline({ x_um: x, y_um: y, heading, length_um: length, width_um: width }) {
    const at = toPlace({ x_um: x, y_um: y, heading });
    const [long, wide] = [toMm(length), toMm(width)];
    return svg("rect", {
      x: -long / 2,
      y: -wide / 2,
      width: long,
      height: wide,
      rx: 2,
      transform: `translate(${at.x},${at.y}) rotate(${at.turned})`,
    });
  }

  #outline(name) {
    const { front, rear, left, right } = this.edges;
    return svg("rect", {
      class: name,
      x: toMm(rear),
      y: -toMm(left),
      width: toMm(front - rear),
      height: toMm(left - right),
      rx: 2,
    });
  }

  #drawNose() {
    const [front, half] = [toMm(this.edges.front), toMm(this.edges.left)];
    return `M${front - half},${-half} L${front},0 L${front - half},${half}`;
  }

  // Around the chariot's own reference point, facing along the x axis: its left is up.
  #drawLane({ way, low_um: low, high_um: high, contact_um: contact }) {
    const [front, rear, left, right] = ["front", "rear", "left", "right"].map((each) => toMm(this.edges[each]));
    const box = (from, to) =>
      ({
        ahead: `M${front + from},${-left} H${front + to} V${-right} H${front + from} Z`,
        left: `M${rear},${-left - from} V${-left - to} H${front} V${-left - from} Z`,
        right: `M${rear},${-right + from} V${-right + to} H${front} V${-right + from} Z`,
      })[way];
    const drawn = svg(
      "g",
      { class: `lane lane-${way}` },
      high
        ? [
            svg("path", { class: "lane-all", d: box(0, toMm(high)) }),
            high > low ? svg("path", { class: "lane-free", d: box(toMm(low), toMm(high)) }) : null,
            Array.from({ length: Math.floor(toMm(high) / TICK_MM) }, (_, place) =>
              svg("path", { class: "lane-tick", d: box((place + 1) * TICK_MM, (place + 1) * TICK_MM) }),
            ),
          ]
        : null,
      contact === undefined || contact === null
        ? null
        : svg("path", { class: "lane-contact", d: box(toMm(contact), toMm(contact)) }),
    );
    drawn.dataset.drag = "way";
    return drawn;
  }

  #drawHandles(landing, end) {
    const knob = toPoint(this.#findKnob(end));
    const middle = toPoint(placeHinge(end, this.edges, this.hinge));
    const dots = HINGES.map((hinge) => {
      const { x, y } = toPoint(placeHinge(landing, this.edges, hinge));
      const dot = svg("circle", { class: hinge === this.hinge ? "hinge hinge-chosen" : "hinge", cx: x, cy: y, r: 3 });
      Object.assign(dot.dataset, { drag: "hinge", hinge });
      return dot;
    });
    const turn = svg("circle", { class: "knob", cx: knob.x, cy: knob.y, r: 7 });
    turn.dataset.drag = "turn";
    return [svg("path", { class: "knob-arm", d: `M${middle.x},${middle.y} L${knob.x},${knob.y}` }), ...dots, turn];
  }

  // In front of the base, on its middle line.
  #findKnob(pose) {
    const angle = (pose.heading * Math.PI) / 180;
    const ahead = this.edges.front + HANDLE_MM * 1000;
    return { x_um: pose.x_um + ahead * Math.cos(angle), y_um: pose.y_um + ahead * Math.sin(angle) };
  }

  #onDown(event) {
    const grasped = event.target.closest("[data-drag]");
    if (!grasped) return;
    event.preventDefault();
    if (grasped.dataset.drag === "hinge") {
      this.onHinge?.(grasped.dataset.hinge);
      return;
    }
    this.#drag = grasped.dataset.drag;
    this.layer.setPointerCapture(event.pointerId);
    this.#onMove(event);
  }

  #onMove(event) {
    if (!this.#drag) return;
    const point = this.#findPoint(event);
    if (this.#drag === "turn") this.onTurn?.(this.#measureTurn(point));
    else {
      const [way, um] = Object.entries(measureWays(this.pose, point)).reduce((best, each) =>
        each[1] > best[1] ? each : best,
      );
      this.onWay?.(way, um);
    }
  }

  #measureTurn(point) {
    const middle = placeHinge(this.landing, this.edges, this.hinge);
    const angleOf = ({ x_um: x, y_um: y }) => (Math.atan2(y - middle.y_um, x - middle.x_um) * 180) / Math.PI;
    const turned = angleOf(point) - angleOf(this.#findKnob(this.landing));
    return Math.round(((turned + 540) % 360) - 180);
  }

  // Where the pointer is on the table, whose y axis points up.
  #findPoint({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.picture.getScreenCTM().inverse());
    return { x_um: x * 1000, y_um: -y * 1000 };
  }

  #look() {
    const size = this.picture.clientWidth < NARROW_PX ? NEAR : CLOSE;
    const points = this.seen.map(toPoint);
    const fit = (axis) => [
      Math.min(...points.map((each) => each[axis])),
      Math.max(...points.map((each) => each[axis])),
    ];
    const [[west, east], [north, south]] = [fit("x"), fit("y")];
    const scale = Math.max(
      1,
      (east - west + 2 * MARGIN_MM) / size.width,
      (south - north + 2 * MARGIN_MM) / size.height,
    );
    const [width, height] = [size.width * scale, size.height * scale];
    if (isClose) this.board.see({ x: (west + east - width) / 2, y: (north + south - height) / 2, width, height });
    else this.board.see();
  }
}
