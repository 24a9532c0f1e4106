// A QR code (ISO/IEC 18004) as SVG: up to 858 bytes, in the smallest of four versions with error correction L and mask
// 0 alone. Any reader takes any mask.

import { svg } from "../parts/dom.js";

// The size in modules, the middles of alignment patterns, and the blocks: how many with how much data; their checks.
const VERSIONS = [
  { number: 5, size: 37, aligned: [6, 30], blocks: [[1, 108]], checks: 26 },
  {
    number: 10,
    size: 57,
    aligned: [6, 28, 50],
    blocks: [
      [2, 68],
      [2, 69],
    ],
    checks: 18,
  },
  {
    number: 15,
    size: 77,
    aligned: [6, 26, 48, 70],
    blocks: [
      [5, 87],
      [1, 88],
    ],
    checks: 22,
  },
  {
    number: 20,
    size: 97,
    aligned: [6, 34, 62, 90],
    blocks: [
      [3, 107],
      [5, 108],
    ],
    checks: 28,
  },
];
// From here on versions have their number in the picture, and a longer length before the text.
const NUMBERED_FROM = 7;
const LONG_FROM = 10;
const NUMBER_GENERATOR = 0x1f25;
// Error correction L and mask 0 with their own check bits.
const FORMAT = 0b111011111000100;
const QUIET = 4;

// The picture of a text, or null for one that is too long.
export function drawCode(text, label) {
  const bytes = new TextEncoder().encode(text);
  const version = findVersion(bytes);
  if (!version) return null;
  const path = buildModules(bytes)
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  const side = version.size + 2 * QUIET;
  return svg(
    "svg",
    {
      viewBox: `${-QUIET} ${-QUIET} ${side} ${side}`,
      class: "picture-code",
      role: "img",
      "aria-label": label,
      "shape-rendering": "crispEdges",
    },
    svg("path", { d: path, fill: "black" }),
  );
}

function findVersion(bytes) {
  return VERSIONS.find((version) => bytes.length + countBefore(version) <= countData(version));
}

// The mode, the length and the end of a text take so many bytes.
function countBefore({ number }) {
  return number < LONG_FROM ? 2 : 3;
}

function countData({ blocks }) {
  return blocks.reduce((sum, [count, data]) => sum + count * data, 0);
}

// Rows of modules, true for dark.
export function buildModules(bytes) {
  const version = findVersion(bytes);
  if (!version) throw new RangeError(`expected a text for a picture code, found ${bytes.length} bytes`);
  const { size, number, aligned } = version;
  const fixed = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (y, x, isDark) => {
    if (y >= 0 && y < size && x >= 0 && x < size) fixed[y][x] = isDark;
  };
  for (let at = 8; at < size - 8; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  const last = aligned.at(-1);
  const isCorner = (y, x) => (y === 6 && (x === 6 || x === last)) || (y === last && x === 6);
  for (const y of aligned) for (const x of aligned) if (!isCorner(y, x)) drawRings(set, y, x, [true, false, true], 2);
  for (const [top, left] of [
    [0, 0],
    [0, size - 7],
    [size - 7, 0],
  ])
    drawRings(set, top + 3, left + 3, [true, true, false, true, false], 4);
  drawFormat(set, size);
  if (number >= NUMBERED_FROM) drawNumber(set, size, number);
  return fill(fixed, interleave(buildData(bytes, version), version));
}

// The number of a version with its check bits, beside two of the corners.
function drawNumber(set, size, number) {
  let rest = number << 12;
  for (let bit = 17; bit >= 12; bit -= 1) if ((rest >> bit) & 1) rest ^= NUMBER_GENERATOR << (bit - 12);
  const told = (number << 12) | rest;
  for (let bit = 0; bit < 18; bit += 1) {
    const [far, near] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
    set(near, far, ((told >> bit) & 1) === 1);
    set(far, near, ((told >> bit) & 1) === 1);
  }
}

// Squares around a centre, of one tone for each distance.
function drawRings(set, y, x, tones, reach) {
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1)
      set(y + down, x + right, tones[Math.max(Math.abs(down), Math.abs(right))]);
  }
}

function drawFormat(set, size) {
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((FORMAT >> bit) & 1) === 1;
    // Beside the first finder, past the timing lines, and once more beside the other two.
    if (bit < 6) set(bit, 8, isDark);
    else if (bit < 8) set(bit + 1, 8, isDark);
    else if (bit === 8) set(8, 7, isDark);
    else set(8, 14 - bit, isDark);
    if (bit < 8) set(8, size - 1 - bit, isDark);
    else set(size - 15 + bit, 8, isDark);
  }
  set(size - 8, 8, true);
}

// Byte mode, the length, the text, its end, and padding.
function buildData(bytes, version) {
  const { length } = bytes;
  const size = version.number < LONG_FROM ? [length >> 4, length & 15] : [12, 8, 4, 0].map((by) => (length >> by) & 15);
  const nibbles = [0b0100, ...size, ...[...bytes].flatMap((each) => [each >> 4, each & 15]), 0];
  const data = Array.from(
    { length: nibbles.length / 2 },
    (_, place) => (nibbles[2 * place] << 4) | nibbles[2 * place + 1],
  );
  for (let pad = 0xec; data.length < countData(version); pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

// The blocks of the data, byte by byte in turn, and then their checks.
function interleave(data, { blocks, checks }) {
  const rest = [...data];
  const parts = blocks.flatMap(([count, length]) => Array.from({ length: count }, () => rest.splice(0, length)));
  const longest = Math.max(...parts.map(({ length }) => length));
  const checked = parts.map((part) => buildChecks(part, checks));
  const inTurn = (rows, length) =>
    Array.from({ length }, (_, place) => rows.map((row) => row[place]).filter((each) => each !== undefined)).flat();
  return [...inTurn(parts, longest), ...inTurn(checked, checks)];
}

// The remainder of a block's division by the generator over GF(256), x^8 + x^4 + x^3 + x^2 + 1.
function buildChecks(data, checks) {
  const powers = [1];
  for (let place = 1; place < 255; place += 1)
    powers.push((powers[place - 1] << 1) ^ (powers[place - 1] & 128 ? 0x11d : 0));
  const times = (one, other) => (one && other ? powers[(powers.indexOf(one) + powers.indexOf(other)) % 255] : 0);
  let generator = [1];
  for (let root = 0; root < checks; root += 1) {
    generator = [...generator, 0].map((each, place) => each ^ times(generator[place - 1] ?? 0, powers[root]));
  }
  const rest = [...data, ...Array(checks).fill(0)];
  data.forEach((_, place) => {
    const factor = rest[place];
    generator.forEach((each, offset) => (rest[place + offset] ^= times(each, factor)));
  });
  return rest.slice(data.length);
}

// Bits go up and down in columns of two, from the lower right, around all that is fixed.
function fill(fixed, bytes) {
  const modules = fixed.map((row) => [...row]);
  let bit = 0;
  for (let right = modules.length - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1;
    for (let step = 0; step < modules.length; step += 1) {
      const y = isUp ? modules.length - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (fixed[y][x] !== null) continue;
        const isDark = ((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        modules[y][x] = Boolean(isDark) !== ((x + y) % 2 === 0);
        bit += 1;
      }
    }
  }
  return modules;
}
