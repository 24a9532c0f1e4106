// Codes with which a tournament is entered: sixteen letters and digits that look unlike each other, of which a log has
// the hash alone. Must agree with domain/tournament/door.py.

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 16;
const LABEL = "spina/entry-code/v1\0";
const HASH = /^#code=([A-HJ-NP-Z2-9]{16,32})$/;

export function makeCode() {
  // The alphabet has 32 letters, so that no remainder is likelier than another.
  return [...crypto.getRandomValues(new Uint8Array(LENGTH))].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

// A code as it was typed: in capitals or not, with dashes or blanks between.
export function readCode(typed) {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

// The code of the address, or null; what stands behind the # is never sent.
export function findCode() {
  return HASH.exec(location.hash)?.[1] ?? null;
}

// In fours, for people who type it.
export function spaceCode(code) {
  return code.match(/.{1,4}/g).join("-");
}

export async function hashCode(code, label = LABEL) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(label + code)));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
