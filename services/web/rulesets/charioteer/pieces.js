// The pieces of Charioteer, drawn: symbols, cards and tokens. Each has an icon, a colour and a number, and words for
// readers of the screen.

import { el, svg } from "../../parts/dom.js";
import { capital } from "../../parts/words.js";

// The use of each colour.
export const USES = { green: "sprint", red: "attack", yellow: "recovery", black: "corner" };
// In a box of 16 by 16.
const ICONS = {
  green: "M2,4 l5,4 -5,4 M8,4 l5,4 -5,4",
  red: "M2,14 L13,3 M8,3 H13 V8",
  yellow: "M8,14 C2.5,11.5 2,6.5 5,2 C8,5.5 8.5,10 8,14 C13.5,11.5 14,6.5 11,2 C8,5.5 7.5,10 8,14",
  black: "M2.5,14 C2.5,7 6,4.5 13,4.5 M9.5,1 l4,3.5 -4,3.5",
  whip: "M2.5,14 L7,8 C9,3.5 14,2.5 13.5,6 C13,9 9.5,9.5 10.5,6.5",
  shield: "M8,1.5 L14,3.5 C14,9 11.5,12.5 8,14.5 C4.5,12.5 2,9 2,3.5 Z",
  recovery: "M8,2.5 V13.5 M2.5,8 H13.5",
  learning: "M2.5,11 L8,5.5 L13.5,11 M2.5,6.5 L8,1.5 L13.5,6.5",
  wild: "M8,1.5 L9.8,6.2 L14.5,8 L9.8,9.8 L8,14.5 L6.2,9.8 L1.5,8 L6.2,6.2 Z",
  discard: "M4,1.5 h8 v13 h-8 Z M6,6 l4,4 M10,6 l-4,4",
  fan: "M8,14 V9 M4,2 C2,7 4,9 8,9 C12,9 14,7 12,2 M6.5,2 C6,5 7,7 8,9 C9,7 10,5 9.5,2",
};

export function drawIcon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] ?? ICONS.fan }),
  );
}

// "red-5": an icon and the number on the colour.
export function showSymbol(symbol, { isFaded = false } = {}) {
  const [colour, number] = symbol.split("-");
  return el(
    "span",
    { class: `symbol symbol-${colour}${isFaded ? " symbol-faded" : ""}` },
    drawIcon(colour),
    el("span", { class: "unseen" }, `${colour} `),
    number,
  );
}

// A card with its symbols below each other. `counted` is the symbol of a move: the others of the card are faded.
export function showCard(card, counted = null) {
  if (!card.card) return el("span", { class: "card card-back" }, el("span", { class: "unseen" }, "face down"));
  const symbols = card.symbols ?? card.card.split(" ").filter((each) => each.includes("-"));
  const icon = card.icon ?? card.card.split(" ").find((each) => !each.includes("-"));
  const colours = new Set(symbols.map((each) => each.split("-")[0]));
  return el(
    "span",
    { class: "card", "data-tip": ["card", ...colours, icon ?? []].flat().join(" "), "data-head": card.card },
    symbols.map((each) => showSymbol(each, { isFaded: counted !== null && each !== counted })),
    icon ? showIcon(icon) : null,
  );
}

// Of the tip that explains it.
export function kindOf(token) {
  return token.split("-")[0];
}

// "plus-5-green" in words.
export function tellToken(name) {
  const [kind, ...rest] = name.split("-");
  if (kind === "plus") return `+${rest[0]}${rest[1] ? ` ${rest[1]}` : ""}`;
  return [kind, ...rest].join(" ");
}

// A token as a coin: "+5" or the icon of its use, in its colour.
export function showToken(name) {
  const [kind, ...more] = name.split("-");
  const [number, colour] = [more.find((each) => Number(each)), more.find((each) => each in USES)];
  return el(
    "span",
    { class: colour ? `token symbol-${colour}` : "token", "data-tip": kind, "data-head": capital(tellToken(name)) },
    kind === "plus" ? null : drawIcon(kind),
    number ? el("span", { "aria-hidden": "true" }, kind === "plus" ? `+${number}` : number) : null,
    colour ? drawIcon(colour) : null,
    el("span", { class: "unseen" }, tellToken(name)),
  );
}

// The pieces of a move as they were laid on the table.
export function showPiece({ card, counted, note, token }) {
  if (token) return showToken(token);
  const shown = showCard({ card }, counted);
  if (note) shown.append(el("span", { class: "note" }, note));
  return shown;
}

// The pieces that sentences name: "red-5", "“red-5 red-5 shield”" and "+5 red".
export const codes = {
  pattern: /“[^”]+”|\b(?:green|red|yellow|black)-\d\b|\+\d (?:green|red|yellow|black)\b/g,
  draw: (code) => {
    if (code.startsWith("+")) return showToken(`plus-${code.slice(1).replace(" ", "-")}`);
    const isCard = code.startsWith("“");
    const symbols = (isCard ? code.slice(1, -1) : code)
      .split(" ")
      .map((part) => (part.includes("-") ? showSymbol(part) : showIcon(part)));
    return isCard ? el("span", { class: "card-line" }, symbols) : symbols[0];
  },
};

function showIcon(name) {
  return el("span", { class: "symbol symbol-icon" }, drawIcon(name), el("span", { class: "unseen" }, name));
}

// A hand of its cards, for the game's own card in a list of games.
export function showEmblem() {
  const hand = ["green-6 green-6 black-1", "green-6 green-6 shield", "red-5 red-5 green-6"];
  return el(
    "span",
    { class: "emblem emblem-cards" },
    hand.map((card) => showCard({ card })),
  );
}
