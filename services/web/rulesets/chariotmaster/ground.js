// The ground of a race, which never moves: stands, track, walls, ruts, obstacles, start places and the line. The game's
// board and the editor of courses draw it alike.

import { drawRuts, drawStands } from "../../board/circus.js";
import { svg } from "../../parts/dom.js";
import { spaced } from "../../parts/words.js";
import { drawAlong, drawTrack, drawWall, toMm, toPlace, toPoint } from "./course.js";

export const STANDS = 26;
// Shares of the track's width where wheels have left their ruts.
const RUTS = [0.12, 0.3, 0.5, 0.7, 0.88];

// `inside` lies on the spina, below the start places.
export function drawGround(course, ...inside) {
  const [inner, outer] = course.finish_line.map(toPoint);
  return [
    drawStands(drawWall(course, "outer_wall"), STANDS),
    svg("path", { class: "space space-regular track-ground", d: drawTrack(course), "fill-rule": "evenodd" }),
    svg("path", { class: "wall", d: drawWall(course, "outer_wall") }),
    svg("path", { class: "wall spina-wall", d: drawWall(course, "inner_wall") }),
    drawRuts(RUTS.map((share) => drawAlong(course, share))),
    ...inside,
    course.grid.flat().map((pose, index) => drawGridPlace(toPlace(pose), index)),
    svg("path", { class: "line line-thin", d: `M${inner.x},${inner.y} L${outer.x},${outer.y}` }),
    course.objects.map(drawObstacle),
  ];
}

function drawGridPlace({ x, y, turned }, index) {
  return svg("path", {
    class: "grid-pose",
    d: "M-20,-10 H20 V10 H-20 Z M20,-6 L26,0 L20,6",
    transform: `translate(${x},${y}) rotate(${turned})`,
    "data-tip": "grid",
    "data-head": `Grid place ${index + 1}`,
  });
}

// A hedge or a stall, if it is low, and a block of stone, if it is high.
function drawObstacle(item) {
  const { x, y, turned } = toPlace(item.pose);
  const [length, width] = [toMm(item.length_um), toMm(item.width_um)];
  const box = { x: -length / 2, y: -width / 2, width: length, height: width };
  const inset = Math.min(length, width) / 4;
  const name = tellObstacle(item);
  return svg(
    "g",
    {
      class: `obstacle obstacle-${item.height}${item.loses === "nothing" ? "" : " obstacle-costs"}`,
      transform: `translate(${x},${y}) rotate(${turned})`,
      "data-tip": "obstacle",
      "data-head": name,
    },
    svg("title", {}, name),
    svg("rect", { ...box, rx: item.height === "low" ? inset : 1 }),
    svg("rect", {
      class: "obstacle-top",
      x: box.x + inset,
      y: box.y + inset,
      width: length - 2 * inset,
      height: width - 2 * inset,
      rx: item.height === "low" ? inset / 2 : 1,
    }),
  );
}

export function tellObstacle({ height, dice, loses }) {
  const costs = loses === "nothing" ? "" : `, costs a point of ${spaced(loses)}`;
  return `A ${height} obstacle of ${dice} ${dice === 1 ? "die" : "dice"}${costs}`;
}
