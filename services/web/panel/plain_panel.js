// The panel of a ruleset without one of its own: the API's candidates as a list, or a form for any action.
// `types/ruleset.d.ts` has the contract of a panel.

import { buildActionForm } from "./action_form.js";
import { tellAction } from "./action_words.js";
import { buildCandidates, findCandidates } from "./candidate_list.js";

/** @type {Panel.Build} */
export function buildPanel({ decision, actions, choose }) {
  const candidates = findCandidates(decision.choices);
  const tell = (action) => choose(action, tellAction(action));
  return { element: candidates ? buildCandidates(candidates, tell) : buildActionForm(actions, tell) };
}
