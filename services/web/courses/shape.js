// A course as it is drawn: corners with a radius, the edge with the line, obstacles. From it the pieces that the rules
// lay, and the picture that the game's board draws. Millimetres with the y axis up, degrees anticlockwise.

const UM_PER_MM = 1_000;
// Edges turn by even degrees, as the chords of a bend do, so that the ends of every course meet exactly.
const STEP_DEGREES = 2;
// A sharper corner has its bend far away from it.
const SHARPEST_DEGREES = 160;
// Two rows of chariots before the line, and a first move after it.
const START_MM = 86;
const FREE_MM = 55;
const CHARIOT = { length: 40, width: 20 };
const ROWS = 2;
// A bend is a little wider than half the track.
const RADIUS_SPARE_MM = 2;

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { radius: number }} Corner */
/** @typedef {{ length: number, width: number, height: string, dice: number, loses: string }} Bulk */
/** @typedef {Point & Bulk & { heading: number }} Obstacle */
/**
 * @typedef {{ name: string, width: number, laps: number | null, wallDice: number | null, corners: Corner[],
 *   start: { edge: number, share: number }, obstacles: Obstacle[] }} Sketch
 */

const radians = (degrees) => (degrees * Math.PI) / 180;
const aheadOf = (degrees) => ({ x: Math.cos(radians(degrees)), y: Math.sin(radians(degrees)) });
const bend = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

export function leastRadius(width) {
  return width / 2 + RADIUS_SPARE_MM;
}

// The sides of the corners as they are raced: turned to even degrees from the side with the line.
/** @param {Sketch} sketch */
function findSides(sketch) {
  let items = sketch.corners.map((corner, index) => ({ corner, index, isStart: index === sketch.start.edge }));
  let share = sketch.start.share;
  if (areaOf(sketch.corners) < 0) {
    // Races run anticlockwise: a drawing the other way round is read from its end.
    const starts = [...items.map(({ isStart }) => isStart)].reverse();
    items = [...items].reverse().map((item, place) => ({ ...item, isStart: starts[(place + 1) % starts.length] }));
    share = 1 - share;
  }
  for (;;) {
    const sides = layEdges(items);
    const flat = sides.findIndex(({ turn }) => turn === 0);
    if (flat < 0 || items.length <= 3) return { sides, share };
    // A corner without a bend is none: its two edges are one.
    if (items[flat].isStart) items[(flat + items.length - 1) % items.length].isStart = true;
    items = items.filter((_, place) => place !== flat);
  }
}

