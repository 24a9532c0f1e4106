// The table of Chariotmaster to scale, in millimetres: the course with its walls, chariots with their headings, wrecks, and
// drivers on foot.

import { Board } from "../board.js";
import { el, svg } from "../dom.js";
import { seatColour } from "../marks.js";
import { fullName, inSeat } from "../names.js";
import { capital, count, list } from "../words.js";
import { chariotOf, drawTrack, drawWall, isOnFoot, isWreck, toMm, toPlace, toPoint } from "./course.js";

const MARGIN = 14;
// How long the arrow is that shows the way, on the spina beside the line.
const ARROW = 60;
const UM_PER_CM = 10_000;

export class ChariotmasterBoard extends Board {
  groundOf({ course }) {
    return JSON.stringify([course.low, course.high, course.pieces.length]);
  }

  draw({ course }) {
    const [low, high] = [toPoint(course.low), toPoint(course.high)];
    const [inner, outer] = course.finish_line.map(toPoint);
    const box = [low.x - MARGIN, high.y - MARGIN, high.x - low.x + 2 * MARGIN, low.y - high.y + 2 * MARGIN];
    this.caption = el("p", { class: "caption" });
    return { box, parts: [
      svg("path", { class: "space space-regular track-ground", d: drawTrack(course), "fill-rule": "evenodd" }),
      svg("path", { class: "wall", d: drawWall(course, "outer_wall") }),
      svg("path", { class: "wall spina-wall", d: drawWall(course, "inner_wall") }),
      course.grid.flat().map((pose, index) => drawGridPlace(toPlace(pose), index)),
      svg("path", { class: "line line-thin", d: `M${inner.x},${inner.y} L${outer.x},${outer.y}` }),
      svg("path", { class: "direction direction-thin", d: `M${inner.x + 8},${inner.y - 20} h${ARROW} m-9,-7 l9,7 l-9,7` }),
    ] };
  }

  update(view) {
    this.caption.textContent = tellTurn(view);
    if (this.caption.parentElement !== this) this.append(this.caption);
  }

  describe(view) {
    const order = view.chariots.filter((each) => each.is_racing).sort((one, other) => other.progress_um - one.progress_um);
    const places = order.map((each) => `chariot ${each.chariot} of ${inSeat(each.seat)}`);
    const wrecks = view.pieces.filter((each) => isWreck(each.piece)).map((each) => `the wreck of chariot ${chariotOf(each.piece)}`);
    return `The course, game turn ${view.game_turn} of a race over ${view.laps} laps. From the front: ${places.join(", ")}.` +
      `${wrecks.length ? ` On the track: ${list(wrecks)}.` : ""}`;
  }

  chariotsOf(view) {
    return view.pieces.map((piece) => {
      const place = toPlace(piece.pose);
      const shape = piece.parts.map(({ part, length_um: length, width_um: width }) => `${part} ${length}×${width}`).join(", ");
      return {
        // Another shape is another drawing: a team without its body, a driver behind his horses.
        key: `${piece.piece}: ${shape}`,
        mark: () => drawPiece(piece, view.chariots[piece.chariot]),
        point: { x: place.x, y: place.y },
        turned: place.turned,
        said: `${piece.pose.x_um},${piece.pose.y_um},${piece.pose.heading}`,
        way: ({ type, data }) => (type === "piece_moved" && data.piece === piece.piece ? [toPlace(data.after)] : []),
      };
    });
  }

  // The way of the chariot whose turn it is, or was last.
  trailOf(view, turn) {
    const begins = turn.findLastIndex((line) => line.type === "turn_began");
    if (begins < 0) return null;
    const { chariot } = turn[begins].data;
    const moves = turn.slice(begins).filter((line) => line.type === "piece_moved" && line.data.piece === chariot);
    if (!moves.length) return null;
    return { colour: seatColour(chariot), points: [moves[0].data.before, ...moves.map((line) => line.data.after)].map(toPoint) };
  }
}

function tellTurn({ game_turn: turn, laps, active, turn: moving, chariots, ended }) {
  const head = turn ? `Game turn ${turn}, ${count(laps, "lap")}` : "The chariots are being built";
  if (ended) return `${head}. The race is over.`;
  if (active === undefined || !chariots[active]) return `${head}.`;
  const who = `chariot ${active}, ${inSeat(chariots[active].seat)}`;
  if (!moving) return `${head}. ${capital(who)}.`;
  const [min, max, come] = [moving.min_um, moving.max_um, moving.travelled_um].map((each) => Math.round((each / UM_PER_CM) * 10) / 10);
  return `${head}. ${capital(who)} ${moving.is_driven ? "drives" : "runs"} ${min} to ${max} cm, has come ${come} cm${moving.is_skidding ? " and skids" : ""}.`;
}

function drawGridPlace({ x, y, turned }, index) {
  return svg("path", { class: "grid-pose", d: "M-20,-10 H20 V10 H-20 Z M20,-6 L26,0 L20,6", transform: `translate(${x},${y}) rotate(${turned})` },
    svg("title", {}, `Grid place ${index + 1}`));
}

// Drawn around its own reference point, facing along the x axis; the board puts it in its place and turns it.
function drawPiece(piece, chariot) {
  const owner = chariotOf(piece.piece);
  const colour = seatColour(owner);
  const heading = (piece.pose.heading * Math.PI) / 180;
  const name = isWreck(piece.piece) ? "Wreck" : isOnFoot(piece.piece) ? "Driver on foot" : "Chariot";
  const parts = piece.parts.map(({ part, x_um: x, y_um: y, length_um: length, width_um: width }) => {
    const [dx, dy] = [x - piece.pose.x_um, y - piece.pose.y_um];
    const ahead = toMm(dx * Math.cos(heading) + dy * Math.sin(heading));
    const left = toMm(-dx * Math.sin(heading) + dy * Math.cos(heading));
    return drawPart(part, { x: ahead, y: -left, length: toMm(length), width: toMm(width) });
  });
  const kind = isWreck(piece.piece) ? "base base-wreck" : "base";
  return svg("g", { class: `chariot chariot-${colour} ${kind}`, role: "img", "aria-label": `${name} ${owner}, ${fullName(chariot.seat)}` },
    svg("g", {}, svg("title", {}, `${name} ${owner}, ${fullName(chariot.seat)}`), parts),
    svg("g", { class: "base-label" }, svg("circle", { r: 9, class: "chariot-car" }),
      svg("text", { class: "chariot-text", "text-anchor": "middle", "dominant-baseline": "central" }, isWreck(piece.piece) ? "✕" : `${owner}`)));
}

function drawPart(part, { x, y, length, width }) {
  const [left, top] = [x - length / 2, y - width / 2];
  const box = svg("rect", { class: `part part-${part}`, x: left, y: top, width: length, height: width, rx: 2 });
  // Horses show by a point in front where they face.
  const nose = part === "horses" ? svg("path", { class: "nose", d: `M${x + length / 2 - 6},${top + 3} l6,${width / 2 - 3} l-6,${width / 2 - 3}` }) : null;
  return nose ? [box, nose] : box;
}

customElements.define("chariotmaster-board", ChariotmasterBoard);
