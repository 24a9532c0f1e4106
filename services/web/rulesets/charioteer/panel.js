// The panel of a seat in Charioteer: the hand as cards to choose, the symbol, the crowd's card, a token, cards to throw
// away; or a turn of calm. Choices that lead to no move are greyed out.

import { button, el } from "../../parts/dom.js";
import { sum } from "../../board/displays.js";
import { tick } from "../../parts/field.js";
import { count, list } from "../../parts/words.js";
import { kindOf, showCard, showSymbol, showToken, tellToken } from "./pieces.js";
import { ascending, keyOf, Plays } from "./plays.js";
import { findWay } from "./way.js";

// The longest whole moves of each kind are listed.
const LISTED_MAX = 12;

/** @param {Panel.Asked<Api.Charioteer1RulesetChoices, Api.Charioteer1RulesetBoard>} asked */
export function buildPanel(asked) {
  const panel = new HandPanel(asked);
  return {
    element: panel.element,
    close: () => panel.board.showPlan([]),
    tellEffect,
    safe: "your horses are calmed with one card",
  };
}

class HandPanel {
  /** @param {Panel.Asked<Api.Charioteer1RulesetChoices, Api.Charioteer1RulesetBoard>} asked */
  constructor({ decision, view, board, draft, keep, choose }) {
    this.view = view;
    this.board = board;
    this.choose = choose;
    this.keep = keep;
    this.own = view.own;
    this.legal = decision.choices;
    this.plays = new Plays(this.legal, this.own.hand);
    this.#clear();
    this.element = el("div", { class: "hand-panel" });
    this.#build();
    if (this.wasting && draft?.stack.length) {
      this.wasting.querySelector("input").checked = true;
      this.wasteRow.hidden = false;
    }
    this.#change(draft ?? {});
  }

