// The part of a board in sight: all of it, the part that a decision is about on a narrow page, or the part that the
// reader's fingers choose. Two fingers zoom, one moves a zoomed board; a button goes near and back. The reader's choice
// holds until then.

import { button, svg } from "../parts/dom.js";
import { isStill } from "./motion.js";

const GLIDE_MS = 280;
const NARROW_PX = 600;
// The nearest view, as a share of the board's width, and the one that the button goes to.
const NEAREST = 0.15;
const NEAR = 0.42;
// Room around the points in sight, as a share of the view.
const MARGIN = 0.12;
// A chariot so near to the edge of the view moves the view on.
const EDGE = 0.06;
const SIGNS = {
  near: "M7,7 m-5,0 a5,5 0 1,0 10,0 a5,5 0 1,0 -10,0 M11,11 L15,15 M7,4.5 V9.5 M4.5,7 H9.5",
  whole: "M2,6 V2 H6 M10,2 H14 V6 M14,10 V14 H10 M6,14 H2 V10",
};

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {{ x: number, y: number }} Point */

export class Camera {
  /** @type {Map<number, Point>} */
  #pointers = new Map();
  #isByHand = false;
  /** @type {Box | null} */
  #aimed = null;
  /** @type {Box | null} */
  #followed = null;
  /** @type {Box | null} */
  #target = null;
  #glide = 0;
  /** @type {{ middle: Point, span: number, held: DOMPoint, width: number } | null} */
  #grip = null;

