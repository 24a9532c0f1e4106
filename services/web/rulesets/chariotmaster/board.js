// The table of Chariotmaster to scale, in millimetres: the course with its walls, chariots with their headings, wrecks,
// and drivers on foot.

import { Board } from "../../board/board.js";
import { drawCar, drawChariot, drawDriver, drawHorses, drawWreckage } from "../../board/chariot.js";
import { drawSpina } from "../../board/circus.js";
import { el, svg } from "../../parts/dom.js";
import { seatColour } from "../../board/factions.js";
import { fullName } from "../../parts/names.js";
import { capital, list } from "../../parts/words.js";
import { tellOwner } from "./displays.js";
import { chariotOf, drawTrack, isOnFoot, isWreck, toMm, toPlace, toPoint } from "./course.js";
import { drawGround, STANDS } from "./ground.js";
import { findSpina } from "./spina.js";

const MARGIN = STANDS + 3;
// A name is so far from the middle of its chariot.
const LABEL_RADIUS = 18;
// How much of the spina's width a chariot takes that has finished.
const PARADE = 1.3;
// Rivals so near to the chariot that drives are in sight with it.
const FOLLOW_MM = 260;
const UM_PER_CM = 10_000;

// The effects of an event on a chariot of the table.
const SPEEDS = { brake: "brakes", spur: "spurs", whip: "whips" };
const EFFECTS = {
  points_lost: ({ chariot, kind }) => [{ on: chariot, said: `−1 ${kind}`, kind: "loss" }],
  speed_changed: ({ chariot, change, face }) => [
    { on: chariot, said: `${SPEEDS[change] ?? change} ${face}`, kind: "plain" },
  ],
  sub_move_tested: ({ chariot, face, is_passed: isPassed }) => [
    { on: chariot, said: isPassed ? `${face} holds` : `${face} skids`, kind: isPassed ? "gain" : "loss" },
  ],
  attack_announced: ({ chariot, target }) => [{ on: target, from: chariot, said: "attack", kind: "loss" }],
  defence_tried: ({ chariot, is_passed: isPassed }) => [
    { on: chariot, said: isPassed ? "gets away" : "is hit", kind: isPassed ? "gain" : "loss" },
  ],
  horse_died: ({ chariot }) => [{ on: chariot, said: "a horse dies", kind: "loss" }],
  lap_completed: ({ chariot, lap }) => [{ on: chariot, said: `lap ${lap}`, kind: "gain" }],
};

export class ChariotmasterBoard extends Board {
  groundOf({ course }) {
    return JSON.stringify([course.name, course.low, course.high, course.pieces.length, course.objects]);
  }

  draw({ course }) {
    const [low, high] = [toPoint(course.low), toPoint(course.high)];
    const box = [low.x - MARGIN, high.y - MARGIN, high.x - low.x + 2 * MARGIN, low.y - high.y + 2 * MARGIN];
    this.caption = el("p", { class: "caption" });
    this.spina = svg("g");
    this.spot = findSpina(course);
    this.finished = svg("g", { class: "finished" });
    return {
      box,
      outline: drawTrack(course),
      parts: drawGround(course, this.spina, this.finished),
    };
  }

  update(view) {
    this.caption.textContent = tellTurn(view);
    if (this.caption.parentElement !== this) this.append(this.caption);
    const run = Math.max(0, ...view.chariots.map((each) => each.laps_completed));
    this.spina.replaceChildren(drawSpina(this.spot, { laps: view.laps, run, turn: view.game_turn }));
    this.finished.replaceChildren(
      ...view.finished.map((chariot, place) => drawFinished(view, chariot, place, this.spot)),
    );
  }

  describe(view) {
    const order = view.chariots
      .filter((each) => each.is_racing)
      .sort((one, other) => other.progress_um - one.progress_um);
    const places = order.map((each) => tellOwner(each.chariot, view.chariots));
    const wrecks = view.pieces
      .filter((each) => isWreck(each.piece))
      .map((each) => `the wreck of ${tellOwner(chariotOf(each.piece), view.chariots)}`);
    return (
      `The course, game turn ${view.game_turn} of a race over ${view.laps} laps. From the front: ` +
      `${places.join(", ")}.` +
      `${wrecks.length ? ` On the track: ${list(wrecks)}.` : ""}`
    );
  }

  chariotsOf(view) {
    return view.pieces.map((piece) => {
      const place = toPlace(piece.pose);
      const chariot = view.chariots[piece.chariot];
      const shape = piece.parts
        .map(({ part, length_um: length, width_um: width }) => `${part} ${length}×${width}`)
        .join(", ");
      return {
        // Another shape is another drawing: a team without its body, a driver behind his horses.
        key: `${piece.piece}: ${shape}, ${chariot.horses}+${chariot.dead_horses}`,
        seat: isWreck(piece.piece) ? undefined : chariot.seat,
        name: isWreck(piece.piece) ? null : tellOwner(piece.chariot, view.chariots),
        colour: seatColour(chariot.seat),
        radius: LABEL_RADIUS,
        mark: () => drawPiece(piece, chariot),
        point: { x: place.x, y: place.y },
        turned: place.turned,
        said: `${piece.pose.x_um},${piece.pose.y_um},${piece.pose.heading}`,
        way: ({ type, data }) => (type === "piece_moved" && data.piece === piece.piece ? [toPlace(data.after)] : []),
      };
    });
  }

