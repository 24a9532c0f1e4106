// Units of a lap as points of a picture: straights and half circles, counter-clockwise, lanes side by side from the
// inside.

export const LANE_WIDTH = 64;
const INSIDE_RADIUS = 84;
// A straight of one unit is drawn this long; corners get their length from the radius.
const UNIT_LENGTH = 2.4;
// Half a circle is drawn in steps of at most this many units, which look like an arc.
const ARC_UNITS = 6;

export class Oval {
  #pieces = [];

  constructor(track) {
    this.lapUnits = track.lap_units;
    let place = { x: 0, y: 0, heading: 0 };
    for (const stretch of track.stretches) {
      this.#pieces.push({ ...stretch, place });
      place = goOn(place, stretch, stretch.end_units);
    }
  }

  // `across` is counted in lanes from the inner edge of the track.
  point(units, across) {
    const at = ((units % this.lapUnits) + this.lapUnits) % this.lapUnits;
    const piece = this.#pieces.find((each) => at < each.end_units);
    const { x, y, heading } = goOn(piece.place, piece, at);
    // The inside is to the left, so outwards is a quarter turn to the right of the way.
    const out = across * LANE_WIDTH;
    return { x: round(x - Math.sin(heading) * out), y: round(y + Math.cos(heading) * out) };
  }

  // The outline of a part of a lane.
  outline(from, to, lane) {
    const steps = Math.max(1, Math.ceil((to - from) / ARC_UNITS));
    const along = Array.from({ length: steps + 1 }, (_, step) => from + ((to - from) * step) / steps);
    // The very end of the lap is where the lap begins.
    const edge = (across) => along.map((units) => this.point(units, across));
    return [...edge(lane), ...edge(lane + 1).reverse()];
  }

  box(lanes) {
    const places = this.outline(0, this.lapUnits, lanes - 1);
    const xs = places.map((each) => each.x);
    const ys = places.map((each) => each.y);
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
  }
}

// y points down, so a turn to the left is towards smaller angles.
function goOn(place, stretch, units) {
  const length = units - stretch.start_units;
  const { x, y, heading } = place;
  if (stretch.kind === "straight") {
    const way = length * UNIT_LENGTH;
    return { x: x + Math.cos(heading) * way, y: y + Math.sin(heading) * way, heading };
  }
  const turned = heading - (Math.PI * length) / (stretch.end_units - stretch.start_units);
  const centre = { x: x + Math.sin(heading) * INSIDE_RADIUS, y: y - Math.cos(heading) * INSIDE_RADIUS };
  return {
    x: centre.x - Math.sin(turned) * INSIDE_RADIUS,
    y: centre.y + Math.cos(turned) * INSIDE_RADIUS,
    heading: turned,
  };
}

function round(number) {
  return Math.round(number * 10) / 10;
}