function layEdges(items) {
  const count = items.length;
  const raw = items.map(({ corner: from }, place) => {
    const to = items[(place + 1) % count].corner;
    return (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  });
  const base =
    raw[
      Math.max(
        0,
        items.findIndex(({ isStart }) => isStart),
      )
    ];
  const headings = raw.map((heading) => base + STEP_DEGREES * Math.round((heading - base) / STEP_DEGREES));
  return items.map((item, place) => {
    const before = (place + count - 1) % count;
    const to = items[(place + 1) % count].corner;
    const middle = { x: (item.corner.x + to.x) / 2, y: (item.corner.y + to.y) / 2 };
    return { ...item, heading: headings[place], turn: Math.round(bend(headings[place] - headings[before])), middle };
  });
}

function areaOf(corners) {
  return corners.reduce((sum, { x, y }, place) => {
    const next = corners[(place + 1) % corners.length];
    return sum + x * next.y - next.x * y;
  }, 0);
}

// Where the lines through two points meet that are not parallel.
function meet(one, heading, other, otherHeading) {
  const [ahead, across] = [aheadOf(heading), aheadOf(otherHeading)];
  const area = ahead.x * across.y - ahead.y * across.x;
  const along = ((other.x - one.x) * across.y - (other.y - one.y) * across.x) / area;
  return { x: one.x + along * ahead.x, y: one.y + along * ahead.y };
}

// The pieces of a sketch and the frame of their table; or the point at which it is no course yet, and why.
/** @param {Sketch} sketch */
export function shape(sketch) {
  const { sides, share } = findSides(sketch);
  const count = sides.length;
  const sharp = sides.find(({ turn }) => turn === 0 || Math.abs(turn) > SHARPEST_DEGREES);
  if (sharp) return { fault: { at: sharp.corner, said: "This corner is too sharp: draw it wider." } };
  if (sides.reduce((sum, { turn }) => sum + turn, 0) !== 360)
    return { fault: { at: sides[0].corner, said: "The course has to go round once, without crossing itself." } };
  const meets = sides.map((side, place) => {
    const before = sides[(place + count - 1) % count];
    return meet(before.middle, before.heading, side.middle, side.heading);
  });
  const lengths = sides.map(({ heading }, place) => {
    const [from, to, ahead] = [meets[place], meets[(place + 1) % count], aheadOf(heading)];
    return (to.x - from.x) * ahead.x + (to.y - from.y) * ahead.y;
  });
  const radii = fitRadii(sides, lengths, sketch.width);
  const tangents = sides.map(({ turn }, place) => radii[place] * Math.tan(radians(Math.abs(turn) / 2)));
  const straights = lengths.map((length, place) => length - tangents[place] - tangents[(place + 1) % count]);
  const short = straights.findIndex((length) => length < -0.0005);
  if (short >= 0) return { fault: { at: sides[short].middle, said: "There is no room for the bends at both ends." } };
  return layPieces({ sides, meets, radii, tangents, straights, share });
}

// The radii as wished, or as large as the edges beside them have room for.
function fitRadii(sides, lengths, width) {
  const count = sides.length;
  const wished = sides.map(({ corner, turn }) => corner.radius * Math.tan(radians(Math.abs(turn) / 2)));
  return sides.map(({ corner }, place) => {
    const shares = [place, (place + count - 1) % count].map((edge) => {
      const needed = wished[edge] + wished[(edge + 1) % count];
      const room = lengths[edge] - (sides[edge].isStart ? START_MM + 1 : 0);
      return room / needed;
    });
    const fitted = Math.floor(corner.radius * Math.min(1, ...shares) + 1e-6);
    return Math.max(fitted, Math.min(corner.radius, Math.ceil(leastRadius(width))), 1);
  });
}

function layPieces({ sides, meets, radii, tangents, straights, share }) {
  const count = sides.length;
  const first = Math.max(
    0,
    sides.findIndex(({ isStart }) => isStart),
  );
  const home = straights[first];
  const before = Math.min(Math.max(home * share, START_MM), Math.max(home - FREE_MM, START_MM), home);
  const pieces = [];
  const addStraight = (length) => {
    const um = Math.round(length * UM_PER_MM);
    if (um > 0) pieces.push({ kind: "straight", length_mm: Math.floor(um / UM_PER_MM), more_um: um % UM_PER_MM });
  };
  addStraight(home - before);
  for (let step = 1; step <= count; step += 1) {
    const place = (first + step) % count;
    const { turn } = sides[place];
    const side = turn > 0 ? "left" : "right";
    pieces.push({ kind: "arc", radius_mm: radii[place], degrees: Math.abs(turn), turn: side });
    addStraight(step === count ? before : straights[place]);
  }
  const ahead = aheadOf(sides[first].heading);
  const along = tangents[first] + before;
  const frame = {
    x: meets[first].x + ahead.x * along,
    y: meets[first].y + ahead.y * along,
    heading: sides[first].heading,
  };
  return { pieces, frame, radii: new Map(sides.map(({ index }, place) => [index, radii[place]])) };
}

// A point of the drawing in millimetres of the table.
export function toTable(frame, { x, y }) {
  const ahead = aheadOf(-frame.heading);
  const [dx, dy] = [x - frame.x, y - frame.y];
  return { x: dx * ahead.x - dy * ahead.y, y: dx * ahead.y + dy * ahead.x };
}

export function fromTable(frame, { x, y }) {
  const ahead = aheadOf(frame.heading);
  return { x: frame.x + x * ahead.x - y * ahead.y, y: frame.y + x * ahead.y + y * ahead.x };
}

// The course as the rules take it.
/** @param {Sketch} sketch */
export function toPlan(sketch, { pieces, frame }) {
  const obstacles = sketch.obstacles.map((each) => {
    const { x, y } = toTable(frame, each);
    return {
      x_mm: Math.round(x),
      y_mm: Math.round(y),
      heading: ((Math.round(each.heading - frame.heading) % 360) + 360) % 360,
      length_mm: each.length,
      width_mm: each.width,
      height: each.height,
      dice: each.dice,
      loses: each.loses,
    };
  });
  const { name, width, laps, wallDice } = sketch;
  return { name, width_mm: width, grid_gap_mm: 5, laps, wall_dice: wallDice, pieces, obstacles };
}

// The picture of a plan as the rules would draw it, in micrometres of the table.
export function drawPlan({ width_mm: width, grid_gap_mm: gap, name, pieces, obstacles }) {
  let pen = { x: 0, y: 0, heading: 0 };
  const drawn = pieces.map((piece) => {
    const starts = startOf(pen, width / 2);
    pen = follow(pen, piece);
    if (piece.kind === "arc") return { ...piece, radius_um: piece.radius_mm * UM_PER_MM, starts };
    return { kind: "straight", length_um: piece.length_mm * UM_PER_MM + piece.more_um, starts };
  });
  const lap = drawn.reduce((sum, each) => sum + lengthOf(each), 0);
  return {
    name,
    width_um: width * UM_PER_MM,
    lap_um: lap,
    pieces: drawn,
    finish_line: [drawn[0].starts.inner_wall, drawn[0].starts.outer_wall],
    grid: drawGrid(width, gap),
    objects: obstacles.map((each) => ({
      pose: { x_um: each.x_mm * UM_PER_MM, y_um: each.y_mm * UM_PER_MM, heading: each.heading },
      length_um: each.length_mm * UM_PER_MM,
      width_um: each.width_mm * UM_PER_MM,
      height: each.height,
      dice: each.dice,
      loses: each.loses,
    })),
  };
}

function lengthOf(piece) {
  return piece.kind === "arc" ? radians(piece.degrees) * piece.radius_um : piece.length_um;
}

function startOf(pen, half) {
  const left = aheadOf(pen.heading + 90);
  const at = (aside) => ({ x_um: (pen.x + left.x * aside) * UM_PER_MM, y_um: (pen.y + left.y * aside) * UM_PER_MM });
  return { heading: pen.heading, middle: at(0), inner_wall: at(half), outer_wall: at(-half) };
}

function follow(pen, piece) {
  if (piece.kind === "straight") {
    const ahead = aheadOf(pen.heading);
    const length = piece.length_mm + piece.more_um / UM_PER_MM;
    return { ...pen, x: pen.x + ahead.x * length, y: pen.y + ahead.y * length };
  }
  const side = piece.turn === "left" ? 1 : -1;
  const [from, to] = [aheadOf(pen.heading + 90), aheadOf(pen.heading + side * piece.degrees + 90)];
  return {
    x: pen.x + side * piece.radius_mm * (from.x - to.x),
    y: pen.y + side * piece.radius_mm * (from.y - to.y),
    heading: pen.heading + side * piece.degrees,
  };
}

function drawGrid(width, gap) {
  const step = CHARIOT.width + gap;
  const places = Math.max(0, Math.floor((width - gap) / step));
  return Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: places }, (_, place) => ({
      x_um: -(CHARIOT.length / 2 + row * (CHARIOT.length + gap)) * UM_PER_MM,
      y_um: (width / 2 - gap - CHARIOT.width / 2 - place * step) * UM_PER_MM,
      heading: 0,
    })),
  );
}

