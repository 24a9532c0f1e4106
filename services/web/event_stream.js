// An event stream (text/event-stream) read by fetch, so that the server's answer is seen and a place can be named.
//
//   id: 57
//   data: {"version":57}
//                              an empty line ends an event; `event:` names it; lines of other names are passed over

import { Unanswered } from "./api.js";

// The server says something every fifteen seconds; after two of them missed the connection is dead.
const SILENCE_MS = 40_000;

// Yields {name, data} as they come, until the stream ends; the first is "open". Raises Unanswered where there is none.
export async function* readStream(address, signal) {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const answer = await fetch(address, { headers: { accept: "text/event-stream" }, cache: "no-store", signal: either });
    if (!answer.ok) throw new Unanswered(answer.status, `The server answered ${answer.status}.`);
    yield { name: "open", data: "" };
    // 204: nothing more can ever come.
    if (answer.status === 204) {
      yield { name: "end", data: '{"reason":"over"}' };
      return;
    }
    let rest = "";
    for await (const chunk of chunks(answer.body.pipeThrough(new TextDecoderStream()))) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const events = (rest + chunk).split("\n\n");
      rest = events.pop();
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
