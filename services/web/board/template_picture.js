// A picture out of the words of a ruleset: a template that gives SVG.
// Words are data: shapes and texts alone are drawn, with attributes that place and colour; no script, style or link.

import { svg } from "../parts/dom.js";
import { tellTemplate } from "../parts/templates.js";

const SHAPES = new Set([
  "svg",
  "g",
  "title",
  "text",
  "line",
  "rect",
  "circle",
  "ellipse",
  "polygon",
  "polyline",
  "path",
]);
const ATTRIBUTES = new Set([
  ...["viewBox", "role", "transform", "x", "y", "x1", "y1", "x2", "y2", "width", "height", "cx", "cy", "r", "rx", "ry"],
  ...["points", "d", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity"],
  ...["font-size", "font-weight", "text-anchor", "dominant-baseline"],
]);
// A paint may refer to another document by url(…).
const COLOUR = /^[a-zA-Z]+$|^#[0-9a-fA-F]{3,8}$/;
const PAINTS = new Set(["fill", "stroke"]);
// An opening tag, its closing, or a text. The page may parse no markup by itself.
const TAG = /<([a-z]+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|<\/([a-z]+)>|([^<]+)/gy;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

// `board` is the view of a board as the API shows it. Gives nothing where the template does not fit the board.
export function drawTemplate(words, board) {
  try {
    return parse(tellTemplate(words.picture, board, words));
  } catch {
    return null;
  }
}

function parse(text) {
  const drawn = svg("g");
  const open = [drawn];
  for (const [, name, attributes, isEmpty, closed, said] of text.matchAll(TAG)) {
    const within = open.at(-1) ?? drawn;
    if (said !== undefined) {
      if (within.localName === "text" || within.localName === "title") within.append(said);
    } else if (closed) {
      if (open.length > 1) open.pop();
    } else if (SHAPES.has(name)) {
      const shape = svg(name, readAttributes(attributes));
      within.append(shape);
      if (!isEmpty) open.push(shape);
    } else if (!isEmpty) open.push(svg("g"));
  }
  return drawn.firstElementChild;
}

function readAttributes(text) {
  const found = [...text.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, value]);
  return Object.fromEntries(
    found.filter(([name, value]) => ATTRIBUTES.has(name) && (!PAINTS.has(name) || COLOUR.test(value))),
  );
}
