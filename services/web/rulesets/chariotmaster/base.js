// A base on the table, as the player may move it: its edges around the reference point, and poses after ways and
// pivots. Poses are those of the API, in micrometres; the server measures them again, and its word counts.

// Turns from the heading of a chariot to the direction of its way.
const WAY_TURNS = { ahead: 0, left: 90, right: -90 };

// Front, rear, left and right of the rectangle around all parts, in micrometres from the reference point.
export function findEdges({ pose, parts }) {
  const [cos, sin] = direction(pose.heading);
  const edges = { front: -Infinity, rear: Infinity, left: -Infinity, right: Infinity };
  for (const { x_um: x, y_um: y, length_um: length, width_um: width } of parts) {
    const [dx, dy] = [x - pose.x_um, y - pose.y_um];
    const [ahead, left] = [dx * cos + dy * sin, dy * cos - dx * sin];
    edges.front = Math.max(edges.front, ahead + length / 2);
    edges.rear = Math.min(edges.rear, ahead - length / 2);
    edges.left = Math.max(edges.left, left + width / 2);
    edges.right = Math.min(edges.right, left - width / 2);
  }
  return edges;
}

export function goWay(pose, way, distance_um) {
  return goTo(pose, pose.heading + WAY_TURNS[way], distance_um);
}

export function goTo({ x_um: x, y_um: y, heading }, towards, distance_um) {
  const [cos, sin] = direction(towards);
  return { x_um: x + cos * distance_um, y_um: y + sin * distance_um, heading };
}

// Left is positive, as in the API.
export function pivot(pose, edges, hinge, degrees) {
  const before = placeHinge(pose, edges, hinge);
  const turned = { ...pose, heading: (pose.heading + degrees + 360) % 360 };
  const after = placeHinge(turned, edges, hinge);
  return { ...turned, x_um: pose.x_um + before.x_um - after.x_um, y_um: pose.y_um + before.y_um - after.y_um };
}

// Where a corner or the centre of a posed base is.
export function placeHinge({ x_um: x, y_um: y, heading }, edges, hinge) {
  if (hinge === "centre") return { x_um: x, y_um: y };
  const [end, side] = hinge.split("_");
  const [cos, sin] = direction(heading);
  const [ahead, left] = [edges[end], edges[side]];
  return { x_um: x + ahead * cos - left * sin, y_um: y + ahead * sin + left * cos };
}

// How far along each way a point of the table is, from the reference point of a pose.
export function measureWays(pose, { x_um: x, y_um: y }) {
  const [cos, sin] = direction(pose.heading);
  const [dx, dy] = [x - pose.x_um, y - pose.y_um];
  const left = dy * cos - dx * sin;
  return { ahead: dx * cos + dy * sin, left, right: -left };
}

function direction(heading) {
  const angle = (heading * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)];
}
