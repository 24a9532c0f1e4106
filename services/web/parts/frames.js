// Frames of a game, one a version: its line, and the public view of the game after that line. The only reader of
// streams (text/event-stream), by fetch, so that the server's answer is seen and a place can be named.
//
//   id: 57
//   data: {"version":57}
//                              an empty line ends an event; `event:` names it; lines of other names are passed over

import { readOffset, Unanswered } from "./caller.js";

/** @import { Caller } from "./caller.js" */

// The server states something every fifteen seconds; after two of them missed the connection is dead.
const SILENCE_MS = 40_000;

// Yields {line, shown} for each version after `after`, in order and once, and the server's messages beside them:
// {isOpen, offset_ms} once the server has answered, by how far its clock is ahead, {readers} when so many follow, {end}
// when it closes and why.
/**
 * @param {Caller} caller
 * @param {string} game
 * @param {number} after
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<any, void, void>}
 */
export async function* readFrames(caller, game, after, signal) {
  let shown = null;
  let version = after;
  for await (const { name, data, offset_ms } of readStream(
    caller,
    `/v1/games/${encodeURIComponent(game)}/live?after=${after}`,
    signal,
  )) {
    const told = data ? JSON.parse(data) : null;
    if (name === "open") yield { isOpen: true, offset_ms };
    else if (name === "presence") yield { readers: told.readers };
    else if (name === "end") yield { end: told.reason };
    // The next frame is whole again, and no patch.
    else if (name === "seat_changed") shown = null;
    else if (name === "message") {
      // A hole cannot be patched over; a client that returns with its last version gets the missing lines.
      if (told.version !== version + 1) return;
      version = told.version;
      shown = shown === null ? told.board : applyPatch(shown, told.board);
      yield { line: told.line, shown };
    }
  }
}

// Yields {name, data, id} as they come, until the stream ends; the first is "open". Raises Unanswered where there is
// none.
/**
 * @param {Caller} caller
 * @param {string} address
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<any, void, void>}
 */
export async function* readStream(caller, address, signal) {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const asked_ms = Date.now();
  try {
    const answer = await caller.ask(address, {
      headers: { accept: "text/event-stream" },
      cache: "no-store",
      signal: either,
    });
    if (!answer.ok) throw new Unanswered(answer.status, `The server answered ${answer.status}.`);
    yield { name: "open", data: "", offset_ms: readOffset(answer.headers, asked_ms) };
    // 204: nothing more can ever come.
    if (answer.status === 204) {
      yield { name: "end", data: '{"reason":"over"}' };
      return;
    }
    let rest = "";
    if (!answer.body) return;
    for await (const chunk of chunks(answer.body.pipeThrough(new TextDecoderStream()))) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const events = (rest + chunk).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const found = parseEvent(event);
        if (found.data) yield found;
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

export function parseEvent(text) {
  const found = { name: "message", data: "" };
  for (const line of text.split("\n")) {
    if (line.startsWith("data: ")) found.data += line.slice(6);
    else if (line.startsWith("event: ")) found.name = line.slice(7);
    else if (line.startsWith("id: ")) found.id = line.slice(4);
  }
  return found;
}

// Not every browser lets a stream be iterated.
async function* chunks(stream) {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.cancel().catch(() => null);
  }
}

// A board after a merge patch (RFC 7396); an unchanged value stays one object, so a whole game costs little.
export function applyPatch(before, patch) {
  if (!isObject(patch)) return patch;
  const after = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete after[name];
    else after[name] = applyPatch(after[name], value);
  }
  return after;
}

// Frames leave out null members; a board read by itself is made alike, so that drawing code never meets both.
export function dropNulls(value) {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([name, each]) => [name, dropNulls(each)]));
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
