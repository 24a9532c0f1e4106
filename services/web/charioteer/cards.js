// Cards and tokens of Charioteer in a line of text: every colour has its letter, so that none stands alone.

import { el } from "../dom.js";

export const LETTERS = { green: "G", red: "R", yellow: "Y", black: "B" };
export const USES = { green: "sprint", red: "attack", yellow: "recover", black: "corner" };

export function showSymbol(symbol) {
  const [colour, number] = symbol.split("-");
  return el("span", { class: `symbol symbol-${colour}` }, `${LETTERS[colour]}${number}`);
}

export function showCard(card) {
  if (!card.card) return el("span", { class: "card" }, "face down");
  return el("span", { class: "card", title: card.card }, card.symbols.map(showSymbol), card.icon ? el("span", { class: "symbol" }, card.icon) : null);
}

// "plus-5-green" as people say it.
export function tellToken(name) {
  const [kind, ...rest] = name.split("-");
  if (kind === "plus") return `+${rest[0]}${rest[1] ? ` ${rest[1]}` : ""}`;
  return [kind, ...rest].join(" ");
}

export function showTokens(names) {
  return el("span", { class: "tokens" }, names.map((name) => el("span", { class: "token" }, tellToken(name))));
}