  #clear() {
    this.isReset = false;
    this.cards = [];
    this.crowd = false;
    this.symbol = null;
    this.token = "none";
    this.stack = [];
  }

  #build() {
    const kind = (said, isReset) =>
      button(said, () => this.#change({ isReset, cards: [], symbol: null, token: "none", crowd: false }), {
        class: "mode",
        "data-tip": isReset ? "reset" : "move",
      });
    this.modes = [kind("Move", false), kind("Calm the horses", true)];
    this.hand = this.own.hand.map((card) => this.#buildCard(card, "cards"));
    this.waste = this.own.hand.map((card) => this.#buildCard(card, "stack"));
    this.crowdButton = button("", () => this.#change({ crowd: !this.crowd }), { class: "card-button" });
    this.crowdButton.append(
      ...pictured(showCard(this.view.crowd[0]), this.view.crowd[0].card),
      el("span", { class: "note" }, "the crowd's"),
    );
    this.symbols = el("div", { class: "chips", role: "group", "aria-label": "Symbol" });
    this.tokens = el("div", { class: "chips", role: "group", "aria-label": "Token" });
    this.whole = this.#buildWhole();
    this.moveRows = el("div", { class: "hand-panel" }, this.symbols, this.tokens);
    const { stacks } = this.legal;
    this.wasting = stacks.length
      ? tick("waste", "waste", `Throw up to ${count(stacks[0].cards_max, "card")} away with the discard token`)
      : null;
    this.wasteRow = el(
      "div",
      { class: "hand", role: "group", "aria-label": "Cards to throw away", hidden: true },
      this.waste,
    );
    this.wasting?.addEventListener("change", ({ target }) => {
      this.wasteRow.hidden = !target.checked;
      this.#change({ stack: [] });
    });
    this.hint = el("p", { class: "note" });
    this.element.append(
      el("div", { class: "chips", role: "group", "aria-label": "Kind of turn" }, this.modes, this.whole),
      this.hint,
      el("div", { class: "hand", role: "group", "aria-label": "Your hand" }, this.hand, this.crowdButton),
      this.moveRows,
      this.wasting ?? "",
      this.wasteRow,
    );
  }

  #buildCard(card, pile) {
    const made = button(
      "",
      () => {
        const isIn = this[pile].includes(card.draw);
        this.#change({
          [pile]: isIn ? this[pile].filter((each) => each !== card.draw) : [...this[pile], card.draw],
          ...(pile === "cards" && { symbol: null }),
        });
      },
      { class: "card-button" },
    );
    made.append(...pictured(showCard(card), card.card));
    return made;
  }

  // Whole moves in a list, the longest first, and of equal ones that with the fewest cards: for a quick choice, and for
  // readers of the screen.
  #buildWhole() {
    const sorted = [...this.plays.all].sort((one, other) => other.distance - one.distance);
    const told = [...new Map(sorted.map((play) => [tellPlay(play), play]))];
    const listed = [false, true].flatMap((hasToken) =>
      told.filter(([, { token }]) => Boolean(token) === hasToken).slice(0, LISTED_MAX),
    );
    listed.sort(([, one], [, other]) => other.distance - one.distance || one.faces.length - other.faces.length);
    const made = el(
      "select",
      { "aria-label": "Whole moves" },
      el("option", { value: "" }, "Whole moves …"),
      listed.map(([said]) => el("option", {}, said)),
    );
    made.addEventListener("change", () => {
      const [, play] = listed.find(([said]) => said === made.value) ?? [];
      if (play)
        this.#change({
          cards: this.plays.findCards(play),
          crowd: play.crowd,
          symbol: play.symbol,
          token: play.tokenKey,
        });
    });
    return made;
  }

  #change(chosen) {
    Object.assign(this, chosen);
    this.stack = this.stack.filter((each) => !this.cards.includes(each));
    const { isReset, cards, crowd, symbol, token, stack } = this;
    this.keep({ isReset, cards, crowd, symbol, token, stack });
    this.#tell();
  }

  #tell() {
    const { cards, crowd, symbol, token, isReset } = this;
    const selected = { cards, crowd, symbol, token };
    const play = isReset ? null : this.plays.find(selected);
    this.modes.forEach((each, place) => each.setAttribute("aria-pressed", `${isReset === Boolean(place)}`));
    for (const each of [this.moveRows, this.crowdButton, this.whole]) each.hidden = isReset;
    const max = isReset ? this.legal.reset.cards_max : Infinity;
    this.hand.forEach((made, place) => {
      const { draw } = this.own.hand[place];
      const isIn = cards.includes(draw);
      press(
        made,
        isIn,
        isIn || (isReset ? cards.length < max : this.plays.list({ cards: [...cards, draw] }).length > 0),
      );
    });
    this.waste.forEach((made, place) => {
      const { draw } = this.own.hand[place];
      const isIn = this.stack.includes(draw);
      made.hidden = cards.includes(draw);
      press(made, isIn, isIn || this.stack.length < (this.legal.stacks[0]?.cards_max ?? 0));
    });
    press(this.crowdButton, crowd, crowd || this.plays.list({ cards, crowd: true }).length > 0);
    this.#tellSymbols(play);
    this.#tellTokens(play);
    this.hint.textContent = this.#tellHint(play);
    this.#offer(play);
  }

  #tellSymbols(play) {
    const { cards, crowd } = this;
    const exact = cards.length
      ? this.plays.list({ cards, crowd }).filter((each) => each.faces.length === cards.length)
      : [];
    const symbols = [...new Set(exact.map((each) => each.symbol))];
    this.symbols.hidden = symbols.length < 2;
    this.symbols.replaceChildren(
      ...symbols.map((each) =>
        chip(
          pictured(showSymbol(each), each),
          play?.symbol === each,
          () => this.#change({ symbol: each }),
          `symbol ${each.split("-")[0]}`,
        ),
      ),
    );
  }

  #tellTokens(play) {
    const { cards, crowd, symbol } = this;
    const fitting = cards.length
      ? this.plays.list({ cards, crowd, symbol }).filter((each) => each.faces.length === cards.length && each.token)
      : [];
    const held = this.own.tokens.filter((each) => fitting.some(({ tokenKey }) => tokenKey === keyOf(each.token)));
    const isNone = this.token === "none";
    this.tokens.hidden = !held.length;
    this.tokens.replaceChildren(
      chip(["no token"], isNone, () => this.#change({ token: "none" }), "tokens"),
      ...held.map((each) =>
        chip(
          pictured(showToken(each.name), tellToken(each.name)),
          play?.tokenKey === keyOf(each.token) && !isNone,
          () => this.#change({ token: keyOf(each.token), symbol: null }),
          kindOf(each.name),
        ),
      ),
    );
  }

  #tellHint(play) {
    const { cards, isReset } = this;
    if (isReset)
      return cards.length ? "The chariot stands, and all its damage goes." : "Choose one to three cards to put away.";
    if (!cards.length) return "Choose cards that share a symbol, from the hand or as a whole move.";
    return play ? "" : "One more card with the same symbol, or the crowd's card, makes a move.";
  }

  #offer(play) {
    const { cards, stack, legal, isReset } = this;
    const discard = stack.length ? { cards: ascending(stack), token: legal.stacks[0].token } : null;
    this.board.showPlan([]);
    if (isReset && cards.length) this.choose({ kind: "reset", cards: ascending(cards), discard }, "calm the horses");
    else if (play) {
      const { seat } = this.own;
      const way = findWay(this.view, seat, play.distance, play.symbol.startsWith("black"));
      this.board.showPlan(
        [this.view.drivers.find((each) => each.seat === seat).space, ...way].map((space) =>
          this.board.middleOf(space, this.view),
        ),
      );
      this.choose(
        this.plays.buildAction(play, cards, discard),
        `${play.symbol.replace("-", " ")}, ${count(play.distance, "space")}`,
      );
    } else this.choose(null);
  }
}

