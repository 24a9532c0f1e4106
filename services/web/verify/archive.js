// A stored zip with one accepted spelling, read member by member and compared byte for byte with its one spelling.
// Must agree with domain/audit/archive.py, where the layout stands, and bundle.py, where the members do.

import { fromText, joined, toText } from "./bytes.js";
import { Refused, quote } from "./refused.js";

const LOCAL_SIZE = 30;
const LOCAL_MARK = 0x04034b50;
const CENTRAL_MARK = 0x02014b50;
const END_MARK = 0x06054b50;
const VERSION = 20;
// 1 January 1980: a fixed date must be some day.
const DATE = 33;
const NAME_SIZE_MAX = 100;

// The edition of docs/proof.md that a bundle follows.
const FORMAT_BODY = "spina/bundle/v1\n";
const ANY_FORMAT = /^spina\/bundle\/v[1-9][0-9]{0,5}\n$/;
const FORMAT = { name: "format", sizeMax: 100, isRequired: true };
const SLOTS = [
  FORMAT,
  { name: "log.ndjson", sizeMax: 16 * 1024 * 1024, isRequired: true },
  { name: "components.json", sizeMax: 1_000_000, isRequired: true },
  { name: "last.tlog-proof", sizeMax: 1_100_000, isRequired: false },
  { name: "first-seat.tlog-proof", sizeMax: 1_100_000, isRequired: false },
  { name: "since.tlog-growth", sizeMax: 1_100_000, isRequired: false },
  { name: "policy", sizeMax: 100_000, isRequired: false },
  { name: "HOWTO.txt", sizeMax: 16_384, isRequired: true },
];
const [, LOG] = SLOTS;
// The largest log is a tournament's, or an operators' record.
const LOG_SIZE_MAX = 64 * 1024 * 1024;
const NOT_OF_A_RECORD = new Set(["components.json", "first-seat.tlog-proof"]);
const RECORD_SLOTS = [
  FORMAT,
  { ...LOG, sizeMax: LOG_SIZE_MAX },
  ...SLOTS.slice(2).filter(({ name }) => !NOT_OF_A_RECORD.has(name)),
];
const NEWLINE = 0x0a;
const ENDING_SIZE_MAX = 100;

// The type that ends the first line of a bundle's log, by which a bundle is of a kind; null where there is none.
// Must agree with is_opened_by in domain/audit/bundle.py.
export function findOpening(raw) {
  try {
    const entries = listEntries(raw, (found) => ({ name: found, sizeMax: LOG_SIZE_MAX }));
    entries.next();
    const { value } = entries.next();
    if (!value) return null;
    const { name, body } = value;
    const end = body.indexOf(NEWLINE);
    const ending = String.fromCharCode(...body.subarray(0, end < 0 ? body.length : end).slice(-ENDING_SIZE_MAX));
    return name === LOG.name ? (/"type":"([a-z_]+)","version":1\}$/.exec(ending)?.[1] ?? null) : null;
  } catch {
    // The reader of the bundle refuses it with the reason.
    return null;
  }
}

// Looked at before all else: of another format nothing is known.
function checkFormat(raw) {
  const body = listEntries(raw, (name) => takeSlot(name, [FORMAT])).next().value?.body;
  const found = body === undefined ? "" : toText(body);
  if (found === FORMAT_BODY) return;
  const refused = [`the format ${FORMAT_BODY.trim()}`, found ? quote(found.trim()) : "none"];
  throw ANY_FORMAT.test(found) ? new UnknownFormat(...refused) : new Refused(...refused);
}

// A bundle of an edition of the format that this page does not read.
export class UnknownFormat extends Refused {}

// The members of a bundle by their names, or throws Refused.
export function parseBundle(raw, { isRecord = false } = {}) {
  checkFormat(raw);
  const slots = isRecord ? RECORD_SLOTS : SLOTS;
  // All of them, with room for the entries of the container.
  const sizeMax = slots.reduce((size, slot) => size + slot.sizeMax, 4_096);
  if (raw.length > sizeMax) throw new Refused(`at most ${sizeMax} bytes`, `${raw.length} bytes`);
  const members = readMembers(raw, slots);
  const spelled = formatArchive(members);
  const place = spelled.findIndex((each, at) => each !== raw[at]);
  if (place >= 0 || spelled.length !== raw.length) {
    const found = `${raw.length} bytes, another one at ${place < 0 ? spelled.length : place}`;
    throw new Refused(`${spelled.length} bytes as such archives are written`, found);
  }
  return new Map(members.map(({ name, body }) => [name, body]));
}

