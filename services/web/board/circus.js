// The circus around a track: stands with their crowd, sand with ruts, and the spina, whose eggs count laps and whose
// dolphins count turns. Outlines are paths, so that a track of any shape has its circus.

import { svg } from "../parts/dom.js";

// How deep the stands are around the track.
export const STANDS = 44;
const CROWD_EVERY = 16;
// Seven dolphins, as in Rome: each turn one more dives, and after seven all are up again.
const DOLPHINS = 7;
const DOLPHIN = "M-9,3 Q-4,-6 4,-3 Q8,-1.5 10,2 Q5,0.5 1,2 Q-4,4 -6,3 L-11,7 L-10,2 L-13,-2 Z";
// In units of the spina's width.
const SIZES = { cone: 0.2, egg: 0.15, dolphin: 0.024, apart: 0.46, basin: 0.32 };

let patterns = 0;

// Two straights and two half circles in a box, or so far inside of it.
export function outlineStadium({ x, y, width, height }, inside = 0) {
  const [left, right, top, bottom] = [x + height / 2, x + width - height / 2, y + inside, y + height - inside];
  const arc = `A${height / 2 - inside},${height / 2 - inside} 0 0 1`;
  return `M${left},${top} H${right} ${arc} ${right},${bottom} H${left} ${arc} ${left},${top} Z`;
}

// A track so wide inside of the outline of its stadium.
export function outlineRing(box, width) {
  return `${outlineStadium(box)} ${outlineStadium(box, width)}`;
}

// Stands `depth` deep around the outline of a track, with a wall towards its sand.
export function drawStands(outline, depth = STANDS) {
  patterns += 1;
  const id = `crowd-${patterns}`;
  const every = (CROWD_EVERY * depth) / STANDS;
  const [near, far] = [every / 4, (every * 3) / 4];
  const crowd = svg(
    "pattern",
    { id, width: every, height: every, patternUnits: "userSpaceOnUse" },
    [
      ["a", near, near],
      ["b", far, near],
      ["c", near, far],
      ["d", far, far],
    ].map(([kind, cx, cy]) => svg("circle", { class: `crowd-${kind}`, cx, cy, r: every / 5.2 })),
  );
  const ring = (kind, width, stroke) => svg("path", { class: kind, d: outline, "stroke-width": 2 * width, stroke });
  return svg(
    "g",
    { class: "circus", "aria-hidden": "true" },
    svg("defs", {}, crowd),
    ring("stands", depth),
    ring("crowd-ring", depth, `url(#${id})`),
    ring("stands-wall", depth / 5),
    svg("path", { class: "arena", d: outline }),
  );
}

// Ruts of wheels along these outlines.
export function drawRuts(outlines) {
  return svg(
    "g",
    { class: "ruts", "aria-hidden": "true" },
    outlines.map((d) => svg("path", { d })),
  );
}

// The spina: a wall with two basins and an obelisk, cones at its ends, and its counters: an egg for each lap, down once
// it is run.
export function drawSpina({ x, y, length, width }, { laps, run, turn }) {
  const inner = { x: x - length / 2, y: y - width / 2, width: length, height: width };
  const basin = (length - 3 * width) / 2;
  const [left, right] = [x - width / 2 - basin / 2, x + width / 2 + basin / 2];
  const pool = (cx) =>
    svg("rect", {
      class: "basin",
      x: cx - basin / 2,
      y: y - width * SIZES.basin,
      width: basin,
      height: 2 * width * SIZES.basin,
      rx: width * SIZES.basin,
    });
  return svg(
    "g",
    { class: "spina" },
    svg("path", { class: "spina-stone", d: outlineStadium(inner) }),
    pool(left),
    pool(right),
    drawObelisk(x, y, width),
    drawCones(inner.x - width * 0.35, y, width, -1),
    drawCones(inner.x + length + width * 0.35, y, width, 1),
    row("eggs", left, width * SIZES.apart, laps, (cx, lap) =>
      svg("ellipse", {
        class: lap < run ? "egg egg-down" : "egg",
        cx,
        cy: y,
        rx: width * SIZES.egg,
        ry: width * SIZES.egg * 1.35,
      }),
    ),
    row("dolphins", right, Math.min(width * 0.62, basin / (DOLPHINS + 0.5)), DOLPHINS, (cx, place) => {
      const isDown = turn > 0 && place <= (turn - 1) % DOLPHINS;
      return svg("path", {
        class: isDown ? "dolphin dolphin-down" : "dolphin",
        d: DOLPHIN,
        transform: `translate(${cx},${y}) rotate(${isDown ? 35 : 0}) scale(${width * SIZES.dolphin})`,
      });
    }),
  );
}

function row(tip, x, apart, count, draw) {
  return svg(
    "g",
    { "data-tip": tip },
    Array.from({ length: count }, (_, place) => draw(x + (place - (count - 1) / 2) * apart, place)),
  );
}

function drawObelisk(x, y, width) {
  const half = width * 0.3;
  return svg(
    "g",
    { class: "obelisk" },
    svg("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half }),
    svg("path", {
      d: `M${x - half},${y - half} L${x + half},${y + half} M${x + half},${y - half} L${x - half},${y + half}`,
    }),
  );
}

// Three cones at an end, towards `side`.
function drawCones(x, y, width, side) {
  const radius = width * SIZES.cone;
  return svg(
    "g",
    { class: "cones" },
    [
      [0, -1.15],
      [side * 1.5, 0],
      [0, 1.15],
    ].map(([dx, dy]) => svg("circle", { cx: x + dx * radius, cy: y + dy * radius, r: radius })),
  );
}