  // `onSee(box, isResting)` shows a part of the board; `findHome()` is the point of the viewer's own chariot, or of the
  // first.
  constructor({ onSee, findHome }) {
    this.onSee = onSee;
    this.findHome = findHome;
    this.sign = svg("path", {});
    this.button = button("", () => this.#toggle(), { class: "camera" });
    this.button.append(svg("svg", { class: "sign", viewBox: "0 0 16 16", "aria-hidden": "true" }, this.sign));
    this.#tellButton();
  }

  // A picture that is drawn anew has its own edges.
  attach(picture, whole) {
    this.picture = picture;
    this.whole = whole;
    this.seen = whole;
    this.#isByHand = false;
    this.#followed = null;
    this.#target = whole;
    const on = (type, act) => picture.addEventListener(type, act);
    on("pointerdown", (event) => this.#onDown(event));
    on("pointermove", (event) => this.#onMove(event));
    for (const type of ["pointerup", "pointercancel", "pointerleave"]) on(type, (event) => this.#onUp(event));
    picture.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
    this.#tellButton();
  }

  get isNarrow() {
    return this.picture.clientWidth > 0 && this.picture.clientWidth < NARROW_PX;
  }

  // Brings a box into sight; null is what the board follows, or all of it.
  aim(box) {
    this.#aimed = box;
    if (!this.#isByHand) this.#goTo(box ?? this.#followed ?? this.whole);
  }

  // Follows the chariots at these points while nothing else is asked for. A part that shows them all stays.
  follow(points) {
    const isShown = this.#followed && points.every((point) => isInside(point, this.#followed));
    if (!points.length) this.#followed = null;
    else if (!isShown) this.#followed = this.#frame(points);
    if (!this.#isByHand && !this.#aimed) this.#goTo(this.#followed ?? this.whole);
  }

  // The points that a decision is about come into sight, where a narrow page would show them too small.
  aimAt(points) {
    if (!points.length || !this.isNarrow) {
      if (this.#aimed) this.aim(null);
      return;
    }
    this.aim(this.#frame(points));
  }

  #frame(points) {
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const ratio = this.whole.height / this.whole.width;
    const needed = Math.max(east - west, (south - north) / ratio) * (1 + 2 * MARGIN) + this.whole.width * MARGIN;
    const width = Math.min(this.whole.width, Math.max(this.whole.width * NEAR, needed));
    return this.#keepInside({ x: (west + east - width) / 2, y: (north + south - width * ratio) / 2, width });
  }

  #keepInside({ x, y, width }) {
    const height = (width * this.whole.height) / this.whole.width;
    const { x: left, y: top, width: all, height: high } = this.whole;
    return {
      x: Math.min(Math.max(x, left), left + all - width),
      y: Math.min(Math.max(y, top), top + high - height),
      width,
      height,
    };
  }

  #toggle() {
    const { isNear } = this;
    const part = [this.#aimed, this.#followed].find((box) => box && this.#isPart(box));
    this.#isByHand = isNear === Boolean(part);
    const home = this.findHome();
    if (isNear) this.#goTo(this.whole);
    else if (part) this.#goTo(part);
    else if (home) this.#goTo(this.#frame([home]));
    this.#tellButton();
  }

  get isNear() {
    return this.seen !== undefined && this.#isPart(this.seen);
  }

  #isPart({ width }) {
    return width < this.whole.width * 0.98;
  }

  #tellButton() {
    const { isNear } = this;
    const said = isNear ? "The whole board" : "Closer";
    this.sign.setAttribute("d", SIGNS[isNear ? "whole" : "near"]);
    this.button.setAttribute("aria-label", said);
    this.button.title = said;
    this.picture?.classList.toggle("board-near", isNear && this.#isByHand);
  }

  #onDown(event) {
    if (event.pointerType !== "touch") return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#grip = this.#measureGrip();
  }

  // Where the fingers are, and which point of the board they hold.
  #measureGrip() {
    const fingers = [...this.#pointers.values()];
    const middle = {
      x: fingers.reduce((sum, each) => sum + each.x, 0) / fingers.length,
      y: fingers.reduce((sum, each) => sum + each.y, 0) / fingers.length,
    };
    const span = fingers.length > 1 ? Math.hypot(fingers[0].x - fingers[1].x, fingers[0].y - fingers[1].y) : 0;
    return { middle, span, held: this.#toBoard(middle), width: this.seen.width };
  }

  #toBoard({ x, y }) {
    return new DOMPoint(x, y).matrixTransform(this.picture.getScreenCTM().inverse());
  }

  #onMove(event) {
    if (!this.#pointers.has(event.pointerId)) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const isPinch = this.#pointers.size > 1;
    if (!isPinch && !(this.#isByHand && this.isNear)) return;
    event.preventDefault();
    const now = this.#measureGrip();
    const { span, held, width } = this.#grip ?? now;
    this.#zoomTo(isPinch ? (width * span) / Math.max(now.span, 1) : width, held, now.middle);
  }

  #onUp(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    this.#grip = this.#pointers.size ? this.#measureGrip() : null;
    if (!this.#grip) this.onSee(this.seen, true);
  }

  // A touchpad's pinch comes as a wheel with the control key.
  #onWheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    this.#zoomTo(this.seen.width * Math.exp(event.deltaY / 200), this.#toBoard(at), at);
  }

  // So wide a part of the board that the held point stays under the fingers.
  #zoomTo(wanted, held, point) {
    cancelAnimationFrame(this.#glide);
    this.#target = null;
    const width = Math.min(this.whole.width, Math.max(this.whole.width * NEAREST, wanted));
    const at = this.#toBoard(point);
    const scale = width / this.seen.width;
    this.#isByHand = width < this.whole.width;
    const place = { x: held.x - (at.x - this.seen.x) * scale, y: held.y - (at.y - this.seen.y) * scale };
    this.#see(this.#keepInside({ ...place, width }), false);
    this.#tellButton();
  }

  #goTo(box) {
    if (box === this.#target) return;
    this.#target = box;
    cancelAnimationFrame(this.#glide);
    const from = this.seen;
    if (isStill()) {
      this.#see(box, true);
      this.#tellButton();
      return;
    }
    const begun = performance.now();
    const step = (now) => {
      const share = Math.min(1, (now - begun) / GLIDE_MS);
      const eased = 1 - (1 - share) ** 3;
      const between = (name) => from[name] + (box[name] - from[name]) * eased;
      this.#see({ x: between("x"), y: between("y"), width: between("width"), height: between("height") }, share === 1);
      if (share < 1) this.#glide = requestAnimationFrame(step);
      else this.#tellButton();
    };
    this.#glide = requestAnimationFrame(step);
  }

  #see(box, isResting) {
    this.seen = box;
    this.onSee(box, isResting);
  }
}

// Not at the very edge.
function isInside({ x, y }, box) {
  const [across, down] = [box.width * EDGE, box.height * EDGE];
  return x >= box.x + across && x <= box.x + box.width - across && y >= box.y + down && y <= box.y + box.height - down;
}
