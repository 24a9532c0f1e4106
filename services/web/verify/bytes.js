// Bytes and their spellings. Each value has exactly one accepted spelling, so nothing here is lenient.

import { Refused, quote } from "./refused.js";

const HEX = /^(?:[0-9a-f]{2})*$/;
const encoder = new TextEncoder();
// A mark at the beginning is a character like any other, not something to be passed over.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function fromText(text) {
  return encoder.encode(text);
}

export function toText(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Refused("UTF-8", "bytes that are not");
  }
}

export function fromHex(text) {
  if (!HEX.test(text)) throw new Refused("lower-case hex digits", quote(text));
  return Uint8Array.from({ length: text.length / 2 }, (_, place) =>
    Number.parseInt(text.slice(2 * place, 2 * place + 2), 16),
  );
}

export function toHex(bytes) {
  return Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
}

// At least one byte, with padding, and no bits set behind the last byte.
export function fromBase64(text) {
  let decoded = "";
  try {
    decoded = atob(text);
  } catch {
    decoded = "";
  }
  const bytes = Uint8Array.from(decoded, (each) => each.charCodeAt(0));
  // The decoder passes over spaces and drops bits; only one spelling comes back.
  if (bytes.length === 0 || toBase64(bytes) !== text) throw new Refused("base64 with padding", quote(text));
  return bytes;
}

export function toBase64(bytes) {
  return btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""));
}

export function joined(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? fromText(part) : part));
  const whole = new Uint8Array(bytes.reduce((size, each) => size + each.length, 0));
  let place = 0;
  for (const each of bytes) {
    whole.set(each, place);
    place += each.length;
  }
  return whole;
}

export function areSame(one, other) {
  return one.length === other.length && one.every((each, place) => each === other[place]);
}

// Numbers as eight bytes, the most significant first.
export function uint64(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}
