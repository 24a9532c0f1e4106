// A list of answers that the API lists whole, by kind: one click or the arrow keys choose, and the seat shows the
// effect.

import { button, el } from "../parts/dom.js";
import { capital, spaced } from "../parts/words.js";
import { tellAction, tellMembers } from "./action_words.js";

const ROWS_MAX = 10;
// So few answers of one kind are buttons.
const BUTTONS_MAX = 4;

// The answers among the choices of a decision, or null where the API gives offers in another form.
export function findCandidates(choices) {
  if (Array.isArray(choices.candidates)) return choices.candidates.map((each) => each.action ?? each);
  if (Array.isArray(choices.kinds)) return choices.kinds.map((kind) => ({ kind }));
  return null;
}

// `choose(action)` is called with each answer looked at.
export function buildCandidates(candidates, choose) {
  return candidates.length <= BUTTONS_MAX ? buildButtons(candidates, choose) : buildList(candidates, choose);
}

function buildButtons(candidates, choose) {
  const buttons = candidates.map((action) =>
    button(
      tellAction(action),
      () => {
        for (const each of buttons)
          each.setAttribute("aria-pressed", `${each === buttons[candidates.indexOf(action)]}`);
        choose(action);
      },
      { "aria-pressed": "false" },
    ),
  );
  return el("div", { class: "buttons" }, buttons);
}

function buildList(candidates, choose) {
  const kinds = [...new Set(candidates.map(({ kind }) => kind))];
  const groups = kinds.map((kind) =>
    el(
      "optgroup",
      { label: capital(spaced(kind)) },
      candidates.flatMap((action, place) =>
        action.kind === kind ? el("option", { value: place }, tellPlain(action)) : [],
      ),
    ),
  );
  const list = el(
    "select",
    { size: Math.min(ROWS_MAX, candidates.length + kinds.length), class: "candidates", "aria-label": "Answers" },
    groups,
  );
  list.addEventListener("change", () => choose(candidates[list.value]));
  return list;
}

function tellPlain(action) {
  const { kind, ...members } = action;
  return tellMembers(members) || capital(spaced(kind));
}
