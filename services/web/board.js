// The common part of every drawn board: a picture that scales, chariots that stay the same elements while they move,
// the way that the last of them went, and movement along the spaces that were really entered.

import { svg } from "./dom.js";
import { Offers } from "./offers.js";

// A space takes this long when a move is shown along its way; a long way is shown faster.
const STEP_MS = 90;
const STEPS_MIN = 3;
const WAY_MS_MAX = 900;
// A whole turn, one chariot after the other, is shown in this time: live is live.
const TURN_MS_MAX = 2_400;

export class Board extends HTMLElement {
  #chariots = new Map();
  #drawn = null;
  picture = null;

  // Draws the ground once, in the box that `draw` gives, and puts every chariot where `shown` has it. `passed` are the lines from the board shown
  // before to this one, if the page went forward; `turn` are those of the turn so far.
  show(shown, { passed, turn }) {
    const ground = this.groundOf(shown.board);
    if (this.#drawn !== ground) {
      this.#drawn = ground;
      this.#chariots.clear();
      const { box, parts } = this.draw(shown.board);
      this.trail = svg("polyline", { class: "trail" });
      this.layer = svg("g", { class: "chariots" });
      this.plan = svg("polyline", { class: "plan" });
      this.picture = svg("svg", { class: "board", role: "img", viewBox: box.join(" ") }, parts, this.trail, this.plan, this.layer);
      this.offers = new Offers(this.picture);
      this.replaceChildren(this.picture);
    }
    this.update(shown.board);
    this.picture.setAttribute("aria-label", this.describe(shown.board));
    this.#place(this.chariotsOf(shown.board), passed);
    this.#drawTrail(this.trailOf(shown.board, turn));
  }

  // Rulesets whose chariots need nothing more than a place and a mark draw no trail.
  trailOf() {
    return null;
  }

  // The way that the player is about to choose, through these points.
  showPlan(points) {
    this.plan?.setAttribute("points", points.map(({ x, y }) => `${x},${y}`).join(" "));
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
      for (const running of element.getAnimations({ subtree: true })) running.cancel();
      if (before && passed.length) moves.push(findMove(chariot, element, { was, wasTurned }, passed));
    }
    for (const key of gone) {
      this.#chariots.get(key).remove();
      this.#chariots.delete(key);
    }
    animate(moves);
  }
}

function findMove({ way, point, turned = 0, scale = 1 }, element, { was, wasTurned }, passed) {
  const [x, y] = was.split(",").map(Number);
  const ways = passed.map((line) => way(line));
  const places = [{ x, y, turned: wasTurned }, ...ways.flat().slice(0, -1), { ...point, turned }];
  return { element, places, scale, order: ways.findIndex((each) => each.length > 0) };
}

// Turns as they are made: over the shorter side, never once around.
function unwind(places) {
  let last = places[0].turned ?? 0;
  return places.map(({ turned = 0 }) => {
    last += ((((turned - last) % 360) + 540) % 360) - 180;
    return last;
  });
}

// One after the other, in the order in which they moved.
function animate(moves) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  moves.sort((one, other) => one.order - other.order);
  const lengths = moves.map(({ places }) => Math.min(WAY_MS_MAX, STEP_MS * Math.max(STEPS_MIN, places.length)));
  const share = Math.min(1, TURN_MS_MAX / lengths.reduce((sum, each) => sum + each, 1));
  let delay = 0;
  moves.forEach(({ element, places, scale }, index) => {
    const frames = places.map((place) => ({ transform: `translate(${place.x}px, ${place.y}px)` }));
    const duration = lengths[index] * share;
    const timing = { duration, delay, easing: "ease-in-out", fill: "backwards" };
    element.animate(frames, timing);
    const turns = unwind(places);
    if (turns.some((turn) => turn !== turns[0])) {
      element.firstElementChild.animate(turns.map((turn) => ({ transform: `rotate(${turn}deg) scale(${scale})` })), timing);
    }
    delay += duration;
  });
}