// The sketch from which a plan could have been drawn, to go on from it.
export function toSketch(plan) {
  const corners = [];
  let pen = { x: 0, y: 0, heading: 0 };
  for (const piece of plan.pieces) {
    if (piece.kind === "arc") {
      // Half a circle has no corner: it is drawn as two.
      const parts = Math.ceil(piece.degrees / 120);
      const steps = splitEven(piece.degrees, parts);
      for (const degrees of steps) {
        const ahead = aheadOf(pen.heading);
        const tangent = piece.radius_mm * Math.tan(radians(degrees / 2));
        corners.push({ x: pen.x + ahead.x * tangent, y: pen.y + ahead.y * tangent, radius: piece.radius_mm });
        pen = follow(pen, { ...piece, degrees });
      }
    } else pen = follow(pen, piece);
  }
  const [first, last] = [plan.pieces[0], plan.pieces.at(-1)];
  const [after, before] = [first, last].map((each) => (each.kind === "straight" ? each.length_mm : 0));
  return {
    name: plan.name,
    width: plan.width_mm,
    laps: plan.laps,
    wallDice: plan.wall_dice,
    corners,
    start: { edge: corners.length - 1, share: before / Math.max(1, before + after) },
    obstacles: plan.obstacles.map((each) => ({
      x: each.x_mm,
      y: each.y_mm,
      heading: each.heading,
      length: each.length_mm,
      width: each.width_mm,
      height: each.height,
      dice: each.dice,
      loses: each.loses,
    })),
  };
}

function splitEven(degrees, parts) {
  const each = 2 * Math.floor(degrees / parts / 2);
  return Array.from({ length: parts }, (_, place) => (place ? each : degrees - each * (parts - 1)));
}
