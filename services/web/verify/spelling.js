// How numbers, hashes and lines are spelled in the ledger's texts. Must agree with domain/ledger/spelling.py.

import { fromBase64, toText } from "./bytes.js";
import { Refused, quote } from "./refused.js";

export const HASH_SIZE = 32;
const NUMBER = /^(?:0|[1-9][0-9]{0,18})$/;
const NUMBER_MAX = 2n ** 63n - 1n;

// A BigInt: a tree may have more leaves than a JavaScript number keeps exactly.
export function parseNumber(text) {
  if (!NUMBER.test(text) || BigInt(text) > NUMBER_MAX)
    throw new Refused(`a decimal number up to ${NUMBER_MAX} without leading zeros`, quote(text));
  return BigInt(text);
}

export function parseHash(text) {
  const bytes = fromBase64(text);
  if (bytes.length !== HASH_SIZE) throw new Refused(`base64 of ${HASH_SIZE} bytes`, `${bytes.length} bytes`);
  return bytes;
}

// UTF-8 without control characters other than the newline.
export function decodeText(bytes, sizeMax) {
  if (bytes.length > sizeMax) throw new Refused(`at most ${sizeMax} bytes`, `${bytes.length} bytes`);
  const control = bytes.find((each) => each < 0x20 && each !== 0x0a);
  if (control !== undefined)
    throw new Refused("no control character but the newline", `0x${control.toString(16).padStart(2, "0")}`);
  return toText(bytes);
}

// Lines without their newlines; the last one must have had one too.
export function splitLines(text) {
  const lines = text.split("\n");
  const rest = lines.pop();
  if (rest) throw new Refused("a newline at the end", quote(rest));
  return lines;
}
