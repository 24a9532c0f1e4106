// The chariots of Chariotmaster: their displays, their moves, and how far along the middle of the track they have come.

import { display, facts, meter, showMove, tellChoice } from "../../board/displays.js";
import { el } from "../../parts/dom.js";
import { seatColour } from "../../board/factions.js";
import { chariotName, fullName, inSeat } from "../../parts/names.js";
import { capital, count, spaced, tellLap } from "../../parts/words.js";
import { chariotOf, isObject, isWreck, measure } from "./course.js";

const UM_PER_CM = 10_000;
const DRIVERS = { dragged: "dragged behind the horses", on_foot: "on foot", left: "off the track", dead: "dead" };

// `turn` are the lines of the game turn so far, `owed` the decisions that the game waits for.
/** @type {Picture.Ruleset<Api.Chariotmaster1RulesetBoard>["showDisplays"]} */
export function showDisplays(view, { turn, owed }) {
  const order = [...view.chariots].sort(
    (one, other) => (one.place ?? 99) - (other.place ?? 99) || other.progress_um - one.progress_um,
  );
  return order.map((chariot) => showChariot(chariot, view, { turn, owed }));
}

function showChariot(chariot, view, { turn, owed }) {
  const ahead = view.chariots.filter((each) => each.is_racing && each.progress_um > chariot.progress_um).length;
  const standing = chariot.place
    ? `finished in place ${chariot.place}`
    : chariot.is_racing
      ? `place ${ahead + 1 + view.finished.length}, ${tellLap(chariot.laps_completed, view.laps)}`
      : "out of the race";
  const conditions = listConditions(chariot);
  const value = (name) => [capital(name), points(chariot[name]), chariot[name].modifier ? `${name} modifier` : name];
  return display(
    {
      colour: seatColour(chariot.seat),
      title: fullName(chariot.seat),
      note: standing,
      isOut: !chariot.is_racing && !chariot.place,
    },
    facts(
      value("stamina"),
      value("structure"),
      value("health"),
      value("skill"),
      [
        "Horses",
        chariot.dead_horses ? `${chariot.horses}, ${chariot.dead_horses} dead` : `${chariot.horses}`,
        "horses",
      ],
      [
        "Tokens",
        el(
          "span",
          {},
          chariot.tokens.map((token) => showPiece({ token })),
        ),
        "token",
      ],
    ),
    conditions.length
      ? el(
          "ul",
          { class: "conditions", "aria-label": "Conditions", "data-tip": "conditions" },
          conditions.map((each) => el("li", {}, each)),
        )
      : null,
    el("p", { class: "note choice" }, tellChoice(owed, chariot.seat)),
    showMove(findMove(chariot.chariot, turn)),
    el(
      "p",
      { class: "note equipment" },
      chariot.race ? `${capital(spaced(chariot.race))}: ` : "",
      chariot.equipment.map((each) =>
        el("span", { "data-tip": each, "data-head": capital(spaced(each)) }, spaced(each)),
      ),
    ),
  );
}

// The values of the chariot that is asked about, else of the seat's first: [name, value, tip].
/** @type {Picture.Ruleset<Api.Chariotmaster1RulesetBoard>["showOwn"]} */
export function showOwn(view, seat) {
  const own = view.chariots.filter((each) => each.seat === seat);
  const chariot = own.find((each) => each.chariot === view.active) ?? own[0];
  if (!chariot?.stamina) return [];
  return ["stamina", "structure", "health", "skill"].map((name) => [capital(name), points(chariot[name]), name]);
}

function points({ left, start, modifier }) {
  return el(
    "span",
    {},
    meter(left, start, "points"),
    modifier ? el("span", { class: "note" }, ` +${modifier} on the table`) : "",
  );
}

function listConditions(chariot) {
  return [
    DRIVERS[chariot.driver] ? `driver ${DRIVERS[chariot.driver]}` : null,
    chariot.has_body ? null : "body wrecked",
    chariot.has_reins || chariot.driver !== "riding" ? null : "reins lost",
    chariot.grasp ? `reaches for the ${spaced(chariot.grasp.aim)}` : null,
    chariot.has_whip ? null : "whip lost",
    chariot.has_knife ? null : "knife lost",
    chariot.is_exhausted ? "horses exhausted" : null,
    chariot.has_damaged_wheel ? "wheel damaged" : null,
    chariot.is_halted ? "halted" : null,
    chariot.unconscious_for ? `unconscious for ${count(chariot.unconscious_for, "turn")}` : null,
    chariot.out_of_control_for ? `out of control for ${count(chariot.out_of_control_for, "turn")}` : null,
    chariot.fallen_for ? `horses down for ${count(chariot.fallen_for, "turn")}` : null,
  ].filter(Boolean);
}

// `turn` are the lines of one game turn, or of its beginning; null where the chariot was not drawn in them.
/** @type {Picture.Ruleset<Api.Chariotmaster1RulesetBoard>["findMove"]} */
export function findMove(chariot, turn) {
  const begins = turn.findLastIndex((line) => line.type === "turn_began" && line.data.chariot === chariot);
  if (begins < 0) return null;
  const { version, data } = turn[begins];
  const length = turn.slice(begins + 1).findIndex(({ type }) => type === "turn_began");
  const own = turn.slice(begins, length < 0 ? undefined : begins + 1 + length);
  const made = own
    .filter((line) => line.type === "sub_move_made" && line.data.chariot === chariot)
    .map((line) => line.data.travelled_um);
  const isOver = own.some(({ type }) => type === "turn_ended");
  return {
    version,
    begins: version,
    title: `Distance by the token ${data.token}, in centimetres`,
    parts: made.map((travelled, index) => [index ? "more" : "at first", tellCm(travelled - (made[index - 1] ?? 0))]),
    total: made.length ? tellCm(made.at(-1)) : null,
    said: made.length ? `${tellCm(made.at(-1))} cm` : null,
    pieces: [{ token: data.token }],
    notes: [
      ...listDeeds(chariot, own),
      ...(made.length ? [] : [isOver ? "stays" : `has ${tellCm(data.min_um)} to ${tellCm(data.max_um)} cm to go`]),
    ],
  };
}

