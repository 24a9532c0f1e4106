// Signed notes and the keys that sign them (C2SP signed-note). Must agree with domain/ledger/note.py, note_key.py,
// signers.py. A line by a key one knows must be a good signature, or the whole note is refused; every other line is
// ignored.

import { areSame, fromBase64, fromText, joined, toHex } from "./bytes.js";
import { sha256 } from "./digests.js";
import { Refused, quote } from "./refused.js";
import { isSignedBy } from "./signature.js";
import { decodeText, splitLines } from "./spelling.js";

export const ED25519 = 0x01;
export const COSIGNATURE = 0x04;
export const NOTE_SIZE_MAX = 1_000_000;
const NOTE_SIGNATURES_MAX = 100;
const KEY_SIZE = 32;
const KEY_ID_SIZE = 4;
const TIME_SIZE = 8;
const SIGNATURE_SIZE = 64;
const MARK = "\u2014 ";
const IN_NO_NAME = /[\x00-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000+]/;

export function parseNote(bytes) {
  const whole = decodeText(bytes, NOTE_SIZE_MAX);
  const place = whole.lastIndexOf("\n\n");
  if (place < 0) throw new Refused("a blank line before the signatures", quote(whole));
  const lines = splitLines(whole.slice(place + 2));
  if (lines.length < 1 || lines.length > NOTE_SIGNATURES_MAX)
    throw new Refused(`1 to ${NOTE_SIGNATURES_MAX} signatures`, String(lines.length));
  return { text: whole.slice(0, place + 1), signatures: lines.map(parseSignature) };
}

// name "+" id "+" base64(kind || public key); the id must be the key's.
export async function parseNoteKey(text) {
  const [name, id, ...rest] = text.split("+");
  if (rest.length === 0) throw new Refused("name+id+key", quote(text));
  checkName(name);
  if (!/^[0-9a-f]{8}$/.test(id)) throw new Refused("an id of 8 lower-case hex digits", quote(text));
  const bytes = fromBase64(rest.join("+"));
  if (![ED25519, COSIGNATURE].includes(bytes[0]) || bytes.length !== 1 + KEY_SIZE) {
    throw new Refused(`kind 0x01 or 0x04 and ${KEY_SIZE} bytes`, `kind ${bytes[0]}, ${bytes.length - 1} bytes`);
  }
  const key = { name, kind: bytes[0], publicKey: bytes.slice(1), id: await keyId(name, bytes) };
  if (key.id !== id) throw new Refused(`id ${key.id} of this key and name`, id);
  return key;
}

// The signers among the keys one knows, in the order of their lines; a misused key is refused.
export async function findSigners(note, keys) {
  const signers = [];
  for (const line of note.signatures) {
    const key = keys.find((each) => each.name === line.name && each.id === line.id);
    if (!key) continue;
    const signed = signedParts(note, line, key);
    const isGood = signed !== null && (await isSignedBy(signed.message, toHex(key.publicKey), toHex(signed.signature)));
    if (!isGood) throw new Refused(`a signature by ${key.name}+${key.id}`, "one that is not by it");
    signers.push({ key, timeS: signed.timeS });
  }
  return signers;
}

export function isSameKey(one, other) {
  return one.name === other.name && one.kind === other.kind && areSame(one.publicKey, other.publicKey);
}

async function keyId(name, kindAndKey) {
  return toHex((await sha256(joined(name, "\n", kindAndKey))).slice(0, KEY_ID_SIZE));
}

function checkName(name) {
  if (!name || IN_NO_NAME.test(name) || !name.isWellFormed())
    throw new Refused("a name without spaces, + and control characters", quote(name));
}

function parseSignature(line) {
  const space = line.indexOf(" ", MARK.length);
  if (!line.startsWith(MARK) || space < 0) throw new Refused("a dash, a name and a signature", quote(line));
  const name = line.slice(MARK.length, space);
  checkName(name);
  const bytes = fromBase64(line.slice(space + 1));
  if (bytes.length <= KEY_ID_SIZE) throw new Refused("a signature behind the key's id", quote(line));
  return { name, id: toHex(bytes.slice(0, KEY_ID_SIZE)), payload: bytes.slice(KEY_ID_SIZE) };
}

// A witness signs the time together with the text; a log the text alone. Null where the payload has another size.
function signedParts(note, line, key) {
  if (key.kind === ED25519) return { message: fromText(note.text), signature: line.payload, timeS: null };
  if (line.payload.length !== TIME_SIZE + SIGNATURE_SIZE) return null;
  if (line.payload[0] & 0x80) return null;
  const timeS = new DataView(line.payload.slice(0, TIME_SIZE).buffer).getBigUint64(0);
  return {
    message: fromText(`cosignature/v1\ntime ${timeS}\n${note.text}`),
    signature: line.payload.slice(TIME_SIZE),
    timeS,
  };
}
