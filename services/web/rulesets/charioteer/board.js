// The circus of Charioteer: regular and outer spaces from the view's own geometry, chariots from the inside out.

import { Board } from "../../board/board.js";
import { drawChariot } from "../../board/chariot.js";
import { drawRuts, drawSpina, drawStands, outlineRing, outlineStadium, STANDS } from "../../board/circus.js";
import { svg } from "../../parts/dom.js";
import { seatColour } from "../../board/factions.js";
import { fullName, inSeat } from "../../parts/names.js";

// Room around the track.
const MARGIN = STANDS + 4;
// Outer spaces are wedges that are wide enough for a chariot only in their outer part.
const LANES = { regular: [0.06, 0.94], outer: [0.42, 0.96] };

// A chariot is longer than its space, and smaller where many stand side by side.
const SCALE_MAX = 1.5;
const ROOM = 210;
const ACROSS = 34;
const LENGTH = 60;
// The spina on the infield, and the shares of the track's width where wheels have left their ruts.
const SPINA = { length: 760, width: 74 };
const RUTS = [0.14, 0.32, 0.5, 0.68, 0.86];

// The skill that each face of the emperor's die advances.
const WISHES = {
  sprint: "The emperor wants sprints",
  attack: "The emperor wants attacks",
  recover: "The emperor wants recovery",
  corner: "The emperor wants corners",
  all: "The emperor wants everything",
  disrupt: "The emperor disrupts",
};

// The effects of an event on a driver's chariot.
const EFFECTS = {
  damage_taken: ({ seat, attacker, cubes }) =>
    cubes ? [{ on: seat, from: attacker, said: `−${cubes}`, kind: "loss" }] : [{ on: seat, said: "0", kind: "plain" }],
  damage_recovered: ({ seat, removed }) => (removed ? [{ on: seat, said: `+${removed}`, kind: "gain" }] : []),
  chariot_calmed: ({ seat, removed }) => [{ on: seat, said: removed ? `+${removed}` : "calm", kind: "gain" }],
  boxes_closed: ({ seat, reason }) => (reason === "shield" ? [{ on: seat, said: "shield", kind: "gain" }] : []),
  distance_reckoned: ({ seat, distance }) => [{ on: seat, said: `${distance}`, kind: "plain" }],
  whip_used: ({ seat, entered }) => (entered.length ? [{ on: seat, said: "whip", kind: "plain" }] : []),
  fan_token_earned: ({ seat, fan_token: token }) =>
    token === null ? [] : [{ on: seat, said: "fan token", kind: "gain" }],
  lap_completed: ({ seat, lap }) => [{ on: seat, said: `lap ${lap}`, kind: "gain" }],
};

export class CharioteerBoard extends Board {
  groundOf(view) {
    return `${view.track.width}x${view.track.height}:${view.track.spaces.length}`;
  }

  draw(view) {
    const { width, height, spaces, start } = view.track;
    const ground = { x: 0, y: 0, width, height };
    const first = spaces[0].corners;
    this.infield = svg("g", { class: "infield" });
    const line = svg("path", { class: "line", d: `M${first[0]} L${first[3]}` });
    return {
      box: [-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN],
      outline: outlineRing(ground, Math.abs(first[0][1] - first[3][1])),
      parts: [
        drawStands(outlineStadium(ground)),
        spaces.map((space, index) => drawSpace(space, index, start)),
        drawRuts(RUTS.map((share) => outlineStadium(ground, share * Math.abs(first[0][1] - first[3][1])))),
        line,
        this.infield,
      ],
    };
  }

  update(view) {
    const { width, height } = view.track;
    const centre = { x: width / 2, y: height / 2 };
    const wishes = view.emperor ? WISHES[view.emperor] : "The emperor has not spoken";
    this.infield.replaceChildren(
      drawSpina({ ...centre, ...SPINA }, { laps: view.laps, run: view.lap - 1, turn: view.turn }),
      text(centre.x - 150, centre.y - 58, "infield-large", `Turn ${view.turn}`),
      text(centre.x + 150, centre.y - 58, "infield-large", `Lap ${view.lap} of ${view.laps}`),
      text(centre.x, centre.y + 88, "infield-small", wishes),
    );
  }

