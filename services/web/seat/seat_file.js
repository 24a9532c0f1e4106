// A seat in a file, for another device: a code for the account and all secrets of one game, closed with a passphrase.
//
//   {"format":"spina/seat-file/v1","salt":"9f…","iv":"03…","closed":"c4…"}
//
// `closed` is AES-256-GCM over the JSON of {account, secrets}, by a key from the passphrase (PBKDF2, SHA-256). All in
// hex.

import { fromHex, fromText, toHex, toText } from "../verify/bytes.js";

const FORMAT = "spina/seat-file/v1";
// As OWASP advises for this function; a guess takes a fraction of a second.
const ITERATIONS = 600_000;
const SALT_BYTES = 16;
const IV_BYTES = 12;

export async function closeSeat({ account, secrets }, passphrase) {
  const [salt, iv] = [SALT_BYTES, IV_BYTES].map((size) => crypto.getRandomValues(new Uint8Array(size)));
  const content = fromText(JSON.stringify({ account, secrets: await secrets.pack() }));
  const closed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await deriveKey(passphrase, salt), content);
  return JSON.stringify({ format: FORMAT, salt: toHex(salt), iv: toHex(iv), closed: toHex(new Uint8Array(closed)) });
}

// The account and the packed secrets of a file; raises an error with a sentence for any other file or passphrase.
export async function openSeat(text, passphrase) {
  const file = parse(text);
  const key = await deriveKey(passphrase, fromHex(file.salt));
  try {
    const content = await crypto.subtle.decrypt({ name: "AES-GCM", iv: fromHex(file.iv) }, key, fromHex(file.closed));
    return JSON.parse(toText(new Uint8Array(content)));
  } catch {
    throw new Error("The passphrase is another one, or the file was changed.");
  }
}

function parse(text) {
  try {
    const file = JSON.parse(text);
    if (file.format === FORMAT) return file;
  } catch {
    // No JSON is no seat either.
  }
  throw new Error("This is no file of a seat.");
}

async function deriveKey(passphrase, salt) {
  const raw = await crypto.subtle.importKey("raw", fromText(passphrase), "PBKDF2", false, ["deriveKey"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ITERATIONS };
  return crypto.subtle.deriveKey(how, raw, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
