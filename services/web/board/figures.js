// Pieces of the pictures in rules: stretches of a track with chariots on them.

import { drawChariot } from "./chariot.js";
import { svg } from "../parts/dom.js";
import { capital } from "../parts/words.js";

// `said` is the content of the picture in words.
export function picture(said, [width, height], ...parts) {
  return svg("svg", { class: "figure", role: "img", "aria-label": said, viewBox: `0 0 ${width} ${height}` }, parts);
}

// A space as a box, with a word on it.
export function space(x, y, width, height, { kind = "regular", word = "" } = {}) {
  return [
    svg("rect", { class: `space space-${kind}`, x, y, width, height }),
    word
      ? svg("text", { class: "limit", x: x + width / 2, y: y + height / 2 + 9, "text-anchor": "middle" }, word)
      : null,
  ];
}

export function chariot(colour, x, y, { scale = 1, turned = 0 } = {}) {
  return svg(
    "g",
    { transform: `translate(${x},${y}) rotate(${turned}) scale(${scale})` },
    drawChariot(colour, capital(colour)),
  );
}

// A way through these points, with a head at its end.
export function way(points) {
  const [[fromX, fromY], [x, y]] = points.slice(-2);
  const turned = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
  return [
    svg("polyline", { class: "plan", points: points.map((each) => each.join()).join(" ") }),
    svg("path", { class: "plan", d: "M-12,-9 L0,0 L-12,9", transform: `translate(${x},${y}) rotate(${turned})` }),
  ];
}

export function label(x, y, said) {
  return svg("text", { class: "figure-text", x, y, "text-anchor": "middle" }, said);
}