  describe(view) {
    const racing = view.drivers.filter((driver) => driver.is_racing).sort((one, other) => one.place - other.place);
    const places = racing.map((driver) => `${inSeat(driver.seat)} on space ${driver.space + 1}`);
    return `The circus, turn ${view.turn}, lap ${view.lap} of ${view.laps}. In order: ${places.join(", ")}.`;
  }

  chariotsOf(view) {
    const { spaces } = view.track;
    const racing = view.drivers.filter((driver) => driver.is_racing);
    const crowds = countBySpace(racing);
    return racing.map((driver) => {
      const crowd = crowds.get(driver.space);
      // Alone in its space a chariot keeps its own lane, so that those behind each other are all seen.
      const share = crowd > 1 ? (driver.beside.length + 0.5) / crowd : (driver.seat + 0.5) / view.drivers.length;
      const colour = seatColour(driver.seat);
      const scale = Math.min(SCALE_MAX, ROOM / (crowd * ACROSS));
      return {
        key: driver.seat,
        seat: driver.seat,
        name: inSeat(driver.seat),
        colour,
        radius: (scale * LENGTH) / 2,
        mark: () => drawChariot(colour, `Chariot of ${fullName(driver.seat)}`),
        point: pointOn(spaces[driver.space], share),
        turned: pointOn(spaces[driver.space], share).turned,
        scale,
        said: `space ${driver.space}, ${driver.beside.length} inside`,
        way: ({ data }) =>
          (data.seat === driver.seat ? (data.entered ?? []) : []).map((at) => pointOn(spaces[at], share)),
      };
    });
  }

  effectsOf({ type, data }) {
    return EFFECTS[type]?.(data) ?? [];
  }

  // A point of a space on the way that is planned: as far from the inside everywhere, so that the way does not swerve.
  middleOf(space, view) {
    return pointOn({ ...view.track.spaces[space], kind: "outer" }, 0.5);
  }

  // The way of the last move of this turn, with the whip's steps after it.
  trailOf(view, turn) {
    const { spaces } = view.track;
    const last = turn.findLastIndex((line) => line.type === "chariot_moved");
    if (last < 0) return null;
    const { seat, came_from: start, entered } = turn[last].data;
    const whip =
      turn.slice(last).find((line) => line.type === "whip_used" && line.data.seat === seat)?.data.entered ?? [];
    const way = [start, ...entered, ...whip].map((at) => pointOn(spaces[at], 0.5));
    return { colour: seatColour(seat), points: way };
  }
}

function countBySpace(drivers) {
  const found = new Map();
  for (const { space } of drivers) found.set(space, (found.get(space) ?? 0) + 1);
  return found;
}

function drawSpace(space, index, start) {
  const kind = index === start ? "space space-start" : `space space-${space.kind}`;
  const head = index === start ? "Start" : `Space ${index + 1}, ${space.kind}`;
  return svg("polygon", {
    class: kind,
    points: space.corners.map((corner) => corner.join(",")).join(" "),
    "data-tip": index === start ? "start" : space.kind,
    "data-head": head,
  });
}

// Corners come as inside behind, inside ahead, outside ahead, outside behind.
function pointOn(space, share) {
  const [insideBehind, insideAhead, outsideAhead, outsideBehind] = space.corners;
  const [from, to] = LANES[space.kind];
  const heading = Math.atan2(
    insideAhead[1] - insideBehind[1] + outsideAhead[1] - outsideBehind[1],
    insideAhead[0] - insideBehind[0] + outsideAhead[0] - outsideBehind[0],
  );
  const inside = middle(insideBehind, insideAhead);
  const outside = middle(outsideBehind, outsideAhead);
  const at = from + (to - from) * share;
  return {
    x: Math.round(inside[0] + (outside[0] - inside[0]) * at),
    y: Math.round(inside[1] + (outside[1] - inside[1]) * at),
    turned: (heading * 180) / Math.PI,
  };
}

function middle(one, other) {
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}

function text(x, y, kind, content) {
  return svg("text", { x, y, class: kind, "text-anchor": "middle" }, content);
}

customElements.define("charioteer-board", CharioteerBoard);
