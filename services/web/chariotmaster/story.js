// The story of Chariotmaster in plain sentences, one function for each tag that its rules write.

import { seat } from "../names.js";
import { capital, count, list, spaced } from "../words.js";
import { tellPiece } from "./pieces.js";

const UM_PER_CM = 10_000;

const REASONS = {
  moved: "drives",
  pushed: "is pushed",
  followed: "is drawn along",
  bounced: "bounces",
  stumbled: "stumbles",
  swept: "is swept aside",
  hurled: "is hurled",
  aligned: "lines up",
  pivoted: "turns",
  whipped: "leaps from the whip",
  braked: "falls back",
  evaded: "evades",
  ran: "runs",
  swerved: "swerves",
  walked: "walks",
};
const CONDITIONS = {
  exhausted: "has exhausted horses",
  damaged_wheel: "has a damaged wheel",
  unconscious: "has a driver without senses",
  out_of_control: "is out of control",
  fallen: "has a driver who has fallen",
  no_reins: "has lost its reins",
  no_knife: "has lost its knife",
  no_whip: "has lost its whip",
};
const EFFECTS = { back_d3: "back by a d3", back_d6: "back by a d6", sweep_left_d6: "swept to the left", sweep_right_d6: "swept to the right" };
const TURN_ENDS = {
  stopped: "stops",
  maximum: "has gone as far as it may",
  u_turn: "has turned round",
  skid: "has skidded",
  collision: "is held up by a collision",
  bounce: "has bounced off",
  control_lost: "is out of control",
  forfeit: "may not go on",
  ran_on: "has run on",
  no_team: "has no team any more",
};
const MEANS = {
  ram: "rams",
  whip_horses: "whips the horses of",
  whip_driver: "whips the driver of",
  ram_with_horses: "rams with its horses",
  bite: "lets its horses bite",
};
const RESULTS = { carried_out: "The attack succeeds.", avoided: "The attack is avoided.", out_of_reach: "The target is out of reach." };
const SPEEDS = { brake: "brakes", spur: "spurs its horses", whip: "whips its horses" };
const RACE_ENDS = {
  places_taken: "every place is taken",
  one_left: "one chariot is left",
  none_left: "nobody is left on the track",
  turn_limit: "the last game turn is over",
  one_seat_left: "one seat is left",
};

// What the scrubber marks.
export const MARKS = { mug_filled: "turn", lap_completed: "lap", race_ended: "end" };

