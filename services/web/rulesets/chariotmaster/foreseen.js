// The choices and previews of Chariotmaster in words: distances in centimetres, odds in faces of a die, prices in
// stamina.

import { capital, count, list } from "../../parts/words.js";
import { chariotOf, isObject, isOnFoot, isWreck } from "./course.js";
import { tellOwner } from "./displays.js";

const UM_PER_CM = 10_000;
const ATTACKS = {
  ram: (rival) => `ram ${rival}`,
  whip_horses: (rival) => `whip the horses of ${rival}`,
  whip_driver: (rival) => `whip the driver of ${rival}`,
  ram_with_horses: (rival) => `ram ${rival} with the horses`,
  bite: (rival) => `let the horses bite ${rival}`,
};
const READINGS = { fast: "fast horses: token 10 leads up to 18 cm", boars: "boars: token 10 leads up to 13 cm" };

export function tellCm(um) {
  return `${toCm(um)} cm`;
}

export function tellRange(min, max) {
  return `${toCm(min)} to ${tellCm(max)}`;
}

function toCm(um) {
  return `${Math.round((um / UM_PER_CM) * 10) / 10}`.replace("-", "−");
}

export function tellOdds({ passing_faces: passing }) {
  return `${passing} of 6 faces pass`;
}

export function tellSide(degrees) {
  return degrees ? `${Math.abs(degrees)}° to the ${degrees > 0 ? "left" : "right"}` : "straight on";
}

// An attack on the viewer's own chariot.
export function tellThreat(view, { attacker, means }) {
  return `${capital(tellPiece(view, attacker))} is about to ${ATTACKS[means]("your chariot")}.`;
}

export function tellAttack(view, { means, target, part_name: part }) {
  const more = means.startsWith("whip") ? "" : ` (${part})`;
  return `${ATTACKS[means](tellPiece(view, target))}${more}`;
}

// A piece on the table, by its number; below 0 stand walls and obstacles.
export function tellPiece(view, piece) {
  if (piece < 0) return isObject(piece) ? "an obstacle" : "a wall";
  const owner = tellOwner(chariotOf(piece), view.chariots);
  if (isWreck(piece)) return `the wreck of ${owner}`;
  return isOnFoot(piece) ? `the driver of ${owner}` : owner;
}

export function tellContacts(view, contacts) {
  return list([...new Set(contacts.map(({ piece }) => tellPiece(view, piece)))]);
}

// What a preview foresees, as sentences.
export function tellForeseen(view, effect) {
  return TELL[effect.kind](effect, view)
    .filter(Boolean)
    .map((each) => `${capital(each)}.`)
    .join(" ");
}

const TELL = {
  build_chariot: ({ fitting }) => [
    `stamina ${fitting.stamina}, structure ${fitting.structure}, skill ${fitting.skill}, health ${fitting.health}`,
    list(
      [
        READINGS[fitting.reading],
        fitting.bite ? `bites with ${count(fitting.bite, "die", "dice")}` : null,
        fitting.rams_with_horses ? "rams with its horses" : null,
        fitting.modifies ? `changes ${count(fitting.modifies, "die", "dice")} by luck` : null,
        fitting.is_frightening ? "is frightening" : null,
      ].filter(Boolean),
    ),
  ],
  put_token: ({ offer }) => [
    `goes ${tellRange(offer.min_um, offer.max_um)}, and turns up to ${offer.pivot_degrees}° after each sub-move`,
  ],
  change_speed: ({ min_um: [minLow, minHigh], max_um: [maxLow, maxHigh], price }) => [
    `the least way becomes ${tellRange(minLow, minHigh)}, the longest ${tellRange(maxLow, maxHigh)}`,
    tellPrice(price),
  ],
  announce: ({ odds, skid }, view) => [tellOdds(odds), `else it skids ${tellWay(skid, view)}`],
  make_sub_move: ({ way, end, left_um: left, price }, view) => [
    `goes ${tellWay(way, view)}`,
    end ? tellEnd(end) : "a collision may hold it on the way",
    left > 0 ? `${tellCm(left)} left after it` : null,
    tellPrice(price),
  ],
  make_u_turn: ({ end }) => [tellEnd(end), "nothing else happens in this turn"],
  go_on: ({ way }, view) => [`goes on ${tellWay(way, view)}`],
  stop: ({ travelled_um: travelled }) => [`the turn ends after ${tellCm(travelled)}`],
  attack: ({ price, may_be_defended: mayDefend, dice, duel_won: won, duel_drawn: drawn }) => [
    dice ? tellDice(dice) : null,
    won === undefined || won === null ? null : `the duel is won in ${won} and drawn in ${drawn} of 36 throws`,
    mayDefend ? "the driver may brake or evade" : "it cannot be avoided",
    tellPrice(price),
  ],
  luck: ({ faces, modifies_left: left }) => [
    `the dice show ${list(faces.map(String))}`,
    `${count(left, "change")} by luck left`,
  ],
  defence: ({ price, odds, means }) => [
    means ? (odds ? tellOdds(odds) : "it needs no roll") : "the attack goes on",
    tellPrice(price),
  ],
  walk: ({ distance_um: distance, leaves_track: leaves }) => [
    `${distance ? `walks ${tellCm(distance)}` : "stays"}${leaves ? " and leaves the track" : ""}`,
  ],
  cut_loose: ({ odds }) => [tellOdds(odds)],
  climb: ({ odds }) => [
    ...odds.map((each) => `with token ${each.token}: ${tellOdds(each.odds)}`),
    "no hand holds the reins until then",
  ],
  stay: ({ health_min: min, health_max: max }) => [
    max ? `costs ${min} to ${max} health at the start of the next turn` : "no risk",
  ],
};

function tellWay({ distance_um: distance, clash }, view) {
  if (!clash) return `${tellCm(distance)} and touches nothing`;
  return `${tellCm(distance)}, then runs into ${tellPiece(view, clash.met.piece)}: ${tellDice(clash.dice)}`;
}

function tellEnd({ gain_um: gain, free_um: free, off_track_degrees: off }) {
  return (
    `${tellCm(gain)} gained along the track, ${tellCm(free)} free ahead, ` +
    `${off ? `turned ${tellSide(off)} of it` : "facing along it"}`
  );
}

function tellDice({ own, theirs, hit_faces: faces }) {
  return `${count(own, "die", "dice")} against ${theirs}, each hits with ${faces} of 6 faces`;
}

export function tellPrice({ stamina, table_rolls: rolls }) {
  if (!stamina) return null;
  const missing = `, of which ${rolls} is missing: ${count(rolls, "roll")} on the stamina table first`;
  return `costs ${stamina} stamina${rolls ? missing : ""}`;
}
