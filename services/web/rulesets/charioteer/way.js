// The way of a move before it is sealed: over the spaces, past rivals where they stand now. They may have moved by
// then.

// The spaces entered with so many points, by the rules CH-31 to CH-38.
export function findWay(view, seat, distance, isBlack) {
  const { spaces } = view.track;
  const { progress, beside } = view.drivers.find((each) => each.seat === seat);
  const spaceAt = (place) => ((place % spaces.length) + spaces.length) % spaces.length;
  const countRivals = (space) =>
    view.turn === 1 ? 0 : view.drivers.filter((each) => each.seat !== seat && each.space === space).length;
  let inside = view.turn === 1 ? 0 : beside.length;
  let place = progress;
  const way = [];
  for (let points = distance; points > 0; points -= 1) {
    if (inside) {
      inside -= 1;
      continue;
    }
    do place += 1;
    while (isBlack && spaces[spaceAt(place)].kind === "outer");
    way.push(spaceAt(place));
    inside = countRivals(way.at(-1));
  }
  return way;
}
