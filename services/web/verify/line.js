// One line of a log, and the chain that ties it to the one before. Must agree with domain/log/record.py, where the form
// stands. The hash of a line is over its bytes without the newline; each line holds that of the line before as `prev`.

import { toHex } from "./bytes.js";
import { parse } from "./canonical.js";
import { sha256 } from "./digests.js";
import { Refused, quote } from "./refused.js";

export const LINE_SIZE_MAX = 65_536;
const TYPE_LENGTH_MAX = 60;
const GENESIS = "0".repeat(64);
const FIRST_AT = "1970-01-01T00:00:00.000Z";
const LAST_AT = "2999-12-31T23:59:59.999Z";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const ACCOUNT = `(?:player|organiser|operator):${UUID}`;
const NUMBERED = "seat:(?:[0-9]|1[01])|helper:(?:[12]?[0-9]|3[01])";
const SPELLINGS = {
  at: /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$/,
  base: /^[0-9a-f]{64}$/,
  by: new RegExp(`^(?:${ACCOUNT}|${NUMBERED}|house|operator|clock|server)$`),
  command: new RegExp(`^${UUID}$`),
  kind: /^(?:input|outcome)$/,
  prev: /^[0-9a-f]{64}$/,
  sig: /^[0-9a-f]{128}$/,
  stream: new RegExp(`^${UUID}$`),
  type: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
};
const MEMBERS = ["at", "base", "by", "command", "data", "kind", "prev", "sig", "stream", "type", "version"];
const NULLABLE = new Set(["base", "command", "sig"]);

// Reads a line from its one accepted spelling, or throws Refused.
export function parseLine(raw) {
  if (raw.length > LINE_SIZE_MAX) throw new Refused(`at most ${LINE_SIZE_MAX} bytes`, `${raw.length} bytes`);
  const line = parse(raw);
  if (!isObject(line) || Object.keys(line).sort().join() !== MEMBERS.join())
    throw new Refused("a JSON object of eleven members", "another");
  for (const [name, spelling] of Object.entries(SPELLINGS)) {
    const isAbsent = line[name] === null && NULLABLE.has(name);
    if (!isAbsent && !(typeof line[name] === "string" && spelling.test(line[name]))) {
      throw new Refused(`${name} to match ${spelling.source}`, quote(String(JSON.stringify(line[name]))));
    }
  }
  if (!isObject(line.data)) throw new Refused("data to be an object", quote(JSON.stringify(line.data)));
  if (!Number.isInteger(line.version) || line.version < 1)
    throw new Refused("version to be at least 1", quote(JSON.stringify(line.version)));
  checkFields(line);
  return line;
}

export async function lineHash(raw) {
  return toHex(await sha256(raw));
}

export function checkFirst(line) {
  if (line.prev !== GENESIS || line.version !== 1 || line.stream !== line.command) {
    throw new Refused(`prev ${GENESIS}, version 1, stream ${line.command} as its command`, describe(line));
  }
}

// Whether the line follows the one before it, whose hash is `head`.
export function checkNext(line, before, head) {
  const version = before.version + 1;
  if (line.prev !== head || line.version !== version || line.stream !== before.stream) {
    throw new Refused(`prev ${head}, version ${version}, stream ${before.stream}`, describe(line));
  }
  // Instants of one fixed form compare as text.
  if (line.at < before.at || (line.kind === "outcome" && line.at !== before.at)) {
    throw new Refused(`at ${before.at}${line.kind === "outcome" ? "" : " or later"}`, `at ${line.at}`);
  }
}

function checkFields(line) {
  const instant = new Date(line.at);
  // A day or an hour that does not exist is carried over, or is none.
  if (Number.isNaN(instant.getTime()) || instant.toISOString() !== line.at)
    throw new Refused("at to be a real instant", line.at);
  if (line.at < FIRST_AT || line.at > LAST_AT) throw new Refused(`at to be from ${FIRST_AT} to ${LAST_AT}`, line.at);
  if (line.type.length > TYPE_LENGTH_MAX)
    throw new Refused(`type to have at most ${TYPE_LENGTH_MAX} characters`, line.type);
  if ((line.base === null) !== (line.sig === null))
    throw new Refused("base and sig, or neither", `base ${line.base}, sig ${line.sig}`);
  if (line.kind === "outcome" && !(line.by === "server" && line.command === null && line.sig === null)) {
    throw new Refused(
      "an outcome by server with null command and sig",
      `by ${line.by}, command ${line.command}, sig ${line.sig}`,
    );
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(line) {
  return `prev ${line.prev}, version ${line.version}, stream ${line.stream}`;
}
