// Where the counters of laps and turns stand: the largest box inside of the inner wall, whatever its shape is.

import { toPoint } from "./course.js";

// Its length, as a multiple of its width: long where the spina is long.
const ASPECTS = [16, 10, 6];
// The middles that are tried, along each axis, and the steps in which a box grows.
const PLACES = 25;
const STEPS = 24;
// A little room to the wall.
const SHARE = 0.85;
// A bend is looked at in so many points.
const BEND_POINTS = 12;

export function findSpina(course) {
  const wall = listWall(course);
  const [xs, ys] = [wall.map(({ x }) => x), wall.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const shares = Array.from({ length: PLACES }, (_, place) => (place + 0.5) / PLACES);
  let best = { x: (left + right) / 2, y: (top + bottom) / 2, length: 6, width: 1 };
  for (const across of shares)
    for (const along of shares) {
      const middle = { x: left + (right - left) * along, y: top + (bottom - top) * across };
      for (const aspect of ASPECTS) {
        best = grow(wall, middle, aspect, bottom - top, best);
      }
    }
  return { ...best, length: best.length * SHARE, width: best.width * SHARE };
}

// The largest box around a middle, or the best so far: one that is no larger is not looked at.
function grow(wall, { x, y }, aspect, height, best) {
  let box = best;
  for (let step = 1; step <= STEPS; step += 1) {
    const width = (height * step) / STEPS;
    const next = { x, y, length: width * aspect, width };
    if (next.length * next.width <= box.length * box.width) continue;
    if (!isInside(wall, next)) break;
    box = next;
  }
  return box;
}

// Its corners lie inside, and no point of the wall in it.
function isInside(wall, { x, y, length, width }) {
  const [dx, dy] = [length / 2, width / 2];
  if (wall.some((at) => Math.abs(at.x - x) < dx && Math.abs(at.y - y) < dy)) return false;
  const corners = [-1, 1].flatMap((one) => [-1, 1].map((other) => ({ x: x + one * dx, y: y + other * dy })));
  return corners.every((corner) => surrounds(wall, corner));
}

function surrounds(wall, { x, y }) {
  return wall.reduce((isIn, one, place) => {
    const other = wall[(place + 1) % wall.length];
    const isCrossed = one.y > y !== other.y > y && x < ((other.x - one.x) * (y - one.y)) / (other.y - one.y) + one.x;
    return isCrossed ? !isIn : isIn;
  }, false);
}

// The inner wall as points near each other: of a straight as many as of a bend, that no box spans it.
function listWall({ pieces, width_um: width }) {
  return pieces.flatMap((piece, place) => {
    const [from, to] = [piece, pieces[(place + 1) % pieces.length]].map((each) => toPoint(each.starts.inner_wall));
    const shares = Array.from({ length: BEND_POINTS }, (_, step) => step / BEND_POINTS);
    if (piece.kind === "straight")
      return shares.map((share) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }));
    const side = piece.turn === "left" ? 1 : -1;
    const radius = (piece.radius_um - (side * width) / 2) / 1_000;
    const first = ((piece.starts.heading + 90) * Math.PI) / 180;
    const centre = { x: from.x + side * radius * Math.cos(first), y: from.y - side * radius * Math.sin(first) };
    return shares.map((share) => {
      const angle = first + (side * piece.degrees * share * Math.PI) / 180;
      return { x: centre.x - side * radius * Math.cos(angle), y: centre.y + side * radius * Math.sin(angle) };
    });
  });
}
