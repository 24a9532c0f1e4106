// The circus around a track: the stands with their crowd, and on the spina turning posts and eggs that count the laps.

import { svg } from "./dom.js";

// How deep the stands are around the track.
export const STANDS = 44;
const CROWD_EVERY = 16;
const EGG_EVERY = 34;

// Stands around a track of this size, with a wall towards it.
export function drawStands({ x, y, width, height }) {
  const ring = (out, kind) => svg("rect", { class: kind, x: x - out, y: y - out, width: width + 2 * out, height: height + 2 * out, rx: height / 2 + out });
  const crowd = svg("pattern", { id: "crowd", width: CROWD_EVERY, height: CROWD_EVERY, patternUnits: "userSpaceOnUse" },
    [["a", 4, 4], ["b", 12, 4], ["c", 4, 12], ["d", 12, 12]].map(([kind, cx, cy]) => svg("circle", { class: `crowd-${kind}`, cx, cy, r: 3 })));
  return svg("g", { "aria-hidden": "true" }, svg("defs", {}, crowd), ring(STANDS, "stands"),
    svg("rect", { fill: "url(#crowd)", x: x - STANDS, y: y - STANDS, width: width + 2 * STANDS, height: height + 2 * STANDS, rx: height / 2 + STANDS }), ring(9, "stands-wall"), ring(0, "arena"));
}

// The three cones at an end of the spina.
export function drawPosts(x, y) {
  return svg("g", { class: "posts", "aria-hidden": "true" }, [[-9, -10], [9, 0], [-9, 10]].map(([dx, dy]) => svg("circle", { cx: x + dx, cy: y + dy, r: 9 })));
}

// An egg for each lap; those of the laps that were run are down.
export function drawEggs(x, y, { laps, run }) {
  const left = x - ((laps - 1) * EGG_EVERY) / 2;
  return svg("g", { class: "eggs", "aria-hidden": "true" },
    Array.from({ length: laps }, (_, lap) => svg("ellipse", { class: lap < run ? "egg egg-down" : "egg", cx: left + lap * EGG_EVERY, cy: y, rx: 10, ry: 14 })));
}