// The deeds of a chariot in its turn, and its losses; lost points are added up.
function listDeeds(chariot, own) {
  const lost = new Map();
  for (const { type, data } of own) {
    if (type !== "points_lost") continue;
    const key = `${data.chariot === chariot ? "" : `${namePiece(data.chariot)} `}${data.kind}`;
    lost.set(key, (lost.get(key) ?? 0) + 1);
  }
  const told = own.map(({ type, data }) => DEEDS[type]?.(data, chariot)).filter(Boolean);
  return [...new Set(told), ...[...lost].map(([key, points]) => `${key} −${points}`)];
}

const ofOther = (chariot, own, said) => (chariot === own ? said : `${namePiece(chariot)}: ${said}`);
const MEANS = { whip_horses: "whips the horses of", whip_driver: "whips", knife: "draws the knife at" };
const DEEDS = {
  speed_changed: ({ change, face, chariot }, own) =>
    ofOther(chariot, own, `${{ brake: "brakes", spur: "spurs", whip: "whips" }[change] ?? change} (${face})`),
  sub_move_tested: ({ is_passed: isPassed }) => (isPassed ? "dares another turn" : "skids"),
  pieces_collided: ({ initiator, target, is_ram: isRam }, own) =>
    `${initiator === own ? "" : `${namePiece(initiator)} `}${isRam ? "rams" : "runs into"} ${namePiece(target)}`,
  attack_announced: ({ means, target }) => `${MEANS[means] ?? spaced(means)} ${namePiece(target)}`,
  defence_tried: ({ chariot, means, is_passed: isPassed }) =>
    `${namePiece(chariot)} ${isPassed ? `gets away (${means})` : `fails to ${means}`}`,
  chariot_crashed: ({ chariot }, own) => ofOther(chariot, own, "crashes"),
  horse_died: ({ chariot }, own) => ofOther(chariot, own, "a horse dies"),
  driver_died: ({ chariot }, own) => ofOther(chariot, own, "driver dead"),
  condition_gained: ({ chariot, condition }, own) => ofOther(chariot, own, spaced(condition)),
  lap_completed: ({ chariot, lap }, own) => (chariot === own ? `completes lap ${lap}` : null),
  chariot_finished: ({ chariot, place }, own) => (chariot === own ? `finishes in place ${place}` : null),
};

// A chariot, its wreck, its driver on foot, a wall, or an obstacle of the course.
function namePiece(piece) {
  if (piece < 0) return isObject(piece) ? "an obstacle" : "the wall";
  const name = chariotName(chariotOf(piece));
  return isWreck(piece) ? `the wreck of ${name}` : name;
}

// A token of the mug.
export function showPiece({ token }) {
  return el("span", { class: "token coin", "data-tip": "token" }, `${token}`);
}

function tellCm(um) {
  return Math.round((um / UM_PER_CM) * 10) / 10;
}

// Where a chariot stands now, or that it is out; how far along that is needs the course, which the view has.
/** @type {Picture.Ruleset<Api.Chariotmaster1RulesetBoard>["findPlaces"]} */
export function findPlaces({ type, data }) {
  if (type === "chariot_placed") return [{ key: data.chariot, pose: data.pose }];
  if (type === "piece_moved" && !isWreck(data.piece)) return [{ key: chariotOf(data.piece), pose: data.after }];
  if (type === "chariot_finished") return [{ key: data.chariot, place: data.place }];
  if (type === "driver_died" || type === "driver_left") return [{ key: data.chariot, isOut: true }];
  if (type === "seat_withdrawn") return data.chariots.map((chariot) => ({ key: chariot, isOut: true }));
  return [];
}

// Makes a function that describes how far a place is; asked in the order of the race, it counts the laps.
export function buildMeasure(view) {
  const before = new Map();
  const { lap_um: lap } = view.course;
  return ({ key, pose }) => {
    const along = measure(view.course, pose);
    // The grid is behind the line. After that no chariot goes half a lap in one movement.
    const last = before.get(key) ?? 0;
    const progress = along + Math.round((last - along) / lap) * lap;
    before.set(key, progress);
    return progress;
  };
}

/** @type {Picture.Ruleset<Api.Chariotmaster1RulesetBoard>["listChariots"]} */
export function listChariots({ chariots }) {
  const tellFate = ({ is_racing: isRacing, place, driver }) =>
    isRacing || place ? null : DRIVERS[driver] ? `driver ${DRIVERS[driver]}` : "out of the race";
  return chariots.map((each) => ({
    key: each.chariot,
    colour: seatColour(each.seat),
    name: tellOwner(each.chariot, chariots),
    seat: each.seat,
    fate: tellFate(each),
    progress: each.is_racing ? each.progress_um : null,
  }));
}

// The driver's name; where a driver has several chariots, with the place of this one among them.
export function tellOwner(chariot, chariots) {
  const { seat } = chariots[chariot];
  const own = chariots.filter((each) => each.seat === seat);
  return own.length > 1 ? `${inSeat(seat)} ${own.findIndex((each) => each.chariot === chariot) + 1}` : inSeat(seat);
}

export function tellDistance(um) {
  return `${Math.round(um / UM_PER_CM)} cm`;
}