  // A chariot's drawing has its shape in its key, which an event does not know.
  effectsOf({ type, data }, view) {
    const find = (piece) => this.chariotsOf(view).find(({ key }) => key.startsWith(`${piece}: `))?.key;
    return (EFFECTS[type]?.(data) ?? []).map(({ on, from, ...effect }) => ({
      ...effect,
      on: find(on),
      from: from === undefined ? undefined : find(from),
    }));
  }

  // The chariot whose turn it is, or was last, with the rivals around it; before the first turn the viewer's own, else
  // the leader.
  sightOf({ board: view, your_seat: own }, turn) {
    if (!view.game_turn || view.ended) return [];
    const drivers = view.pieces.filter(({ piece }) => !isWreck(piece));
    const driven = turn.findLast(({ type }) => type === "turn_began")?.data.chariot;
    const [leader] = [...view.chariots].sort((one, other) => other.progress_um - one.progress_um);
    const first = own === undefined ? leader : view.chariots.find(({ seat }) => seat === own);
    const middle = [driven, first.chariot].map((sought) => drivers.find(({ piece }) => piece === sought)).find(Boolean);
    if (!middle) return [];
    const { x, y } = toPoint(middle.pose);
    return drivers.map(({ pose }) => toPoint(pose)).filter((at) => Math.hypot(at.x - x, at.y - y) <= FOLLOW_MM);
  }

  // The way of the chariot whose turn it is, or was last.
  trailOf(view, turn) {
    const begins = turn.findLastIndex((line) => line.type === "turn_began");
    if (begins < 0) return null;
    const { chariot } = turn[begins].data;
    const moves = turn.slice(begins).filter((line) => line.type === "piece_moved" && line.data.piece === chariot);
    if (!moves.length) return null;
    return {
      colour: seatColour(view.chariots[chariot].seat),
      points: [moves[0].data.before, ...moves.map((line) => line.data.after)].map(toPoint),
    };
  }
}

function tellTurn({ game_turn: turn, active, turn: moving, chariots, ended }) {
  if (!turn) return "The chariots are being built.";
  const head = `Turn ${turn}.`;
  if (ended) return `${head} The race is over.`;
  if (active === undefined || !chariots[active]) return head;
  const who = capital(tellOwner(active, chariots));
  if (!moving) return `${head} ${who} is next.`;
  const [min, max, come] = [moving.min_um, moving.max_um, moving.travelled_um].map(
    (each) => Math.round((each / UM_PER_CM) * 10) / 10,
  );
  const verb = moving.is_skidding ? "skids" : moving.is_driven ? "drives" : "runs without a driver";
  return `${head} ${who} ${verb}: ${come} of ${min === max ? max : `${min} to ${max}`} cm.`;
}

// Those who have finished have left the table: they stand on the spina in their order, the first one in the middle.
function drawFinished({ chariots }, chariot, place, { x, y, length, width }) {
  const { seat } = chariots[chariot];
  const apart = Math.min(length / 4, width * PARADE * 1.6);
  const side = (place % 2 ? -1 : 1) * Math.ceil(place / 2);
  const scale = (width * PARADE) / 42;
  return svg(
    "g",
    { class: "parade", transform: `translate(${x + side * apart},${y}) scale(${scale})` },
    drawChariot(seatColour(seat), `${fullName(seat)}, finished in place ${place + 1}`),
  );
}

// Drawn around its own reference point, facing along the x axis; the board puts it in its place and turns it.
function drawPiece(piece, chariot) {
  const heading = (piece.pose.heading * Math.PI) / 180;
  const kind = isWreck(piece.piece) ? "Wreck of" : isOnFoot(piece.piece) ? "On foot:" : "Chariot of";
  const parts = piece.parts.map(({ part, x_um: x, y_um: y, length_um: length, width_um: width }) => {
    const [dx, dy] = [x - piece.pose.x_um, y - piece.pose.y_um];
    const ahead = toMm(dx * Math.cos(heading) + dy * Math.sin(heading));
    const left = toMm(-dx * Math.sin(heading) + dy * Math.cos(heading));
    return drawPart(part, { x: ahead, y: -left, length: toMm(length), width: toMm(width) }, chariot);
  });
  const name = `${kind} ${fullName(chariot.seat)}`;
  return svg(
    "g",
    { class: "chariot base", role: "img", "aria-label": name },
    svg("g", {}, svg("title", {}, name), parts),
  );
}

// The true edge of a part, and its picture in it.
function drawPart(part, box, chariot) {
  const edge = svg("rect", {
    class: `part part-${part}`,
    x: box.x - box.length / 2,
    y: box.y - box.width / 2,
    width: box.length,
    height: box.width,
    rx: 1,
  });
  return [edge, DRAWN[part](box, seatColour(chariot.seat), chariot)];
}

const DRAWN = {
  horses: (box, _, { horses, dead_horses: dead }) => drawHorses(box, Math.max(1, horses + dead), { dead }),
  body: (box, colour, { driver, has_damaged_wheel: isDamaged }) =>
    drawCar(box, colour, { wheels: isDamaged ? 1 : 2, driver: driver === "riding" }),
  driver: drawDriver,
  wreck: drawWreckage,
};

customElements.define("chariotmaster-board", ChariotmasterBoard);
