// The dice of a turn: those that are chosen are thrown again, for free once, and later for fate.

import { button, el } from "../../parts/dom.js";
import { count } from "../../parts/words.js";
import { callOwn } from "./displays.js";
import { drawFace, FACES } from "./dice.js";
import { foreseeSpeed, listAhead, tellDice } from "./foreseen.js";

export function buildRerollPanel({ decision: { choices }, view, board, act }) {
  const effect = new DiceEffect(view, board, choices.dice);
  const dice = new DiceRow(choices.dice, () => tell());
  const again = button(
    "",
    () => act({ kind: "reroll", dice: dice.chosen }, `throw ${count(dice.chosen.length, "die", "dice")} again`),
    { class: "go-button" },
  );
  const keep = button("Keep all dice", () => act({ kind: "pass" }, "keep all dice"), { class: "go-button" });
  const tell = () => {
    const number = dice.chosen.length;
    again.hidden = !number;
    keep.hidden = Boolean(number);
    again.textContent = `Throw ${count(number, "die", "dice")} again, for free`;
    effect.show(dice.chosen);
  };
  tell();
  return {
    element: el(
      "div",
      { class: "dice-panel" },
      el("p", {}, `You have thrown for ${callOwn(view)}. Choose dice to throw again, once and for free.`),
      dice.element,
      effect.element,
      el("div", { class: "buttons" }, keep, again),
    ),
    close: () => board.showPlan([]),
  };
}

export function buildManipulationPanel({ decision: { choices }, view, board, act }) {
  const { cost, fate, faces } = choices;
  const effect = new DiceEffect(view, board, choices.dice);
  const dice = new DiceRow(choices.dice, () => tell());
  const again = button("", () =>
    act(
      { kind: "reroll", dice: dice.chosen },
      `pay ${cost} fate, throw ${count(dice.chosen.length, "die", "dice")} again`,
    ),
  );
  const turns = el(
    "div",
    { class: "buttons turns" },
    faces.map((face) => {
      const made = button(
        "",
        () =>
          act({ kind: "turn_die", die: dice.chosen[0], face }, `pay ${cost} fate, turn a die to ${FACES[face].word}`),
        { "aria-label": `Turn it to ${FACES[face].word}`, "data-tip": face },
      );
      made.append(drawFace(face), FACES[face].word);
      return made;
    }),
  );
  const turn = el("div", {}, el("p", {}, "Or turn it to"), turns);
  const done = button("Done: drive with these dice", () => act({ kind: "pass" }, "drive with these dice"), {
    class: "go-button",
  });
  const tell = () => {
    const number = dice.chosen.length;
    again.hidden = !number;
    turn.hidden = number !== 1;
    again.textContent = `Throw ${count(number, "die", "dice")} again for ${cost} fate`;
    effect.show(dice.chosen);
  };
  tell();
  return {
    element: el(
      "div",
      { class: "dice-panel change-panel" },
      el("p", {}, `Fate ${fate}: a change costs ${cost}. Choose dice to change, or drive.`),
      dice.element,
      effect.element,
      el("div", { class: "buttons" }, again),
      turn,
      el("div", { class: "buttons" }, done),
    ),
    close: () => board.showPlan([]),
  };
}

// The speeds that the kept dice allow, in words, and the longest way, on the board.
class DiceEffect {
  constructor(view, board, faces) {
    this.view = view;
    this.board = board;
    this.faces = faces;
    this.chariot = view.chariots.find((each) => each.colour === view.turn.chariot);
    this.element = el("p", { class: "effect", role: "status" });
  }

  show(chosen) {
    const kept = this.faces.filter((_, place) => !chosen.includes(place));
    this.element.textContent = tellDice(this.view, this.chariot, kept, { isWhole: !chosen.length });
    const { high } = foreseeSpeed(this.chariot, kept);
    const way = [{ name: this.chariot.space }, ...listAhead(this.view, this.chariot).slice(0, high)];
    this.board.showPlan(way.map(({ name }) => this.board.middleOf(name)));
  }
}

// Dice that can be chosen; `chosen` are their places, ascending.
class DiceRow {
  constructor(faces, onChange) {
    this.buttons = faces.map((face) => {
      const { word, use } = FACES[face];
      const made = button(
        "",
        () => {
          made.setAttribute("aria-pressed", `${made.getAttribute("aria-pressed") !== "true"}`);
          onChange();
        },
        { class: "die-button", "aria-pressed": "false", "data-tip": face },
      );
      made.append(drawFace(face), word, el("span", { class: "note" }, use));
      return made;
    });
    this.element = el("div", { class: "dice-row", role: "group", "aria-label": "Dice" }, this.buttons);
  }

  get chosen() {
    return this.buttons.flatMap((each, place) => (each.getAttribute("aria-pressed") === "true" ? [place] : []));
  }
}
