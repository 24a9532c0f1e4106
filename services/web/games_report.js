// Findings in the games of a tournament's bundle, and the checks of the tournament itself that are not made here.

import { el } from "./dom.js";
import { mark, summarise } from "./report_view.js";
import { count } from "./words.js";

// The worst of all that was found, as one sentence.
export function summariseGames(games) {
  const verdicts = games.map((each) => judge(each).verdict);
  const many = (wanted) => verdicts.filter((each) => each === wanted).length;
  const bad = many("did_not_hold");
  if (!games.length) return { verdict: "not_checkable_yet", said: "There is no game in it." };
  if (bad) return { verdict: "did_not_hold", said: `Something does not hold in ${bad} of ${count(games.length, "game")}.` };
  const open = many("not_checkable_yet");
  const rest = open ? `; in ${open} of them something cannot be checked yet` : "";
  return { verdict: open ? "not_checkable_yet" : "held", said: `All that can be checked so far holds in ${count(games.length, "game")}${rest}.` };
}

export function tellUnchecked(file) {
  return el("p", {}, el("bdi", {}, file), " is the bundle of a tournament. This page checks bundles of games, so it has checked every game in it. Not checked here: entries, pairings, scores, standings and rulings, and that these are the games of its tables. That needs ",
    el("code", {}, `spina verify ${file}`), " on a command line.");
}

export function listJudged(games) {
  return el("ul", { class: "judged" }, games.map((each) => {
    const { verdict, said } = judge(each);
    return el("li", { "data-verdict": verdict }, mark(verdict), el("span", {}, `Game ${each.game}: ${said}`));
  }));
}

function judge({ report, refused }) {
  if (refused) return { verdict: "did_not_hold", said: `cannot be read as a bundle: expected ${refused.expected}, found ${refused.found}.` };
  return summarise(report);
}
