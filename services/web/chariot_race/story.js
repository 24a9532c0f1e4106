// The story of Chariot Race in plain sentences, one function for each tag that its rules write.

import { inSeat, seat } from "../names.js";
import { capital, count, list } from "../words.js";
import { FACES } from "./faces.js";

const RACE_ENDS = {
  finished: "somebody has finished and the round is complete",
  no_chariot_left: "no chariot is left",
  rounds_max: "the last round is over",
  one_seat_left: "one seat is left",
};
const WRECKS = {
  sprint: "from sprinting",
  corner: "in the corner",
  caltrop: "on a caltrop",
  ram: "in a ram",
  heap: "on a heap of stones",
  javelin: "by a javelin",
};
const THROWS = { first: "throws", free: "throws again, for free,", paid: "pays fate to throw again" };

// What the scrubber marks.
export const MARKS = { round_began: "turn", lap_completed: "lap", race_ended: "end" };

export const SENTENCES = {
  start_order_drawn: (data) => `The lot decides who starts where: ${list(data.seats.map((each) => inSeat(each)))}.`,
  first_chooser_drawn: (data) => `${seat(data.seat)} chooses first.`,
  board_chosen: (data) =>
    `${seat(data.seat)} takes ${data.chariot}: damage ${data.damage_left}, speed ${data.speed}, fate ${data.fate}.`,
  chariot_placed: (data) => `${name(data)} takes grid place ${data.place}, on ${data.space}.`,
  round_began: (data) => `Round ${data.round}, in the order ${list(data.order)}.`,
  turn_began: (data) => `${name(data)}'s turn, driven by ${inSeat(data.seat)}.`,
  chariot_repaired: (data) =>
    `${name(data)} repairs ${data.repaired}, now ${data.damage_left} from being wrecked, and has ${data.fate} fate left.`,
  speed_adjusted: (data) => `${name(data)} is too damaged for speed ${data.speed_before} and slows to ${data.speed}.`,
  dice_thrown: (data) => `${name(data)} ${THROWS[data.throw]} ${count(data.dice.length, "die", "dice")}.`,
  dice_kept: (data) => `${name(data)} keeps its dice.`,
  die_turned: (data) => `${name(data)} pays to turn a die to ${FACES[data.face]}; ${data.fate} fate left.`,
  dice_settled: (data) =>
    data.faces.length
      ? `${name(data)} has ${list(data.faces.map((face) => FACES[face]))}.`
      : `${name(data)} drives without dice.`,
  fortuna_favoured: (data) => `Fortuna smiles on ${data.chariot}: fate ${data.fate}.`,
  speed_set: tellSpeed,
  chariot_moved: (data) => `${name(data)} drives ${count(data.path.length, "space")} to ${data.path.at(-1)}.`,
  corner_taken: (data) =>
    `${name(data)} takes the corner at ${data.speed}, limit ${data.limit}: ${damage(data.damage, data.damage_left)}.`,
  caltrop_hit: (data) => `${name(data)} drives over a caltrop: ${damage(data.damage, data.damage_left)}.`,
  heap_struck: (data) => `${name(data)} crashes into a heap of stones on ${data.space}.`,
  chariot_rammed: (data) =>
    `${name(data)} rams ${data.rammed}: ${damage(data.damage, data.damage_left)}; ` +
    `${data.rammed} ${data.rammed_damage ? damage(data.rammed_damage, data.rammed_damage_left) : "is safe"}.`,
  chariot_set_back: (data) => `${name(data)} is set back behind ${data.behind}, to ${data.space}.`,
  chariot_wrecked: (data) =>
    `${name(data)} is wrecked ${WRECKS[data.cause]} on ${data.space}` +
    `${data.caltrop ? "; what is left lies there as a caltrop" : ""}.`,
  lap_completed: (data) => `${name(data)} completes lap ${data.laps}.`,
  lap_undone: (data) => `${name(data)} is pushed back over the line; its laps count ${data.laps} again.`,
  move_ended: (data) =>
    data.attacks
      ? `${name(data)} stands on ${data.space} and may attack ${count(data.attacks, "time")}.`
      : `${name(data)} stands on ${data.space}.`,
  caltrop_dropped: (data) => `${name(data)} drops a caltrop on ${data.space}.`,
  javelin_thrown: (data) =>
    `${name(data)} hits ${data.target} with a javelin from ${count(data.distance, "space")} away: ` +
    `${data.target} ${damage(data.damage, data.target_damage_left)}.`,
  turn_ended: (data) => `${name(data)}'s turn is over.`,
  withdrawal_announced: (data) => `${seat(data.seat)} gives up and leaves at the end of this turn.`,
  seat_withdrawn: (data) => `${seat(data.seat)} leaves the track with ${list(data.chariots)}.`,
  race_ended: (data) =>
    `The race is over: ${RACE_ENDS[data.reason]}. ` +
    `${data.finishers.length ? `${capital(list(data.finishers))} crossed the line.` : "Nobody crossed the line."}`,
};

// Told small: what the next line tells better.
export const QUIET = new Set(["dice_thrown", "move_ended", "turn_ended"]);

function name(data) {
  return capital(data.chariot);
}

function damage(lost, left) {
  return `loses ${lost}, ${left} left`;
}

function tellSpeed(data) {
  const changes = [
    data.pluses && `+${data.pluses}`,
    data.minuses && `−${data.minuses}`,
    data.sprints && count(data.sprints, "sprint"),
  ].filter(Boolean);
  const why = changes.length ? ` (from ${data.speed_before}: ${changes.join(", ")})` : "";
  const cost = data.damage ? `; ${damage(data.damage, data.damage_left)}` : "";
  return `${name(data)} drives at speed ${data.speed}${why}${cost}.`;
}
