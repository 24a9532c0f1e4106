// The track of Chariot Race: three lanes with their limits, heaps of stones, caltrops, and the chariots.

import { Board } from "../../board/board.js";
import { drawChariot } from "../../board/chariot.js";
import { drawRuts, drawSpina, drawStands, outlineRing, outlineStadium, STANDS } from "../../board/circus.js";
import { svg } from "../../parts/dom.js";
import { chariotName, fullName } from "../../parts/names.js";
import { capital } from "../../parts/words.js";
import { drawFace } from "./dice.js";
import { tellOwner } from "./displays.js";
import { LANE_WIDTH, Oval } from "./oval.js";

const MARGIN = STANDS + 4;
const SPINA = { length: 640, width: 50 };
// Wheels have left ruts so far across each lane.
const RUTS = [0.3, 0.7];
// A chariot fills its space.
const SCALE = 1.3;
const LENGTH = 60;

// The effects of an event on a chariot of the board.
const lose = (on, points) => (points ? [{ on, said: `−${points}`, kind: "loss" }] : []);
const EFFECTS = {
  chariot_repaired: ({ chariot, repaired }) => [{ on: chariot, said: `+${repaired}`, kind: "gain" }],
  dice_settled: ({ chariot, faces }) => [{ on: chariot, kind: "dice", dice: faces.map(drawFace) }],
  speed_set: ({ chariot, speed, damage }) => [
    { on: chariot, said: `speed ${speed}`, kind: "plain" },
    ...lose(chariot, damage),
  ],
  corner_taken: ({ chariot, damage }) => lose(chariot, damage),
  caltrop_hit: ({ chariot, damage }) => lose(chariot, damage),
  chariot_rammed: ({ chariot, rammed, damage, rammed_damage: other }) => [
    ...lose(chariot, damage),
    { on: rammed, said: other ? `−${other}` : "rammed", kind: "loss" },
  ],
  javelin_thrown: ({ chariot, target, damage }) => [{ on: target, from: chariot, said: `−${damage}`, kind: "loss" }],
  lap_completed: ({ chariot, laps }) => [{ on: chariot, said: `lap ${laps}`, kind: "gain" }],
};

export class ChariotRaceBoard extends Board {
  #oval = null;
  #spaces = new Map();

  groundOf(view) {
    return JSON.stringify([
      view.track.lap_units,
      view.track.lanes.map((lane) => lane.spaces.map((each) => each.has_heap)),
    ]);
  }