function tellEffect(effect) {
  if (effect.kind === "reset")
    return (
      `Removes ${count(effect.damage_removed, "cube")} of damage and empties ` +
      `${count(effect.attack_boxes_emptied, "attack box", "attack boxes")}.`
    );
  const { symbols, number, token, skill, damage, distance } = effect;
  const more = [
    effect.attack ? `every rival takes ${count(effect.attack, "cube")}` : null,
    effect.damage_removed ? `${count(effect.damage_removed, "cube")} of damage removed first` : null,
    effect.is_shielded ? "a shield" : null,
    effect.whip_steps_max ? `the whip gives up to ${count(effect.whip_steps_max, "step")}` : null,
    effect.earns_fan_token ? "earns a fan token" : null,
  ].filter(Boolean);
  return el(
    "span",
    {},
    sum(
      "Distance",
      [
        ["symbols", symbols],
        ["number", number],
        ["token", token],
        ["skill", skill],
        ["damage", -damage],
      ],
      distance,
    ),
    more.length ? `With it: ${more.join("; ")}.` : "",
  );
}

function tellPlay({ symbol, distance, faces, crowd, token, attack }) {
  const with_ = [
    count(faces.length, "card"),
    crowd ? "the crowd's" : null,
    token ? `token ${tellToken(token.type ?? "fan token")}` : null,
  ].filter(Boolean);
  return (
    `${count(distance, "space")}: ${symbol.replace("-", " ")}, ` + `${list(with_)}${attack ? `, attack ${attack}` : ""}`
  );
}

// A picture for the eye, and its words for readers of the screen.
function pictured(picture, said) {
  picture.setAttribute("aria-hidden", "true");
  return [picture, el("span", { class: "unseen" }, said)];
}

function chip(content, isChosen, onPress, tip) {
  const made = button("", onPress, { class: "chip", "aria-pressed": `${isChosen}`, "data-tip": tip });
  made.append(...content);
  return made;
}

function press(made, isPressed, isPossible) {
  made.setAttribute("aria-pressed", `${isPressed}`);
  made.disabled = !isPossible;
}
