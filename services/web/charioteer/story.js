// The story of Charioteer in plain sentences, one function for each tag that its rules write.

import { inSeat, seat } from "../names.js";
import { count, list } from "../words.js";

const EMPEROR = {
  sprint: "wishes for sprints (green)",
  attack: "wishes for attacks (red)",
  recover: "wishes for recovery (yellow)",
  corner: "wishes for corners (black)",
  all: "wishes for everything",
  disrupt: "disrupts the race",
};
const CAUSES = {
  emperor: "from the emperor",
  minor_attack: "from a minor attack",
  major_attack: "from a major attack",
};
const IGNORED = {
  boxes_full: "its boxes are full",
  shield: "it has a shield",
  reset: "it calms its horses",
};
const WHIP_ENDS = {
  spent: "the steps are spent",
  rival_ahead: "a rival is ahead",
  is_leading: "it leads",
  has_passed: "it has passed a rival",
  first_turn: "the whip does nothing in the first turn",
};
const RACE_ENDS = {
  line_crossed: "the line is crossed",
  turns_max: "the last turn is over",
  last_seat: "one seat is left",
};

// What the scrubber marks.
export const MARKS = { turn_began: "turn", lap_completed: "lap", race_ended: "end" };

export const SENTENCES = {
  cards_drawn: (data) => `${seat(data.seat)} draws ${count(data.draws.length, "card")}.`,
  crowd_card_dealt: (data) => `The crowd shows ${data.card}.`,
  crowd_cards_slid: () => "The crowd's first card goes, the others move up.",
  skills_card_drawn: (data) => `${seat(data.seat)} is best at ${data.order[0]}, then ${list(data.order.slice(1))}.`,
  first_player_chosen: (data) => `${seat(data.seat)} is the first player.`,
  turn_began: (data) => `Turn ${data.turn}: the emperor ${EMPEROR[data.emperor]}.`,
  damage_taken: tellDamage,
  moves_closed: () => "All have chosen; now all must open.",
  move_revealed: tellMove,
  reset_revealed: (data) =>
    `${seat(data.seat)} stands still to calm its horses, with ${cards(data.cards)}${tellStack(data)}.`,
  move_forfeited: (data) =>
    `${seat(data.seat)} stands still: it loses ${count(data.discarded.length, "card")}` +
    `${data.tokens.length ? ` and ${list(data.tokens.map((each) => each.token))}` : ""}.`,
  boxes_closed: (data) =>
    `${seat(data.seat)} ${data.reason === "shield" ? "raises a shield" : "closes its attack boxes"}` +
    `${data.removed ? ` and is rid of ${count(data.removed, "cube")}` : ""}.`,
  chariot_calmed: (data) => `${seat(data.seat)} clears its damage box of ${count(data.removed, "cube")}.`,
  damage_recovered: (data) =>
    `${seat(data.seat)} recovers from ${count(data.removed, "cube")} of damage; ${data.left || "none"} left.`,
  distance_reckoned: (data) => `${seat(data.seat)} goes ${data.distance}: ${tellSum(data)}.`,
  chariot_moved: tellWay,
  whip_used: (data) =>
    `${seat(data.seat)} uses ${count(data.whips, "whip")} for ${data.entered.length} of ` +
    `${count(data.steps_max, "step")}: ${WHIP_ENDS[data.ended_by]}.`,
  lap_completed: (data) => `${seat(data.seat)} completes lap ${data.lap}.`,
  skill_advanced: tellSkill,
  fan_token_earned: (data) =>
    data.fan_token === null
      ? `${seat(data.seat)} pleases the fans with ${data.symbols} symbols, but their bag is empty.`
      : `${seat(data.seat)} earns a fan token for ${data.symbols} symbols.`,
  lap_counter_turned: (data) => `Lap ${data.lap} begins.`,
  table_cleared: (data) => `Turn ${data.turn} is over; the table is cleared.`,
  chariot_withdrawn: (data) => `The chariot of ${inSeat(data.seat)} leaves the race.`,
  race_ended: (data) => `The race is over: ${RACE_ENDS[data.reason]}. ${seat(data.order[0])} is in front.`,
};

// Told small: what the next line tells better.
export const QUIET = new Set(["cards_drawn", "moves_closed", "crowd_cards_slid", "table_cleared"]);

function tellDamage(data) {
  const cause = data.attacker === null ? CAUSES[data.cause] : `${CAUSES[data.cause]} by ${inSeat(data.attacker)}`;
  const taken = `${seat(data.seat)} takes ${data.cubes ? count(data.cubes, "cube") : "no cube"} ${cause}`;
  return data.ignored ? `${taken}; ${data.ignored} ignored, as ${IGNORED[data.ignored_because]}.` : `${taken}.`;
}

function tellMove(data) {
  const crowd = data.crowd_card ? " and the crowd's card" : "";
  const token = data.token ? `, with the token ${data.token}` : "";
  return `${seat(data.seat)} plays ${data.symbol} with ${cards(data.cards)}${crowd}${token}${tellStack(data)}.`;
}

function tellStack(data) {
  return data.discarded.length ? `; ${count(data.discarded.length, "card")} thrown away unseen` : "";
}

function cards(shown) {
  return shown.length ? list(shown.map((each) => `“${each.card}”`)) : "no card";
}

function tellSum(data) {
  const parts = [`${count(data.symbols, "symbol")} + ${data.number} of ${data.symbol}`];
  if (data.token) parts.push(` + ${data.token} token`);
  if (data.skill) parts.push(` + ${data.skill} skill`);
  if (data.damage) parts.push(` − ${data.damage} damage`);
  return parts.join("");
}

function tellWay(data) {
  const spaces = data.entered.length;
  const way = spaces ? `enters ${count(spaces, "space")}` : "stays where it is";
  if (!data.passed.length) return `${seat(data.seat)} ${way}.`;
  const paid = data.passed.reduce((sum, each) => sum + each.price, 0);
  const rivals = list([...new Set(data.passed.map((each) => inSeat(each.rival)))]);
  return `${seat(data.seat)} ${way} and passes ${rivals}, which costs ${paid || "nothing"}.`;
}

function tellSkill(data) {
  const steps = ["move", "emperor", "learning"].filter((from) => data[from]).map((from) => `${data[from]} ${from}`);
  const reasons = steps.length ? ` (${steps.join(", ")})` : "";
  return `${seat(data.seat)} advances its ${data.colour} skill to place ${data.place}, bonus ${data.bonus}${reasons}.`;
}
