// The changes of a drawing: each takes a sketch and returns another one.

import { leastRadius } from "./shape.js";

const CORNERS_MAX = 20;
const CORNERS_MIN = 3;
const OBSTACLES_MAX = 24;
const SPARE_RADIUS = 40;

/** @typedef {import("./shape.js").Sketch} Sketch */

export const WIDTHS = { min: 160, max: 400 };
export const RADII = { min: 80, max: 500 };

// An oval like the circus: a start that needs a change or two to become something of one's own.
/** @returns {Sketch} */
export function startSketch() {
  return {
    name: "My course",
    width: 200,
    laps: null,
    wallDice: null,
    corners: [
      { x: 480, y: 0, radius: 130 },
      { x: 480, y: 340, radius: 130 },
      { x: -480, y: 340, radius: 130 },
      { x: -480, y: 0, radius: 130 },
    ],
    start: { edge: 3, share: 0.5 },
    obstacles: [],
  };
}

// A corner on an edge, where the edge was touched.
export function addCorner(sketch, edge, { x, y }) {
  if (sketch.corners.length >= CORNERS_MAX) return null;
  const corners = [...sketch.corners];
  corners.splice(edge + 1, 0, { x: Math.round(x), y: Math.round(y), radius: leastRadius(sketch.width) + SPARE_RADIUS });
  const start = sketch.start.edge > edge ? { ...sketch.start, edge: sketch.start.edge + 1 } : sketch.start;
  return { ...sketch, corners, start };
}

export function removeCorner(sketch, index) {
  if (sketch.corners.length <= CORNERS_MIN) return null;
  const corners = sketch.corners.filter((_, place) => place !== index);
  const edge = sketch.start.edge >= index ? sketch.start.edge - 1 : sketch.start.edge;
  return { ...sketch, corners, start: { ...sketch.start, edge: (edge + corners.length) % corners.length } };
}

export function moveCorner(sketch, index, { x, y }) {
  return changeCorner(sketch, index, { x: Math.round(x), y: Math.round(y) });
}

export function changeCorner(sketch, index, change) {
  return { ...sketch, corners: sketch.corners.map((each, place) => (place === index ? { ...each, ...change } : each)) };
}

export function addObstacle(sketch, { x, y }) {
  if (sketch.obstacles.length >= OBSTACLES_MAX) return null;
  const made = {
    x: Math.round(x),
    y: Math.round(y),
    heading: 0,
    length: 40,
    width: 20,
    height: "low",
    dice: 2,
    loses: "nothing",
  };
  return { ...sketch, obstacles: [...sketch.obstacles, made] };
}

export function changeObstacle(sketch, index, change) {
  return {
    ...sketch,
    obstacles: sketch.obstacles.map((each, place) => (place === index ? { ...each, ...change } : each)),
  };
}

export function removeObstacle(sketch, index) {
  return { ...sketch, obstacles: sketch.obstacles.filter((_, place) => place !== index) };
}

// The line stands on the edge that is nearest to a point, at the place of it that is nearest.
export function moveStart(sketch, { x, y }) {
  const { corners } = sketch;
  const places = corners.map((from, edge) => {
    const to = corners[(edge + 1) % corners.length];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const share = Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1)));
    return { edge, share, off: Math.hypot(from.x + share * dx - x, from.y + share * dy - y) };
  });
  const { edge, share } = places.reduce((best, each) => (each.off < best.off ? each : best));
  return { ...sketch, start: { edge, share } };
}
