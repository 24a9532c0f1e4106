// The move: a speed, and one of the spaces that can be reached at it, on the board or from a list. Each way has its
// damage; a wreck comes last everywhere, and is asked about before it is sent.

import { button, el } from "../../parts/dom.js";
import { chariotName } from "../../parts/names.js";
import { count, list } from "../../parts/words.js";
import { callOwn } from "./displays.js";

const ROWS_MAX = 7;
// No chariot bears so much.
const WRECK_COST = 1_000;
const INCIDENTS = {
  sprint: "sprint",
  corner: "corner",
  caltrop: "caltrop",
  heap: "stones",
  ram: "ram",
  set_back: "set back",
};

export function buildMovePanel({ decision: { choices }, view, board, choose }) {
  const speeds = listSpeeds(choices);
  const colour = view.turn.chariot;
  const isAvoidable = speeds.some(({ spaces }) => spaces[0].ways[0].damage_left > 0);
  let speed = null;
  let at = null;

  const buttons = speeds.map((each) =>
    button(`${each.speed}`, () => goAt(each), { "aria-pressed": "false", "aria-label": `Speed ${each.speed}` }),
  );
  const rows = el("select", { "aria-label": "Spaces in reach", class: "candidates" });
  rows.addEventListener("change", () => pick(speed.spaces[rows.value], 0));
  const other = button("", () => pick(at.space, (at.way + 1) % at.space.ways.length), { hidden: true });

  const goAt = (chosen) => {
    speed = chosen;
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", `${speeds[place] === chosen}`));
    rows.replaceChildren(
      ...speed.spaces.map((space, place) =>
        el("option", { value: place }, `${tellSpace(space)}: ${tellWay(space.ways[0])}`),
      ),
    );
    rows.size = Math.max(2, Math.min(ROWS_MAX, speed.spaces.length));
    board.offers.show(
      speed.spaces.map((space) => ({
        key: space.name,
        kind: tellKind(space.ways[0]),
        said: `${tellSpace(space)}: ${tellWay(space.ways[0])}`,
        shapes: board.outlineOf(space.name, tellMark(space.ways[0])),
        // A second click shows the next way to the same space.
        onPick: () => pick(space, at?.space === space ? (at.way + 1) % space.ways.length : 0),
      })),
    );
    pick(speed.spaces[0], 0);
  };

  const pick = (space, way) => {
    at = { space, way };
    const move = space.ways[way];
    rows.value = speed.spaces.indexOf(space);
    other.hidden = space.ways.length < 2;
    other.textContent = `Another way there (${way + 1} of ${space.ways.length})`;
    board.offers.choose(space.name);
    board.showPlan(findWay(view, board, colour, move.path));
    const risk = !move.damage_left &&
      isAvoidable && {
        title: `Wreck ${callOwn(view)}?`,
        act: "Drive into the wreck",
        lines: [
          `On this way ${callOwn(view)} is wrecked: ${tellMet(move)}. It is out of the race then. ` +
            "By another speed or space it drives on.",
        ],
      };
    choose(
      { kind: "move", minuses: speed.minuses[0], path: move.path },
      `${tellSpace(space)}, ${tellDamage(move)}`,
      risk,
    );
  };

  goAt(findEasy(speeds));
  return {
    element: el(
      "div",
      { class: "move-panel" },
      el("p", {}, `Drive ${callOwn(view)}: choose a space on the board or here.`),
      speeds.length > 1
        ? el(
            "div",
            { class: "buttons", role: "group", "aria-label": "Speed" },
            el("span", { class: "note" }, "Speed"),
            buttons,
          )
        : el("p", { class: "note" }, `Speed ${speeds[0].speed}`),
      rows,
      el("div", { class: "buttons" }, other),
    ),
    close: () => {
      board.offers.show([]);
      board.showPlan([]);
    },
  };
}

