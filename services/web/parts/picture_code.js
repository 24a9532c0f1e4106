// A QR code (ISO/IEC 18004) as SVG: up to 106 bytes, in version 5 with error correction L and mask 0 alone. Any reader
// takes any mask; a version of one block needs no interleaving.

import { svg } from "../parts/dom.js";

const SIZE = 37;
const DATA_BYTES = 108;
const CHECK_BYTES = 26;
// The mode and the length before the text take 12 bits, its end 4.
const TEXT_BYTES_MAX = DATA_BYTES - 2;
// Error correction L and mask 0 with their own check bits.
const FORMAT = 0b111011111000100;
const FINDERS = [
  [0, 0],
  [0, SIZE - 7],
  [SIZE - 7, 0],
];
const ALIGNMENT = 30;
const QUIET = 4;

// The picture of a text, or null for one that is too long.
export function drawCode(text, label) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > TEXT_BYTES_MAX) return null;
  const path = buildModules(bytes)
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  const side = SIZE + 2 * QUIET;
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

// Rows of modules, true for dark.
export function buildModules(bytes) {
  const fixed = Array.from({ length: SIZE }, () => Array(SIZE).fill(null));
  const set = (y, x, isDark) => {
    if (y >= 0 && y < SIZE && x >= 0 && x < SIZE) fixed[y][x] = isDark;
  };
  for (const [top, left] of FINDERS) drawRings(set, top + 3, left + 3, [true, true, false, true, false], 4);
  drawRings(set, ALIGNMENT, ALIGNMENT, [true, false, true], 2);
  for (let at = 8; at < SIZE - 8; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  drawFormat(set);
  return fill(fixed, [...withChecks(buildData(bytes))]);
}

// Squares around a centre, of one tone for each distance.
function drawRings(set, y, x, tones, reach) {
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1)
      set(y + down, x + right, tones[Math.max(Math.abs(down), Math.abs(right))]);
  }
}

function drawFormat(set) {
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((FORMAT >> bit) & 1) === 1;
    // Beside the first finder, past the timing lines, and once more beside the other two.
    if (bit < 6) set(bit, 8, isDark);
    else if (bit < 8) set(bit + 1, 8, isDark);
    else if (bit === 8) set(8, 7, isDark);
    else set(8, 14 - bit, isDark);
    if (bit < 8) set(8, SIZE - 1 - bit, isDark);
    else set(SIZE - 15 + bit, 8, isDark);
  }
  set(SIZE - 8, 8, true);
}

// Byte mode, the length, the text, its end, and padding.
function buildData(bytes) {
  const nibbles = [
    0b0100,
    bytes.length >> 4,
    bytes.length & 15,
    ...[...bytes].flatMap((each) => [each >> 4, each & 15]),
    0,
  ];
  const data = Array.from(
    { length: nibbles.length / 2 },
    (_, place) => (nibbles[2 * place] << 4) | nibbles[2 * place + 1],
  );
  for (let pad = 0xec; data.length < DATA_BYTES; pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

// The data with the remainder of its division by the generator over GF(256), x^8 + x^4 + x^3 + x^2 + 1.
function withChecks(data) {
  const powers = [1];
  for (let place = 1; place < 255; place += 1)
    powers.push((powers[place - 1] << 1) ^ (powers[place - 1] & 128 ? 0x11d : 0));
  const times = (one, other) => (one && other ? powers[(powers.indexOf(one) + powers.indexOf(other)) % 255] : 0);
  let generator = [1];
  for (let root = 0; root < CHECK_BYTES; root += 1) {
    generator = [...generator, 0].map((each, place) => each ^ times(generator[place - 1] ?? 0, powers[root]));
  }
  const rest = [...data, ...Array(CHECK_BYTES).fill(0)];
  data.forEach((_, place) => {
    const factor = rest[place];
    generator.forEach((each, offset) => (rest[place + offset] ^= times(each, factor)));
  });
  return [...data, ...rest.slice(data.length)];
}

// Bits go up and down in columns of two, from the lower right, around all that is fixed.
function fill(fixed, bytes) {
  const modules = fixed.map((row) => [...row]);
  let bit = 0;
  for (let right = SIZE - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1;
    for (let step = 0; step < SIZE; step += 1) {
      const y = isUp ? SIZE - 1 - step : step;
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
