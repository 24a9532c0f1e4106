// Frames of a game, one a version: its line, and the public view of the game after that line. The only reader of streams.

import { applyPatch } from "./merge_patch.js";
import { readStream } from "./event_stream.js";

// Yields {line, shown} for each version after `after`, in order and once, and the server's messages beside them:
// {isOpen} once the server has answered, {readers} when so many follow, {end} when it closes and why.
export async function* readFrames(game, after, signal) {
  let shown = null;
  let version = after;
  for await (const { name, data } of readStream(`/v1/games/${encodeURIComponent(game)}/live?after=${after}`, signal)) {
    const told = data ? JSON.parse(data) : null;
    if (name === "open") yield { isOpen: true };
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