// The effect that the server foresees: of a move all of it, else the chariot's values.
export function tellEffect({ chariot, damage_left: left, speed, fate, move, target, target_damage_left: targetLeft }) {
  const name = chariotName(chariot);
  if (target) return `${chariotName(target)} has strength ${targetLeft} then${targetLeft ? "" : ": it is wrecked"}.`;
  if (!move) return `${name}: strength ${left}, speed ${speed}, fate ${fate}.`;
  const met = move.incidents.map(({ kind, other, damage, other_damage_left: otherLeft }) =>
    [
      INCIDENTS[kind],
      other && kind === "ram" ? `with ${chariotName(other)} (${otherLeft} left)` : null,
      damage ? `−${damage}` : null,
    ]
      .filter(Boolean)
      .join(" "),
  );
  const end = left ? `strength ${left} left` : "wrecked";
  return `Speed ${speed}: ${met.length ? `${list(met)}; ` : "nothing in the way; "}${end}.`;
}

// The speeds of a turn, slowest first, each with its spaces.
export function listSpeeds({ speeds }) {
  return speeds
    .map((each) => ({ ...each, spaces: groupBySpace(each.moves) }))
    .sort((one, other) => one.speed - other.speed);
}

// [{name, ways}], the furthest without damage first; ways that differ in nothing that matters are one.
function groupBySpace(moves) {
  const found = new Map();
  for (const move of [...moves].sort((one, other) => costOf(one) - costOf(other))) {
    const ways = found.get(move.space) ?? [];
    const isKnown = ways.some((each) => identify(each) === identify(move));
    found.set(move.space, isKnown ? ways : [...ways, move]);
  }
  const front = ({ ways }) => ways[0].front;
  return [...found]
    .map(([name, ways]) => ({ name, ways }))
    .sort((one, other) => costOf(one.ways[0]) - costOf(other.ways[0]) || front(other) - front(one));
}

function costOf({ damage, damage_left: left }) {
  return left ? damage : WRECK_COST + damage;
}

function identify({ damage, incidents }) {
  return JSON.stringify([damage, incidents.map(({ kind, space, other }) => [kind, space, other])]);
}

// The fastest speed with a way that costs least.
export function findEasy(speeds) {
  const cost = ({ spaces }) => costOf(spaces[0].ways[0]);
  return speeds.reduce((best, each) => (cost(each) <= cost(best) ? each : best));
}

// "4 spaces, outer lane".
function tellSpace({ name, ways }) {
  return `${count(ways[0].path.length, "space")}, ${name.split("-")[0]} lane`;
}

function tellWay(move) {
  return [tellDamage(move), tellMet(move)].filter(Boolean).join(": ");
}

function tellMet({ incidents }) {
  return [...new Set(incidents.map(({ kind }) => INCIDENTS[kind]))].join(", ");
}

function tellDamage({ damage, damage_left: left }) {
  return left ? (damage ? `${damage} damage` : "no damage") : "wrecked";
}

function tellMark({ damage, damage_left: left }) {
  return left ? (damage ? `−${damage}` : "✓") : "✕";
}

function tellKind({ damage, damage_left: left }) {
  return left ? (damage ? "offer-dear" : "offer-free") : "offer-wreck";
}

// The points of a path, which names the lane of each space by its first letter.
function findWay(view, board, colour, path) {
  let units = view.chariots.find((each) => each.colour === colour).front;
  const { lap_units: lap, lanes } = view.track;
  const start = view.chariots.find((each) => each.colour === colour).space;
  const names = [...path].map((letter) => {
    // The first space of that lane whose front border is ahead.
    const { spaces } = lanes.find((each) => each.name[0] === letter);
    const here = ((units % lap) + lap) % lap;
    const ahead = spaces.find((each) => each.end_units > here) ?? spaces[0];
    units += ahead.end_units > here ? ahead.end_units - here : lap - here + ahead.end_units;
    return ahead.name;
  });
  return [start, ...names].map((name) => board.middleOf(name));
}