  draw(view) {
    const { track } = view;
    const oval = new Oval(track);
    this.#oval = oval;
    track.lanes.forEach((lane, across) => {
      for (const space of lane.spaces) this.#spaces.set(space.name, { ...space, across });
    });
    const box = oval.box(track.lanes.length);
    const [inner, outer] = [oval.point(0, 0), oval.point(0, track.lanes.length)];
    this.caltrops = svg("g");
    this.infield = svg("g", { class: "infield" });
    this.centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    return {
      box: [box.x - MARGIN, box.y - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN],
      outline: outlineRing(box, track.lanes.length * LANE_WIDTH),
      parts: [
        drawStands(outlineStadium(box)),
        track.lanes.map((lane, across) => lane.spaces.map((space) => this.#drawSpace(space, across))),
        drawRuts(
          track.lanes.flatMap((_, lane) => RUTS.map((share) => outlineStadium(box, (lane + share) * LANE_WIDTH))),
        ),
        track.grid.map((name, index) => this.#drawGridPlace(name, index + 1)),
        svg("path", { class: "line", d: `M${inner.x},${inner.y} L${outer.x},${outer.y}` }),
        this.infield,
        this.caltrops,
      ],
    };
  }

  update(view) {
    this.caltrops.replaceChildren(...view.caltrops.map((name) => this.#drawCaltrop(name)));
    const { x, y } = this.centre;
    const driven = view.chariots.find((each) => each.colour === view.turn?.chariot);
    const turn = driven ? `${chariotName(driven.colour)} drives` : "";
    const run = Math.min(view.laps, Math.max(0, ...view.chariots.map((each) => each.laps)));
    this.infield.replaceChildren(
      drawSpina({ x, y, ...SPINA }, { laps: view.laps, run, turn: view.round }),
      svg("text", { x, y: y - 38, class: "infield-large", "text-anchor": "middle" }, `Round ${view.round}`),
      svg("text", { x, y: y + 62, class: "infield-small", "text-anchor": "middle" }, turn || `${view.laps} laps`),
    );
  }

  describe(view) {
    const places = view.chariots
      .filter((chariot) => chariot.space)
      .sort((one, other) => other.front - one.front)
      .map((chariot) => `${chariot.colour} on ${chariot.space}`);
    const caltrops = view.caltrops.length ? ` Caltrops on ${view.caltrops.join(", ")}.` : "";
    return (
      `The track, round ${view.round} of a race over ${view.laps} laps. From the front: ` +
      `${places.join(", ")}.${caltrops}`
    );
  }

  chariotsOf(view) {
    return view.chariots
      .filter((chariot) => chariot.space)
      .map(({ colour, seat, space }) => ({
        key: colour,
        seat,
        name: tellOwner({ colour, seat }, view.chariots),
        colour,
        radius: (SCALE * LENGTH) / 2,
        mark: () => drawChariot(colour, `${capital(colour)}, ${fullName(seat)}`),
        point: this.middleOf(space),
        turned: this.middleOf(space).turned,
        scale: SCALE,
        said: space,
        way: ({ data }) => (data.chariot === colour ? (data.path ?? []) : []).map((name) => this.middleOf(name)),
      }));
  }

  // The way of the active chariot, or of the last active one, as far as it has come.
  trailOf(_view, turn) {
    const begins = turn.findLastIndex((line) => line.type === "turn_began");
    if (begins < 0) return null;
    const { chariot } = turn[begins].data;
    const way = turn.slice(begins).filter((line) => line.type === "chariot_moved" && line.data.chariot === chariot);
    return { colour: chariot, points: way.flatMap((line) => line.data.path).map((name) => this.middleOf(name)) };
  }

  effectsOf({ type, data }) {
    return EFFECTS[type]?.(data) ?? [];
  }

  // A space as a place that may be chosen, with a word on it.
  outlineOf(name, word) {
    const { start_units: start, end_units: end, across } = this.#spaces.get(name);
    const points = this.#oval
      .outline(start, end, across)
      .map((each) => `${each.x},${each.y}`)
      .join(" ");
    const { x, y } = this.middleOf(name);
    return [svg("polygon", { points }), svg("text", { x, y: y + 10, "text-anchor": "middle" }, word)];
  }

  // The middle of a space, and the heading of the track there in degrees.
  middleOf(name) {
    const { start_units: start, end_units: end, across } = this.#spaces.get(name);
    const [behind, middle, ahead] = [-1, 0, 1].map((units) =>
      this.#oval.point((start + end) / 2 + units, across + 0.5),
    );
    return { ...middle, turned: (Math.atan2(ahead.y - behind.y, ahead.x - behind.x) * 180) / Math.PI };
  }

  #drawSpace(space, across) {
    const outline = this.#oval.outline(space.start_units, space.end_units, across);
    const { x, y } = this.middleOf(space.name);
    const said = [space.name, space.limit && `limit ${space.limit}`, space.has_heap && "heap of stones"].filter(
      Boolean,
    );
    return svg(
      "g",
      {
        "data-tip": ["space", space.limit && "limit", space.has_heap && "heap"].filter(Boolean).join(" "),
        "data-head": said.join(", "),
      },
      svg("polygon", {
        class: space.limit ? "space space-limit" : "space space-regular",
        points: outline.map((each) => `${each.x},${each.y}`).join(" "),
      }),
      space.limit ? svg("text", { x, y: y + 9, class: "limit", "text-anchor": "middle" }, `${space.limit}`) : null,
      space.has_heap ? svg("path", { class: "heap", d: `M${x - 22},${y + 14} l12,-20 8,10 8,-18 16,28 z` }) : null,
    );
  }

  #drawGridPlace(name, place) {
    const { x, y } = this.middleOf(name);
    return svg("text", { x, y: y + 7, class: "grid-place", "text-anchor": "middle", "data-tip": "grid" }, `${place}`);
  }

  #drawCaltrop(name) {
    const { x, y } = this.middleOf(name);
    return svg(
      "g",
      { class: "caltrop", "data-tip": "caltrop", "data-head": `Caltrop on ${name}` },
      svg("path", { d: `M${x},${y} v-15 M${x},${y} l-13,10 M${x},${y} l13,10 M${x},${y} l8,-5` }),
    );
  }
}

customElements.define("chariot-race-board", ChariotRaceBoard);
