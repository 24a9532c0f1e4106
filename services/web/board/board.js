// The common part of every drawn board: a picture that scales, chariots that stay the same elements while they move,
// the way that the last of them went, and movement along the spaces that were really entered.

import { svg } from "../parts/dom.js";
import { Camera } from "./camera.js";
import { showEffects } from "./effects.js";
import { MiniMap } from "./mini_map.js";
import { drawLabel, placeLabels } from "./labels.js";
import { breakUp, drive } from "./motion.js";
import { Offers } from "./offers.js";

// Names are as large as the board is wide, in hundredths.
const LABEL_SIZE = 1.7;
const EFFECT_SIZE = 2.4;
// Before the ground is drawn.
const NO_BOX = { x: 0, y: 0, width: 0, height: 0 };
// After a jump the events on the way are not shown.
const HAPPENINGS_MAX = 12;

/**
 * A board of a ruleset has its own.
 * @param {string} method
 * @returns {never}
 */
function unwritten(method) {
  throw new TypeError(`expected ${method} of a ruleset's board, found none`);
}

/** @abstract */
export class Board extends HTMLElement {
  #chariots = new Map();
  /** @type {any} */
  #drawn = null;
  #box = NO_BOX;
  #seen = NO_BOX;
  /** @type {number | undefined} */
  #own = undefined;
  /** @type {any[]} */
  #placed = [];
  // The seat whose chariots stay in sight, or null.
  /** @type {number | null} */
  followed = null;
  /** @type {(Animation & { effect: KeyframeEffect })[]} */
  #moving = [];
  /** @type {number | null} */
  #labelling = null;
  picture = svg("svg");
  /** @type {MiniMap | null} */
  map = null;
  camera = new Camera({
    onSee: (box, isResting) => this.#look(box, isResting),
    findHome: () => this.#findHome(),
  });

