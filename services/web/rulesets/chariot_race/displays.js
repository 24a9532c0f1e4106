// The chariots of Chariot Race: their displays, their moves, and how far they have come.

import { display, facts, meter, showMove } from "../../board/displays.js";
import { el } from "../../parts/dom.js";
import { chariotName, inSeat } from "../../parts/names.js";
import { capital } from "../../parts/words.js";
import { drawFace, FACES } from "./dice.js";

// A sprint is worth so much speed.
const SPRINT = 2;
const OUT = new Set(["wrecked", "withdrawn"]);
// A space of the straights; those of the corners are longer outside than inside.
const SPACE_UNITS = 24;

// `turn` are the lines of the round so far.
/** @type {Picture.Ruleset<Api.ChariotRace1RulesetBoard>["showDisplays"]} */
export function showDisplays(view, { turn }) {
  const order = [...view.chariots].sort((one, other) => (other.front ?? -1e9) - (one.front ?? -1e9));
  return order.map((chariot) => showChariot(chariot, view, turn));
}

function showChariot(chariot, view, turn) {
  const isOut = OUT.has(chariot.status);
  const { place } = view.ranking.find((each) => each.seat === chariot.seat);
  const standing = chariot.status === "racing" ? `place ${place}, ${tellLane(chariot.space)}` : chariot.status;
  const isIts = view.turn?.chariot === chariot.colour;
  return display(
    {
      colour: chariot.colour,
      title: tellOwner(chariot, view.chariots),
      note: standing,
      isOut,
    },
    facts(
      ["Strength", meter(chariot.damage_left, chariot.damage_max, "strength"), "strength"],
      ["Speed", meter(chariot.speed, chariot.speed_max, "speed"), "speed"],
      ["Fate", meter(chariot.fate, chariot.fate_max, "fate"), "fate"],
      ["Laps", `${chariot.laps} of ${view.laps}${chariot.is_safe ? ", safe beyond the line" : ""}`, "laps"],
    ),
    isIts ? showTurn(view.turn) : null,
    showMove(findMove(chariot.colour, turn)),
  );
}

// The values of the chariot that is driven, else of the seat's first: [name, value, tip].
/** @type {Picture.Ruleset<Api.ChariotRace1RulesetBoard>["showOwn"]} */
export function showOwn(view, seat) {
  const own = view.chariots.filter((each) => each.seat === seat && !OUT.has(each.status) && each.colour);
  const chariot = own.find(({ colour }) => colour === view.turn?.chariot) ?? own[0];
  if (!chariot) return [];
  return [
    ["Strength", meter(chariot.damage_left, chariot.damage_max, "strength"), "strength"],
    ["Speed", meter(chariot.speed, chariot.speed_max, "speed"), "speed"],
    ["Fate", meter(chariot.fate, chariot.fate_max, "fate"), "fate"],
    ["Lap", `${Math.min(chariot.laps + 1, view.laps)} of ${view.laps}`, "laps"],
  ];
}

function showTurn(turn) {
  return el(
    "div",
    { class: "played dice" },
    el("p", {}, `Its turn: ${turn.phase.replaceAll("_", " ")}`),
    turn.dice.map((face) => showPiece({ face })),
  );
}

// `turn` are the lines of one round, or of its beginning; null where the chariot has no speed yet.
/** @type {Picture.Ruleset<Api.ChariotRace1RulesetBoard>["findMove"]} */
export function findMove(chariot, turn) {
  const set = turn.findIndex((line) => line.type === "speed_set" && line.data.chariot === chariot);
  if (set < 0) return null;
  const { version, data } = turn[set];
  const begins = turn.findLastIndex((line, place) => place < set && line.type === "turn_began");
  const length = turn.slice(set).findIndex((line) => line.type === "turn_ended");
  const own = turn.slice(begins, length < 0 ? undefined : set + length);
  const { speed_before: before, pluses, minuses, sprints, speed } = data;
  const reckoned = before + pluses - minuses + sprints * SPRINT;
  const faces = own.findLast((line) => line.type === "dice_settled")?.data.faces ?? [];
  return {
    version,
    begins: turn[begins]?.version,
    title: "Speed",
    parts: [
      ["speed before", before],
      ["±", pluses],
      ["±", -minuses],
      ["sprint", sprints * SPRINT],
      ["at the limit", speed - reckoned],
    ],
    total: speed,
    said: `speed ${speed}`,
    pieces: faces.map((face) => ({ face })),
    notes: own.map((line) => TOLD[line.type]?.(line.data, chariot)).filter(Boolean),
  };
}