// The member that begins every bundle.
export const formatMember = () => ({ name: FORMAT.name, body: fromText(FORMAT_BODY) });

export function formatArchive(members) {
  /** @type {[Uint8Array[], Uint8Array[]]} */
  const [locals, centrals] = [[], []];
  let offset = 0;
  for (const { name, body } of members) {
    const nameBytes = fromText(name);
    const sizes = [
      [crc32(body), 4],
      [body.length, 4],
      [body.length, 4],
      [nameBytes.length, 2],
      [0, 2],
    ];
    const shared = [[0, 2], [0, 2], [0, 2], [DATE, 2], ...sizes];
    const local = joined(pack([[LOCAL_MARK, 4], [VERSION, 2], ...shared]), nameBytes, body);
    locals.push(local);
    const attributes = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ];
    centrals.push(joined(pack([[CENTRAL_MARK, 4], [VERSION, 2], [VERSION, 2], ...shared, ...attributes]), nameBytes));
    offset += local.length;
  }
  const [local, central] = [joined(...locals), joined(...centrals)];
  const count = members.length;
  const end = [
    [END_MARK, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [central.length, 4],
    [local.length, 4],
    [0, 2],
  ];
  return joined(local, central, pack(end));
}

function crc32(bytes) {
  let sum = 0xffffffff;
  for (const each of bytes) sum = CRC_TABLE[(sum ^ each) & 0xff] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

function readMembers(raw, slots) {
  const waiting = [...slots];
  const members = [...listEntries(raw, (name) => takeSlot(name, waiting))];
  checkComplete(waiting);
  return members;
}

// Each member with its checksum, one after the other; `findSlot` gives a name's place, or throws Refused.
/** @returns {Generator<{ name: string, body: Uint8Array }, undefined>} */
export function* listEntries(raw, findSlot) {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  let offset = 0;
  while (raw.length >= offset + 4 && view.getUint32(offset, true) === LOCAL_MARK) {
    if (raw.length < offset + LOCAL_SIZE)
      throw new Refused(`an entry of ${LOCAL_SIZE} bytes at byte ${offset}`, "the end");
    const [version, flags, method, time, date] = [4, 6, 8, 10, 12].map((at) => view.getUint16(offset + at, true));
    const [checksum, packed, size] = [14, 18, 22].map((at) => view.getUint32(offset + at, true));
    const [nameSize, extra] = [26, 28].map((at) => view.getUint16(offset + at, true));
    if ([version, flags, method, time, date, extra].join() !== [VERSION, 0, 0, 0, DATE, 0].join() || packed !== size) {
      const found = `version ${version}, flags ${flags}, method ${method}, date ${date}, ${extra} bytes of extras`;
      throw new Refused(`a plain stored member at byte ${offset}`, found);
    }
    const start = offset + LOCAL_SIZE + nameSize;
    const name = raw.slice(offset + LOCAL_SIZE, offset + LOCAL_SIZE + Math.min(nameSize, NAME_SIZE_MAX));
    const slot = findSlot(String.fromCharCode(...name));
    if (size > slot.sizeMax || start + size > raw.length) {
      throw new Refused(
        `at most ${Math.min(slot.sizeMax, Math.max(0, raw.length - start))} bytes of ${slot.name}`,
        `${size} bytes`,
      );
    }
    const body = raw.slice(start, start + size);
    if (crc32(body) !== checksum) throw new Refused(`${slot.name} with its checksum`, "another checksum");
    yield { name: slot.name, body };
    offset = start + size;
  }
}

// The next place with this name; those before it stay empty, if they may.
function takeSlot(name, waiting) {
  const place = waiting.findIndex((slot) => slot.name === name);
  if (place < 0)
    throw new Refused(`as next member ${waiting.map((slot) => slot.name).join(" or ") || "none"}`, quote(name));
  checkComplete(waiting.slice(0, place));
  return waiting.splice(0, place + 1).at(-1);
}

function checkComplete(passed) {
  const missing = passed.filter((slot) => slot.isRequired);
  if (missing.length)
    throw new Refused(`the member ${missing.map((slot) => slot.name).join(" or ")}`, "none at its place");
}

function pack(fields) {
  const bytes = new Uint8Array(fields.reduce((size, [, width]) => size + width, 0));
  const view = new DataView(bytes.buffer);
  let place = 0;
  for (const [value, width] of fields) {
    if (width === 4) view.setUint32(place, value, true);
    else view.setUint16(place, value, true);
    place += width;
  }
  return bytes;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, each) => {
  let sum = each;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});