  connectedCallback() {
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    this.addEventListener("pointerdown", () => this.#skip(), { signal });
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.#skip(), { signal });
  }

  disconnectedCallback() {
    this.leaving?.abort();
  }

  // A movement that is shown is at its end.
  #skip() {
    for (const each of this.#moving.splice(0)) each.finish();
  }

  // Draws the ground once, in the box that `draw` gives, and puts every chariot where `shown` has it. `passed` are the
  // lines from the board shown before to this one, if the page went forward; `turn` are those of the turn so far.
  show(shown, { passed, turn }) {
    const ground = this.groundOf(shown.board);
    if (this.#drawn !== ground) {
      this.#drawn = ground;
      this.#chariots.clear();
      const { box, parts, outline } = this.draw(shown.board);
      this.trail = svg("polyline", { class: "trail" });
      this.#box = { x: box[0], y: box[1], width: box[2], height: box[3] };
      this.#seen = this.#box;
      this.lost = svg("g", { class: "lost", "aria-hidden": "true" });
      this.layer = svg("g", { class: "chariots" });
      this.plan = svg("polyline", { class: "plan" });
      this.happenings = svg("g", { class: "happenings" });
      this.picture = svg(
        "svg",
        { class: "board", role: "img", viewBox: box.join(" ") },
        parts,
        this.trail,
        this.plan,
        this.lost,
        this.layer,
        this.happenings,
      );
      this.offers = new Offers(this.picture, (points) => this.#aimAtOffers(points));
      this.map = outline ? new MiniMap(outline, this.#box) : null;
      this.replaceChildren(this.picture, ...(this.map ? [this.map.element] : []), this.camera.button);
      this.camera.attach(this.picture, this.#box);
    }
    this.#own = shown.your_seat;
    this.update(shown.board);
    this.picture.setAttribute("aria-label", this.describe(shown.board));
    this.#place(this.chariotsOf(shown.board), passed);
    this.#drawTrail(this.trailOf(shown.board, turn));
    const followed = this.#placed.filter(({ seat }) => seat !== undefined && seat === this.followed);
    this.camera.follow(followed.length ? followed.map(({ point }) => point) : this.sightOf(shown, turn));
    if (passed.length <= HAPPENINGS_MAX) this.#happen(passed, shown.board);
  }

  // The ground is drawn again where this is another value than before.
  /** @returns {any} */
  groundOf(_view) {
    return unwritten("groundOf");
  }

  /** @returns {{ box: number[], parts: SVGElement[], outline?: string }} */
  draw(_view) {
    return unwritten("draw");
  }

  // What moves on the ground besides the chariots.
  /** @returns {void} */
  update(_view) {
    return unwritten("update");
  }

  // The board in a sentence, for a viewer who does not see it.
  /** @returns {string} */
  describe(_view) {
    return unwritten("describe");
  }

  // Every chariot, with its key, its place and its mark.
  /** @returns {any[]} */
  chariotsOf(_view) {
    return unwritten("chariotsOf");
  }

  /**
   * The effects of an event on chariots, by their keys: [{on, from, said, kind, dice}].
   * @returns {any[]}
   */
  effectsOf(_line, _view) {
    return [];
  }

  #happen(lines, view) {
    const points = new Map(this.#placed.map(({ key, point }) => [key, point]));
    const effects = lines
      .flatMap((line) => this.effectsOf(line, view))
      .map(({ on, from, ...effect }) => ({ ...effect, at: points.get(on), from: points.get(from) }));
    showEffects(
      this.happenings,
      effects.filter(({ at }) => at),
      (this.#seen.width * EFFECT_SIZE) / 100,
    );
  }

  // Rulesets whose chariots need nothing more than a place and a mark draw no trail.
  trailOf(_view, _turn) {
    return null;
  }

  /**
   * The points that the race is about now, where the whole board would show its chariots too small.
   * @returns {{x: number, y: number}[]}
   */
  sightOf(_shown, _turn) {
    return [];
  }

  // The way that the player is about to choose, through these points.
  showPlan(points) {
    this.plan?.setAttribute("points", points.map(({ x, y }) => `${x},${y}`).join(" "));
    if (this.plan && !this.offers?.isOpen) this.camera.aimAt(points);
  }

  #drawTrail(trail) {
    this.trail.setAttribute("points", trail ? trail.points.map(({ x, y }) => `${x},${y}`).join(" ") : "");
    this.trail.setAttribute("class", trail ? `trail trail-${trail.colour}` : "trail");
  }

  #place(chariots, passed) {
    const gone = new Set(this.#chariots.keys());
    const moves = [];
    for (const chariot of chariots) {
      const { key, mark, point, scale = 1, turned = 0, said = "" } = chariot;
      gone.delete(key);
      const before = this.#chariots.get(key);
      const element = before ?? this.layer.appendChild(mark());
      if (!before) element.append(drawLabel());
      this.#chariots.set(key, element);
      const [was, at] = [element.dataset.at, `${point.x},${point.y}`];
      const wasTurned = Number(element.dataset.turned ?? turned);
      element.firstElementChild.setAttribute("transform", `rotate(${turned}) scale(${scale})`);
      element.querySelector(".upright")?.setAttribute("transform", `rotate(${-turned})`);
      element.dataset.turned = turned;
      element.dataset.chariot = key;
      element.dataset.at = at;
      element.dataset.said = said;
      element.setAttribute("transform", `translate(${at})`);
      if (was === at && wasTurned === turned) continue;
      for (const running of this.#moving) if (element.contains(running.effect.target)) running.cancel();
      element.classList.remove("running");
      if (before && passed.length) moves.push(findMove(chariot, element, { was, wasTurned }, passed));
    }
    const broken = [...gone].flatMap((key) => this.#takeAway(key, passed));
    this.#placed = chariots;
    this.map?.place(chariots);
    this.#label();
    const others = this.#moving.filter(({ playState }) => playState !== "finished" && playState !== "idle");
    this.#moving = [...others, ...drive(moves), ...broken];
  }

  // After a jump a chariot that is out is gone; on the way there it breaks before the reader's eyes.
  #takeAway(key, passed) {
    const element = this.#chariots.get(key);
    this.#chariots.delete(key);
    if (!passed.length) {
      element.remove();
      return [];
    }
    element.lastElementChild.remove();
    this.lost.append(element);
    return breakUp(element);
  }

  // Shows a part of the board, or all of it, where the reader has chosen no other.
  see(box = null) {
    this.camera.aim(box);
  }

  // Names stay as large as they are on the whole board, beside what is in sight.
  #look(box, isResting) {
    this.#seen = box;
    const { x, y, width, height } = box;
    this.picture.setAttribute("viewBox", [x, y, width, height].join(" "));
    this.map?.look(box, this.camera.isNear);
    if (isResting) this.#label();
  }

  #aimAtOffers(points) {
    const home = this.#findHome();
    this.camera.aimAt(points.length && home ? [...points, home] : points);
  }

  // The viewer's own chariot, else the first one.
  #findHome() {
    return (this.#placed.find(({ seat }) => seat !== undefined && seat === this.#own) ?? this.#placed[0])?.point;
  }

  // Reading the boxes of inscriptions lays out the page, so names are placed once a frame.
  #label() {
    this.#labelling ??= requestAnimationFrame(() => {
      this.#labelling = null;
      this.#placeNames();
    });
  }

  #placeNames() {
    const { x, y, width, height } = this.#seen;
    const named = this.#placed
      .filter((each) => each.name)
      .map(({ key, name, colour, point, radius }) => ({
        label: this.#chariots.get(key).lastElementChild,
        text: name,
        colour,
        ...point,
        radius,
      }));
    const isSeen = (at) => at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
    const size = (width * LABEL_SIZE) / 100;
    const inscriptions = [...this.picture.querySelectorAll(".infield text")].map(findBox);
    placeLabels(named.filter(isSeen), this.#seen, size, inscriptions);
    placeLabels(
      named.filter((each) => !isSeen(each)),
      this.#box,
      size,
      inscriptions,
    );
  }
}

// By its middle, as the boxes of names.
function findBox(element) {
  const { x, y, width, height } = element.getBBox();
  return { x: x + width / 2, y: y + height / 2, width, height };
}

function findMove({ way, point, turned = 0, scale = 1 }, element, { was, wasTurned }, passed) {
  const [x, y] = was.split(",").map(Number);
  const ways = passed.map((line) => way(line));
  const places = [{ x, y, turned: wasTurned }, ...ways.flat().slice(0, -1), { ...point, turned }];
  return { element, places, scale, order: ways.findIndex((each) => each.length > 0) };
}
