// A bundle, verified with nothing but its bytes and the keys that the reader gave.

import { findOpening, parseBundle } from "./archive.js";
import { Audit } from "./audit.js";
import { parseTrust } from "./policy.js";
import { OPENING, RecordAudit } from "./record.js";
import { limitTime } from "./time_limit.js";

// Several times the longest race.
const LINES_MAX = 50_000;
const NEWLINE = 0x0a;
// How often progress is reported: often enough to move, seldom enough not to take the time itself.
const PROGRESS_LINES = 50;

// Throws Refused where the bytes are no bundle, or a key is none, and TooDear where they ask for more time than any
// game.
// `onDraws` and `onProgress` hear as it goes on.
export async function verifyBundle(bytes, { keys, onDraws, onProgress, keepTime = limitTime(bytes.length) }) {
  const isRecord = findOpening(bytes) === OPENING;
  const members = parseBundle(bytes, { isRecord });
  const policy = keys.length ? await parseTrust(keys.join("\n")) : null;
  const audit = isRecord ? new RecordAudit() : new Audit({ keepTime });
  const lines = splitLog(members.get("log.ndjson"), audit);
  for (const [place, raw] of lines.entries()) {
    keepTime();
    onDraws(await audit.add(raw));
    if (place % PROGRESS_LINES === 0) await onProgress(place, lines.length);
  }
  await onProgress(lines.length, lines.length);
  const bundle = { components: members.get("components.json"), proof: members.get("last.tlog-proof"), policy };
  return audit.report({ isWhole: true, bundle });
}

function splitLog(log, audit) {
  const lines = [];
  let start = 0;
  while (lines.length < LINES_MAX) {
    const end = log.indexOf(NEWLINE, start);
    if (end < 0) break;
    lines.push(log.subarray(start, end));
    start = end + 1;
  }
  const rest = log.subarray(start);
  if (rest.length && lines.length === LINES_MAX) {
    audit.end(`at most ${LINES_MAX} lines`, "more");
  } else if (rest.length) {
    lines.push(rest);
    audit.end("a newline after the last line", "none");
  } else if (lines.length === 0) {
    audit.end("at least one line", "an empty log");
  }
  return lines;
}
