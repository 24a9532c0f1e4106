// The effects of an event on the board, beside its chariot: points lost or gained, a shot from one chariot to
// another, dice as they fall. An effect is gone after a moment; movement belongs to it only where the reader wants any.

import { svg } from "../parts/dom.js";
import { isStill } from "./motion.js";

const STAYS_MS = 1_400;
const FLIES_MS = 350;
const TUMBLES_MS = 450;
// In sizes of the letters: how far above its chariot, and how large a die.
const ABOVE = 1.5;
const DIE = 1.6;
// How much of a die its face covers, which is drawn in a box of 24 by 24.
const FACE = 0.8;

// `effects` are [{at, from, said, kind, dice}]: points of the board by `at`, a shot where there is a `from`, and drawn
// faces.
export function showEffects(layer, effects, size) {
  const ups = new Map();
  for (const effect of effects) {
    const key = `${effect.at.x},${effect.at.y}`;
    const row = ups.get(key) ?? 0;
    ups.set(key, row + 1);
    const made = svg("g", { class: `happening happening-${effect.kind}`, "aria-hidden": "true" });
    if (effect.from) made.append(drawShot(effect, size));
    if (effect.said) made.append(drawWord(effect, size, row));
    if (effect.dice) made.append(...drawDice(effect, size));
    layer.append(made);
    setTimeout(() => made.remove(), STAYS_MS);
    if (isStill()) continue;
    made.animate([{ opacity: 1 }, { opacity: 1, offset: 0.75 }, { opacity: 0 }], { duration: STAYS_MS });
  }
}

function drawWord({ at, said }, size, row) {
  const y = at.y - size * (ABOVE + row * 1.3);
  const width = size * (0.9 + said.length * 0.58);
  const word = svg(
    "g",
    {},
    svg("rect", { x: at.x - width / 2, y: y - size * 0.95, width, height: size * 1.3, rx: size * 0.65 }),
    svg("text", { x: at.x, y, "text-anchor": "middle", "font-size": size }, said),
  );
  if (!isStill())
    word.animate(
      [
        { transform: `translateY(${size}px)`, opacity: 0 },
        { transform: "none", opacity: 1 },
      ],
      {
        duration: FLIES_MS,
        easing: "ease-out",
      },
    );
  return word;
}

function drawShot({ at, from }, size) {
  const line = svg("line", { x1: from.x, y1: from.y, x2: at.x, y2: at.y, "stroke-width": size / 5 });
  const length = Math.hypot(at.x - from.x, at.y - from.y);
  if (!isStill() && length) {
    line.setAttribute("stroke-dasharray", `${size * 1.5} ${length + size}`);
    line.animate([{ strokeDashoffset: size * 1.5 }, { strokeDashoffset: -length }], {
      duration: FLIES_MS,
      fill: "forwards",
    });
  }
  return line;
}

// Side by side above the chariot; each turns over until it lies.
function drawDice({ at, dice }, size) {
  const edge = size * DIE;
  const left = at.x - (dice.length * edge * 1.15) / 2;
  return dice.map((face, place) => {
    const [x, y] = [left + place * edge * 1.15 + edge / 2, at.y - size * ABOVE - edge / 2];
    const die = svg(
      "g",
      {},
      svg("rect", { class: "die-ground", x: -edge / 2, y: -edge / 2, width: edge, height: edge, rx: edge / 5 }),
      svg("g", { class: "die", transform: `scale(${(edge * FACE) / 24}) translate(-12,-12)` }, ...face.children),
    );
    if (!isStill())
      die.animate(
        [
          { transform: `translateY(${-size}px) rotate(${place % 2 ? -400 : 400}deg) scale(0.6)` },
          { transform: "none" },
        ],
        { duration: TUMBLES_MS + place * 60, easing: "ease-out" },
      );
    return svg("g", { transform: `translate(${x},${y})` }, die);
  });
}