export const SENTENCES = {
  builds_closed: (data) => `All have built: ${count(data.chariots.length, "chariot")} will race.`,
  chariot_built: (data) => `${name(data)} is built${data.race ? ` for the race ${data.race}` : ""}: ${list(data.equipment.map(spaced))}.`,
  chariot_placed: (data) =>
    `${name(data)} starts in row ${data.row + 1}, place ${data.place + 1}${data.extra_stamina ? `, with ${data.extra_stamina} stamina more` : ""}.`,
  mug_filled: (data) => `Game turn ${data.game_turn}: ${count(data.slips.length, "chariot puts", "chariots put")} a token into the mug.`,
  mug_closed: () => "Every token is in the mug.",
  chariot_drawn: (data) => `${name(data)} is drawn from the mug.`,
  token_shown: (data) => `${name(data)} shows a ${data.put_in}${data.token === data.put_in ? "" : `, which counts as a ${data.token}`}.`,
  token_lapsed: (data) =>
    `${name(data)} is out of control and runs by its ${data.token}; its token in the mug stays unseen.`,
  token_forfeited: (data) => `${name(data)} shows no token that counts, and is halted.`,
  turn_began: (data) =>
    `${name(data)} ${data.is_driven ? "may drive" : "runs without being driven"}, ${cm(data.min_um)} to ${cm(data.max_um)} cm.`,
  speed_changed: (data) => `${name(data)} ${SPEEDS[data.change]} with a ${data.face}: ${cm(data.min_um)} to ${cm(data.max_um)} cm now.`,
  token_replaced: (data) => `${name(data)} goes on by the token ${data.token}, ${cm(data.min_um)} to ${cm(data.max_um)} cm.`,
  token_lost: (data) => `${name(data)} loses its token ${data.token} for good.`,
  sub_move_tested: (data) => `${name(data)} dares another turn with a ${tellTest(data)}${data.is_passed ? "and makes it" : "and skids"}.`,
  sub_move_made: (data) => `${name(data)} has come ${cm(data.travelled_um)} cm.`,
  piece_moved: tellMove,
  turn_ended: (data) => `${name(data)} ${TURN_ENDS[data.reason]}.`,
  turn_closed: (data) => `The turn of chariot ${data.chariot} is over.`,
  pieces_collided: tellCollision,
  points_lost: (data) => `${name(data)} loses a point of ${data.kind}; ${data.left || "none"} left.`,
  table_rolled: (data) =>
    `${name(data)} has no ${data.kind} left: ${data.face}${data.modifier ? ` + ${data.modifier}` : ""} on the table of ${spaced(data.table)} means ` +
    `${data.effects.length ? list(data.effects.map((each) => EFFECTS[each] ?? spaced(each))) : "nothing"}.`,
  condition_gained: (data) =>
    `${name(data)} ${CONDITIONS[data.condition]}${data.turn_ends ? `, until the end of ${data.turn_ends === 1 ? "its turn" : "its next turn"}` : ""}.`,
  horse_died: (data) => `A horse of chariot ${data.chariot} drops dead; ${data.horses_left || "none"} left.`,
  chariot_crashed: (data) => `${name(data)} crashes${data.is_driver_dragged ? "; its driver is dragged by the horses" : ""}.`,
  driver_set_down: (data) => `The driver of chariot ${data.chariot} is on foot.`,
  driver_died: (data) => `The driver of chariot ${data.chariot} is dead.`,
  wreck_destroyed: (data) => `The wreck of chariot ${data.chariot} is gone.`,
  cascade_ended: (data) => `After ${count(data.collisions, "collision")} everything comes to rest.`,
  attack_announced: (data) => `${name(data)} ${MEANS[data.means]} ${tellPiece(data.target)}: the ${data.part}.`,
  defence_offered: (data) => `${name(data)} may brake or evade.`,
  defence_chosen: (data) => `${name(data)} ${data.means ? `tries to ${data.means}` : "lets the attack come"}.`,
  defence_tried: (data) =>
    `${name(data)} ${data.face === null ? "shies" : `rolls ${tellFace(data)} to ${data.means}`}, and ${data.is_passed ? "gets away" : "does not get away"}.`,
  attack_ended: (data) => RESULTS[data.result],
  roll_offered: (data) => `${name(data)} may change a roll of ${list(data.faces.map(String))}.`,
  roll_modified: (data) => `By luck, a die of chariot ${data.chariot} shows ${data.face}.`,
  roll_left: (data) => `${name(data)} lets the roll be.`,
  aftermath_began: (data) => `${name(data)} has moved; now its driver acts.`,
  driver_walked: (data) =>
    data.distance_um ? `The driver of chariot ${data.chariot} walks ${cm(data.distance_um)} cm.` : `The driver of chariot ${data.chariot} stays where he is.`,
  grab_tested: (data) =>
    `The driver of chariot ${data.chariot} reaches for the ${spaced(data.aim)} with a ${tellTest(data)}${data.is_passed ? "and gets there" : "in vain"}.`,
  cut_loose_tested: (data) => `The driver of chariot ${data.chariot} ${data.is_passed ? "cuts himself loose" : "cannot cut himself loose"}.`,
  driver_climbed: (data) => `The driver of chariot ${data.chariot} climbs on the shaft, for the ${spaced(data.aim)}.`,
  driver_stayed: (data) => `The driver of chariot ${data.chariot} ${data.declined === "climb" ? "stays in the body" : "holds on to the reins"}.`,
  driver_left: (data) => `The driver of chariot ${data.chariot} has left the track on foot.`,
  lap_completed: (data) => `${name(data)} completes lap ${data.lap}.`,
  line_crossed: (data) => `${name(data)} crosses the line${data.is_dragged ? ", its driver behind the horses" : ""}.`,
  chariot_finished: (data) => `${name(data)} finishes in place ${data.place}.`,
  crossing_voided: (data) => `The driver of chariot ${data.chariot} did not live to finish.`,
  withdrawal_announced: (data) => `${seat(data.seat)} gives up and leaves after this turn.`,
  seat_withdrawn: (data) =>
    `${seat(data.seat)} leaves the track${data.chariots.length ? ` with ${list(data.chariots.map((each) => `chariot ${each}`))}` : ""}.`,
  race_ended: (data) => `The race is over: ${RACE_ENDS[data.reason]}.`,
};

// Told small: what another line tells better.
export const QUIET = new Set(["mug_closed", "chariot_drawn", "sub_move_made", "turn_closed", "aftermath_began", "roll_left", "defence_offered"]);

function name(data) {
  return `Chariot ${data.chariot}`;
}

function cm(um) {
  return Math.round((um / UM_PER_CM) * 10) / 10;
}

function tellMove({ piece, reason, distance_um: distance, before, after }) {
  const turned = (after.heading - before.heading + 540) % 360 - 180;
  const way = distance ? ` ${cm(distance)} cm` : "";
  const turn = turned ? `${way ? "," : ""} by ${Math.abs(turned)}° to the ${turned > 0 ? "left" : "right"}` : "";
  return `${capital(tellPiece(piece))} ${REASONS[reason]}${way}${turn}.`;
}

function tellCollision(data) {
  const rolled = (faces) => (faces.length ? ` with ${list(faces.map(String))}` : "");
  const how = data.is_ram ? "rams" : "runs into";
  return `${capital(tellPiece(data.initiator))}, its ${data.initiator_part}${rolled(data.initiator_faces)}, ${how} ${tellPiece(data.target)}` +
    `${data.target < 0 ? "" : `, its ${data.target_part}${rolled(data.target_faces)}`}.`;
}

function tellFace({ face, modifier }) {
  return `${face}${modifier ? ` ${modifier < 0 ? "−" : "+"} ${Math.abs(modifier)}` : ""}`;
}

function tellTest(data) {
  return `${tellFace(data)} `;
}
