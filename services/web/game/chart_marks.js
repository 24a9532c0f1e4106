// Where the marks at the ends of a chart's lines stand: beside their lines, and none over another or outside.

// `ends` are [{x, y, …}]; those nearer to each other than `apart` are moved, down first and from `bottom` up again.
export function partMarks(ends, { apart, bottom }) {
  const parted = ends.map((end) => ({ ...end })).sort((one, other) => one.y - other.y);
  const isBeside = (one, other) => Math.abs(one.x - other.x) < apart;
  parted.forEach((end, index) => {
    const above = parted.slice(0, index).findLast((each) => isBeside(each, end));
    if (above) end.y = Math.max(end.y, above.y + apart);
  });
  for (let index = parted.length - 1; index >= 0; index -= 1) {
    const below = parted.slice(index + 1).find((each) => isBeside(each, parted[index]));
    parted[index].y = Math.min(parted[index].y, below ? below.y - apart : bottom);
  }
  return parted;
}
