// The course of Chariotmaster as a picture in millimetres, its pieces, and how far along it one stands.
// The table's y axis points up and a picture's down, so drawings are turned over here, and nowhere else.

const UM_PER_MM = 1_000;
// Numbers of pieces below 100 are chariots, from there drivers on foot, from 200 wrecks; -1 and -2 are the walls, and
// the obstacles of the course stand below.
const OBJECTS_TO = -3;
const DRIVERS_FROM = 100;
const WRECKS_FROM = 200;

export function toPoint({ x_um: x, y_um: y }) {
  return { x: Math.round(x / 100) / 10, y: -Math.round(y / 100) / 10 };
}

// A pose as a place and a turn of the picture; headings count anticlockwise, turns with it.
export function toPlace(pose) {
  return { ...toPoint(pose), turned: -pose.heading };
}

export function toMm(um) {
  return um / UM_PER_MM;
}

// The track between its walls, as one path with the spina cut out.
export function drawTrack(course) {
  return `${drawWall(course, "outer_wall")} ${drawWall(course, "inner_wall")}`;
}

export function drawWall(course, wall) {
  return drawAlong(course, wall === "inner_wall" ? 0 : 1);
}

// The closed way along the track that is so far across it, from the inner wall (0) to the outer one (1).
export function drawAlong({ pieces, width_um: width }, share) {
  const starts = pieces.map(({ starts: { inner_wall: inner, outer_wall: outer } }) =>
    toPoint({ x_um: mix(inner.x_um, outer.x_um, share), y_um: mix(inner.y_um, outer.y_um, share) }),
  );
  const steps = pieces.map((piece, index) => {
    const end = starts[(index + 1) % starts.length];
    if (piece.kind === "straight") return `L${end.x},${end.y}`;
    // The inner wall is on the left: nearer to the middle of a turn to the left, further from that of one to the right.
    const radius = toMm(piece.radius_um + (piece.turn === "left" ? 1 : -1) * (share - 0.5) * width);
    return `A${radius},${radius} 0 ${piece.degrees > 180 ? 1 : 0} ${piece.turn === "left" ? 0 : 1} ${end.x},${end.y}`;
  });
  return `M${starts[0].x},${starts[0].y} ${steps.join(" ")} Z`;
}

function mix(one, other, share) {
  return one + (other - one) * share;
}

// How far along the middle of the track the point of it is that lies nearest, from the line, in micrometres.
export function measure(course, { x_um: x, y_um: y }) {
  let along = 0;
  let best = { off: Infinity, along: 0 };
  for (const piece of course.pieces) {
    const found = piece.kind === "straight" ? alongStraight(piece, x, y) : alongArc(piece, x, y);
    if (found.off < best.off) best = { off: found.off, along: along + found.along };
    along += lengthOf(piece);
  }
  return best.along % course.lap_um;
}

function lengthOf(piece) {
  return piece.kind === "straight" ? piece.length_um : (piece.radius_um * piece.degrees * Math.PI) / 180;
}

function alongStraight({ length_um: length, starts }, x, y) {
  const heading = (starts.heading * Math.PI) / 180;
  const [dx, dy] = [x - starts.middle.x_um, y - starts.middle.y_um];
  const along = Math.min(length, Math.max(0, dx * Math.cos(heading) + dy * Math.sin(heading)));
  return { along, off: Math.hypot(dx - along * Math.cos(heading), dy - along * Math.sin(heading)) };
}

function alongArc({ radius_um: radius, degrees, turn, starts }, x, y) {
  const side = turn === "left" ? 1 : -1;
  const heading = (starts.heading * Math.PI) / 180;
  const centre = {
    x: starts.middle.x_um - side * radius * Math.sin(heading),
    y: starts.middle.y_um + side * radius * Math.cos(heading),
  };
  const from = Math.atan2(starts.middle.y_um - centre.y, starts.middle.x_um - centre.x);
  const full = (degrees * Math.PI) / 180;
  const turned = (side * (Math.atan2(y - centre.y, x - centre.x) - from) + 4 * Math.PI) % (2 * Math.PI);
  // Just before the beginning is not almost a whole circle further.
  const within = turned <= full ? turned : turned - full < 2 * Math.PI - turned ? full : 0;
  const end = from + side * within;
  return {
    along: within * radius,
    off: Math.hypot(x - centre.x - radius * Math.cos(end), y - centre.y - radius * Math.sin(end)),
  };
}

export function chariotOf(piece) {
  return piece < 0 ? null : piece % DRIVERS_FROM;
}

// The piece of a chariot's driver, where he is on foot.
export function onFoot(chariot) {
  return chariot + DRIVERS_FROM;
}

export function isObject(piece) {
  return piece <= OBJECTS_TO;
}

export function isWreck(piece) {
  return piece >= WRECKS_FROM;
}

export function isOnFoot(piece) {
  return piece >= DRIVERS_FROM && piece < WRECKS_FROM;
}
