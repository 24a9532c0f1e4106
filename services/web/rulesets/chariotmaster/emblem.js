// A chariot on the table with the way that it may take, for the game's own card in a list of games.

import { drawChariot } from "../../board/chariot.js";
import { el, svg } from "../../parts/dom.js";

const LANE = "M-40,34 C10,34 34,22 52,-22";

export function showEmblem() {
  return el(
    "span",
    { class: "emblem" },
    svg(
      "svg",
      { class: "emblem-table", viewBox: "-78 -42 156 92" },
      svg("rect", { class: "arena", x: -78, y: -42, width: 156, height: 92, rx: 8 }),
      svg("path", { class: "emblem-lane", d: LANE }),
      svg("g", { transform: "translate(-34,26) rotate(-8)" }, drawChariot("red", "")),
      svg("g", { class: "emblem-ghost", transform: "translate(50,-16) rotate(-62)" }, drawChariot("red", "")),
    ),
  );
}