// The events of a turn, beside its speed.
const TOLD = {
  chariot_repaired: ({ repaired }) => `repairs ${repaired}`,
  speed_set: ({ damage }) => (damage ? `loses ${damage} by the sprint` : null),
  corner_taken: ({ damage }) => (damage ? `loses ${damage} in the corner` : null),
  caltrop_hit: ({ damage }) => `loses ${damage} on a caltrop`,
  heap_struck: () => "hits the stones",
  chariot_rammed: ({ rammed, damage, rammed_damage: other }) =>
    `rams ${chariotName(rammed)} (−${other})${damage ? ` and loses ${damage}` : ""}`,
  chariot_set_back: ({ behind }) => `set back behind ${chariotName(behind)}`,
  javelin_thrown: ({ target, damage }) => `javelin at ${chariotName(target)} −${damage}`,
  caltrop_dropped: () => "drops a caltrop",
  chariot_wrecked: ({ chariot, cause }, own) =>
    `${chariot === own ? "" : `${chariotName(chariot)} `}is wrecked${cause === "javelin" ? "" : ` (${cause})`}`,
  lap_completed: ({ laps }) => `completes lap ${laps}`,
};

// A die as it fell, with the word of its face.
export function showPiece({ face }) {
  return el(
    "span",
    { class: `die-piece die-piece-${face}`, "data-tip": face, "data-head": capital(FACES[face].word) },
    drawFace(face),
    el("span", { class: "die-word" }, FACES[face].word),
  );
}

/** @type {Picture.Ruleset<Api.ChariotRace1RulesetBoard>["findPlaces"]} */
export function findPlaces({ type, data }) {
  if (data.front !== undefined && data.chariot) return [{ key: data.chariot, progress: data.front }];
  if (type === "chariot_wrecked") return [{ key: data.chariot, isOut: true }];
  if (type === "seat_withdrawn") return data.chariots.map((chariot) => ({ key: chariot, isOut: true }));
  return [];
}

/** @type {Picture.Ruleset<Api.ChariotRace1RulesetBoard>["listChariots"]} */
export function listChariots(view) {
  return view.chariots
    .filter((chariot) => chariot.colour)
    .map(({ colour, seat, status, front }) => ({
      key: colour,
      colour,
      name: tellOwner({ colour, seat }, view.chariots),
      seat,
      fate: OUT.has(status) ? status : null,
      progress: OUT.has(status) ? null : front,
    }));
}

// The driver's name; behind it the colour, where a driver has several chariots.
export function tellOwner({ colour, seat }, chariots) {
  const own = chariots.filter((chariot) => chariot.seat === seat);
  return own.length > 1 ? `${inSeat(seat)} (${capital(colour)})` : inSeat(seat);
}

// The chariot that is driven, for its own driver: "your chariot", or "Blue" where the driver has several.
export function callOwn({ chariots, turn }) {
  const { seat } = chariots.find(({ colour }) => colour === turn.chariot);
  const own = chariots.filter((chariot) => chariot.seat === seat);
  return own.length > 1 ? capital(turn.chariot) : "your chariot";
}

// "the inner lane" for "inner-6": spaces have no numbers on the board.
export function tellLane(space) {
  return `the ${space.split("-")[0]} lane`;
}

// The addresses of spaces in sentences.
export const codes = { pattern: /\b(?:inner|middle|outer)-\d+\b/g, draw: showLane };

function showLane(space) {
  return el("span", { title: space }, tellLane(space));
}

export function tellDistance(units) {
  const spaces = Math.round((units / SPACE_UNITS) * 10) / 10;
  return `${spaces} ${spaces === 1 ? "space" : "spaces"}`;
}
