// Decisions with a few answers: a token, luck, a defence, the reins. Each answer is a button with its odds and its
// price; the usual one is chosen at first.

import { button, el } from "../../parts/dom.js";
import { capital, count, list } from "../../parts/words.js";
import { tellCm, tellOdds, tellRange, tellSide, tellThreat } from "./foreseen.js";
import { TableMarks } from "./table_marks.js";

const AIMS = { reins: "climb for the reins", dead_horse: "climb to cut off the dead horse" };

export function buildTokenPanel({ decision: { choices }, view, board, choose }) {
  const { tokens, outlook, chariot } = choices;
  const marks = TableMarks.of(board, view, chariot);
  const answers = tokens.map((offer) => ({
    action: { kind: "put_token", token: offer.token },
    said: `token ${offer.token}`,
    tip: "token",
    told: `Token ${offer.token}: ${tellRange(offer.min_um, offer.max_um)}, turns up to ${offer.pivot_degrees}°`,
    note: outlook ? tellFit(offer, outlook) : null,
    show: () => marks?.showLanes([{ way: "ahead", low_um: offer.min_um, high_um: offer.max_um }]),
  }));
  return {
    ...buildAnswers(answers, findToken(choices), choose, [
      `Choose a speed for your next turn. ${outlook ? tellOutlook(outlook) : ""}`,
    ]),
    close: () => marks?.close(),
  };
}

export function buildLuckPanel({ decision: { choices }, choose }) {
  const { faces, modifies, candidates } = choices;
  const answers = candidates.map((action) => {
    if (action.kind === "leave_roll") return { action, said: "leave the dice", told: "Leave the dice as they are" };
    const face = faces[action.die];
    return {
      action,
      said: `die ${action.die + 1} to ${face + action.change}`,
      told: `Die ${action.die + 1}: ${face} → ${face + action.change}`,
    };
  });
  return buildAnswers(answers, 0, choose, [
    `The dice show ${list(faces.map(String))}. You may change a die by one: ${count(modifies, "change")} left.`,
  ]);
}

export function buildDefencePanel({ decision: { choices }, view, choose }) {
  const { stamina, brake, evade, chariot } = choices;
  const price = `${stamina} stamina`;
  const answers = [
    {
      action: { kind: "defend", means: "brake" },
      said: "brake",
      tip: "defence_brake",
      told: `Brake: ${tellOdds(brake)}, ${price}`,
    },
    {
      action: { kind: "defend", means: "evade" },
      said: "evade",
      tip: "evade",
      told: `Evade: ${evade ? tellOdds(evade) : "no roll"}, ${price}`,
    },
    { action: { kind: "endure" }, said: "let the attack come", told: "Let it come: free" },
  ];
  const isWorthIt = view.chariots[chariot].stamina.left > stamina && (evade?.passing_faces ?? 6) >= 3;
  return buildAnswers(answers, isWorthIt ? 1 : 2, choose, [`${tellThreat(view, choices)} Defend yourself?`]);
}

export function buildCutLoosePanel({ decision: { choices }, view, choose }) {
  const answers = [
    { action: { kind: "cut_loose" }, said: "cut loose", told: `Cut loose with the knife: ${tellOdds(choices.odds)}` },
    { action: { kind: "hang_on" }, said: "hang on", told: "Hang on: dragged further, which costs health each turn" },
  ];
  return buildAnswers(answers, 1, choose, [
    `Your driver is dragged behind his horses with ${view.chariots[choices.chariot].health.left} health, and can ` +
      "still win so. Cut loose, he is on foot and out of the race.",
  ]);
}

export function buildClimbPanel({ decision: { choices }, choose }) {
  const odds = choices.odds.map((each) => `${each.odds.passing_faces} of 6 with token ${each.token}`).join(", ");
  const answers = [
    ...choices.aims.map((aim) => ({
      action: { kind: "climb", aim },
      said: AIMS[aim],
      told: `${capital(AIMS[aim])}: ${odds}`,
    })),
    { action: { kind: "stay_put" }, said: "stay in the body", told: "Stay in the body" },
  ];
  return buildAnswers(answers, 0, choose, [
    "Your driver may climb out on the shaft, and reach there at the end of the next turn. Until then no hand holds " +
      "the reins.",
  ]);
}

// `answers` are {action, said, told, show}; one of them is chosen at first.
function buildAnswers(answers, first, choose, lines) {
  const buttons = answers.map((each) => {
    const made = button(each.told, () => pick(each), { "aria-pressed": "false", "data-tip": each.tip });
    if (each.note) made.append(el("span", { class: "note" }, each.note));
    return made;
  });
  const pick = (chosen) => {
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", `${answers[place] === chosen}`));
    chosen.show?.();
    choose(chosen.action, chosen.said);
  };
  pick(answers[first]);
  return {
    element: el(
      "div",
      { class: "answer-panel" },
      lines.filter(Boolean).map((each) => el("p", {}, each)),
      el("div", { class: "buttons answers", role: "group", "aria-label": "Answers" }, buttons),
    ),
  };
}

// The fastest token whose least way is free, and after which the track is still within its turn.
function findToken({ tokens, outlook }) {
  if (!outlook) return 0;
  const found = tokens.findLastIndex((offer) => offer.min_um <= outlook.free_um && !findBend(offer, outlook));
  return Math.max(found, 0);
}

// The first turn of the track within the least way that is wider than a pivot.
function findBend({ min_um: min, pivot_degrees: widest }, { turns }) {
  return turns.find(({ ahead_um: ahead, degrees }) => ahead <= min && Math.abs(degrees) > widest);
}

function tellFit(offer, outlook) {
  const { min_um: min, max_um: max } = offer;
  const bend = findBend(offer, outlook);
  if (min > outlook.free_um) return `Too fast: after ${tellCm(outlook.free_um)} it runs into something.`;
  if (bend) return `Too fast for the bend: the track turns by ${Math.abs(bend.degrees)}°.`;
  return max > outlook.free_um && outlook.free_um < reachOf(outlook)
    ? `Possible; stop after ${tellCm(outlook.free_um)} at most.`
    : "The way is free.";
}

// The server measures no further.
function reachOf({ turns }) {
  return turns.at(-1).ahead_um;
}

function tellOutlook(outlook) {
  const { free_um: free, turns } = outlook;
  const { degrees } = turns.at(-1);
  const reach = tellCm(reachOf(outlook));
  return (
    `Straight ahead ${free < reachOf(outlook) ? tellCm(free) : `at least ${reach}`} are free. ` +
    `${degrees ? `${reach} on, the track leads ${tellSide(degrees)}.` : "The track leads straight on."}`
  );
}
