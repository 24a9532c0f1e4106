// The panel of a seat in Chariotmaster: for each question its own. A question with one answer is one button.

import { button, el } from "../../parts/dom.js";
import { tellAction } from "../../panel/action_words.js";
import {
  buildClimbPanel,
  buildCutLoosePanel,
  buildDefencePanel,
  buildLuckPanel,
  buildTokenPanel,
} from "./answer_panels.js";
import { buildBuildPanel } from "./build_panel.js";
import { buildDrivePanel } from "./drive_panel.js";
import { tellForeseen } from "./foreseen.js";
import { buildWalkPanel } from "./walk_panel.js";

// Each with the answer that is given when the time is up.
/** @type {Record<Api.Chariotmaster1RulesetChoices["kind"], [Panel.Build, string]>} */
const PANELS = {
  build: [buildBuildPanel, "the plainest chariot is built for you"],
  token: [buildTokenPanel, "a token is chosen for you"],
  luck: [buildLuckPanel, "the dice stay as they are"],
  defence: [buildDefencePanel, "the attack comes"],
  move: [buildDrivePanel, "your chariot is driven along the track for you"],
  walk: [buildWalkPanel, "your driver walks to the edge"],
  cut_loose: [buildCutLoosePanel, "your driver hangs on while he has health"],
  climb: [buildClimbPanel, "your driver climbs for the first of these"],
};

/** @param {Panel.Asked<Api.Chariotmaster1RulesetChoices, Api.Chariotmaster1RulesetBoard>} asked */
export function buildPanel(asked) {
  const { kind, candidates } = asked.decision.choices;
  const [build, safe] = PANELS[kind];
  return {
    tellEffect: (effect) => tellForeseen(asked.view, effect),
    safe,
    ...(candidates.length === 1 && !("end" in candidates[0] && candidates[0].end) ? buildOnly(asked) : build(asked)),
  };
}

function buildOnly({ decision: { choices }, act }) {
  const [only] = choices.candidates;
  const action = only.action ?? only;
  const said = tellAction(action);
  return {
    element: el(
      "div",
      { class: "only-panel" },
      button(said, () => act(action, said), { class: "go-button" }),
    ),
  };
}
