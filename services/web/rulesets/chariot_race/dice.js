// The faces of Chariot Race's dice, drawn.

import { el, svg } from "../../parts/dom.js";

// Each with its word, its use in a turn, and its drawing in a box of 24 by 24.
export const FACES = {
  plus_minus: { word: "±", use: "±1 speed", draw: "M7,8 h10 M12,3 v10 M7,19 h10" },
  sprint: { word: "sprint", use: "+2 speed", draw: "M4,5 l7,7 -7,7 M12,5 l7,7 -7,7" },
  steer: { word: "steer", use: "1 lane", draw: "M6,20 C6,12 18,12 18,4 M13,8 l5,-5 4,6" },
  attack: { word: "attack", use: "1 attack", draw: "M4,20 L17,7 M13,4 l7,0 0,7 z" },
  fortuna: {
    word: "Fortuna",
    use: "+1 fate",
    draw: "M12,3 a9,9 0 1,0 0.1,0 M12,3 V21 M3,12 H21 M6,6 L18,18 M18,6 L6,18",
  },
};

export function drawFace(face) {
  return svg(
    "svg",
    { class: `die die-${face}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: FACES[face].draw }),
  );
}

// A throw of its dice, for the game's own card in a list of games.
export function showEmblem() {
  return el(
    "span",
    { class: "emblem emblem-dice" },
    ["sprint", "attack", "steer", "fortuna"].map((face) => el("span", { class: "die-piece" }, drawFace(face))),
  );
}
