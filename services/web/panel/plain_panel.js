// The panel of a ruleset without one of its own: the API's candidates as a list, or a form for any action.
//
// A panel offers the answers to one decision. A ruleset's `picture.js` may export its own `buildPanel`:
//
//   buildPanel({ decision, view, shown, board, actions, choose, act }) → { element, close, tellEffect, safe }
//
// `decision` is {decision, kind, choices}, `view` the board as the seat sees it, `shown` the game around it, `board` the
// element with the picture, `actions` the JSON Schema of all actions. The panel calls `choose(action, said)` whenever
// the answer changes, with null where it is not complete; the seat previews it and offers the button that sends it. A third
// argument {title, lines, act} is asked before an answer that a player would regret is sent. `act(action, said)` sends at once. `close()` takes the panel's marks off the board; `tellEffect(effect)` puts a preview
// into words or an element, `safe` says which answer is given when the time is up. All but `element` may be left out.

import { buildActionForm } from "./action_form.js";
import { tellAction } from "./action_words.js";
import { buildCandidates, findCandidates } from "./candidate_list.js";

export function buildPanel({ decision, actions, choose }) {
  const candidates = findCandidates(decision.choices);
  const tell = (action) => choose(action, tellAction(action));
  return { element: candidates ? buildCandidates(candidates, tell) : buildActionForm(actions, tell) };
}
