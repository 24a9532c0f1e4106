// The steps that a driver may take in his turn, each with its price and its odds, and the one that a sensible driver
// takes.

import { capital } from "../../parts/words.js";
import { tellAttack, tellCm, tellContacts, tellOdds, tellSide } from "./foreseen.js";

const WAYS = { ahead: "Ahead", left: "Sweep left", right: "Sweep right" };
const SPEEDS = { brake: "Brake: 1 stamina", spur: "Spur: 1 stamina", whip: "Whip: 1 stamina" };
const MM = 1000;

// {key, told, said, action}; a way and a U-turn have `way` or `turns` in place of an action: they are steered.
export function listSteps(choices, view) {
  const { ways, u_turns: turns, speeds, test, skid, attacks } = choices;
  return [
    ...ways
      .map((way) => ({ way, lengths: listLengths(way) }))
      .filter(({ lengths }) => lengths.length)
      .map(({ way, lengths }) => ({
        key: way.way,
        way,
        lengths,
        told: `${WAYS[way.way]}${way.stamina ? `: ${way.stamina} stamina` : ""}`,
      })),
    ...(turns.length ? [{ key: "turn", turns, told: "Turn round on the spot" }] : []),
    ...(test
      ? [
          {
            key: "announce",
            action: { kind: "announce" },
            told: `Another sub-move: ${tellOdds(test)}, else a skid`,
            said: "dare another sub-move",
          },
        ]
      : []),
    ...speeds.map((change) => ({
      key: change,
      action: { kind: "change_speed", change },
      told: SPEEDS[change],
      said: change,
    })),
    ...attacks.flatMap((each) => [
      buildAttack(each, view),
      ...(each.means.startsWith("ram") ? [buildAttack(each, view, { holdsBack: true })] : []),
    ]),
    ...(choices.may_go_on
      ? [{ key: "go_on", action: { kind: "go_on" }, told: tellSkid(skid, view), said: "go on" }]
      : []),
    ...(choices.may_stop
      ? [{ key: "stop", action: { kind: "stop" }, told: "Stop: the turn is over", said: "stop" }]
      : []),
  ];
}

// A ram may do without its extra dice.
function buildAttack(attack, view, { holdsBack = false } = {}) {
  const { means, target, part, stamina } = attack;
  const said = `${tellAttack(view, attack)}${holdsBack ? ", holding back" : ""}`;
  const key = `${means}-${target}-${part}${holdsBack ? "-held" : ""}`;
  return {
    key,
    attack,
    holdsBack,
    said,
    told: `${capital(said)}${stamina ? `: ${stamina} stamina` : ""}`,
    action: { kind: "attack", target, part, means, holds_back: holdsBack },
  };
}

// The lengths that a way may have, shortest first: whole millimetres, up to contact (null), and across a small piece.
function listLengths({ distances, may_touch: mayTouch, contact_um: contact, passage }) {
  const span = ({ low_mm: low, high_mm: high }) =>
    Array.from({ length: high - low + 1 }, (_, place) => ({ mm: low + place, um: (low + place) * MM }));
  return [
    ...(distances ? span(distances) : []),
    ...(mayTouch && contact % MM ? [{ mm: null, um: contact }] : []),
    ...(passage ? span(passage.distances).map((each) => ({ ...each, isAcross: true })) : []),
  ];
}

export function tellLength({ mm, um, isAcross }, { contact_um: contact, contacts }, view) {
  if (isAcross) return `${tellCm(um)}, across ${tellContacts(view, contacts)}`;
  return mm === null || um === contact ? `${tellCm(um)}, until it touches ${tellContacts(view, contacts)}` : tellCm(um);
}

// The candidates that end somewhere, best first: a long way along the track that ends with room ahead, and costs
// nothing.
export function rankEnds({ candidates }, turn) {
  const missing = turn.min_um - turn.travelled_um;
  const worth = ({ action, end }) => {
    const isShort = (action.distance_mm ?? 0) * MM < missing;
    return (
      end.gain_um / MM +
      0.7 * Math.min(end.free_um / MM, 120) -
      1.2 * Math.abs(end.off_track_degrees) -
      (isShort ? 60 : 0) -
      (action.way && action.way !== "ahead" ? 80 : 0)
    );
  };
  return candidates
    .filter(({ end }) => end)
    .map((each) => ({ ...each, worth: worth(each) }))
    .sort((one, other) => other.worth - one.worth);
}

export function tellEnd({ action, end }) {
  const turned = action.pivot ? `, turned ${tellSide(action.pivot.degrees)}` : "";
  const distance = action.distance_mm ? tellCm(action.distance_mm * MM) : "until contact";
  const way = action.way ? `${WAYS[action.way].toLowerCase()} ${distance}` : "on the spot";
  return `${capital(way)}${turned}: gains ${tellCm(end.gain_um)}, ${tellCm(end.free_um)} free`;
}

function tellSkid({ distance_um: distance, contacts }, view) {
  return `Go on for ${tellCm(distance)}${contacts.length ? `, into ${tellContacts(view, contacts)}` : ""}`;
}
