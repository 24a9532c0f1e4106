// One line of a log as its bytes state it: nothing is believed, and a line that cannot be read stands there with the
// reason.

import { readFields } from "./fields.js";
import { lineHash, parseLine } from "./line.js";
import { Refused } from "./refused.js";

// `line` is null where the bytes are no line, `event` where it states nothing.
export async function readEntry(raw, place, kinds) {
  const found = { place, hash: await lineHash(raw), line: null, event: null, fields: null, refusal: null };
  try {
    const line = parseLine(raw);
    const fields = readFields(line, kinds);
    return { ...found, line, fields, event: fields === "unreadable" ? null : line.data };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ...found, refusal: error };
  }
}
