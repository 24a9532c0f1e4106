// A game as it happens, and the events of an account. Both go on where they broke off, and miss nothing.
// Must agree with clients/python/spina_client/following.py.

import { Unanswered } from "../../services/web/parts/caller.js";
import { readFrames, readStream } from "../../services/web/parts/frames.js";
import { mayComeAgain, Retry } from "../../services/web/parts/reaching.js";

/** @typedef {import("./client.js").Client} Client */

/**
 * Yields each line after a version, or from the present on, with the game after it, until nothing more can come. Members
 * that are null are left out of `game`. Raises Unanswered where the game is not shown, or the server stays away.
 * @param {Client} client
 * @param {string} game
 * @param {{ after?: number, signal?: AbortSignal }} [options]
 * @returns {AsyncGenerator<{ version: number, line: any, game: any }>}
 */
export async function* followGame(client, game, { after, signal } = {}) {
  let version = after ?? (await client.readGame(game)).version;
  const open = (ended) => readFrames(client.caller, game, version, ended);
  for await (const { line, shown, end } of resumed(client, open, signal)) {
    if (end === "over") return;
    if (!line) continue;
    version = line.version;
    yield { version, line, game: shown };
  }
}

/**
 * Yields the events of the account after an id, until the signal aborts. `after` of `Client.readOwnGames` misses none.
 * @param {Client} client
 * @param {{ after: number, signal?: AbortSignal }} options
 * @returns {AsyncGenerator<{ id: number, event: string, data: any }>}
 */
export async function* followAccount(client, { after, signal }) {
  let known = after;
  const open = (ended) => readStream(client.caller, `/v1/account/events?after=${known}`, ended);
  for await (const { name, id, data } of resumed(client, open, signal)) {
    if (id === undefined) continue;
    known = Number(id);
    yield { id: known, event: name, data: JSON.parse(data) };
  }
}

// The events of a stream that is opened again whenever it breaks off, until its server stays away for too long.
async function* resumed(client, open, signal = new AbortController().signal) {
  const retry = new Retry();
  for (let heard = Date.now(); !signal.aborted; await retry.rest(signal)) {
    try {
      for await (const event of open(signal)) {
        heard = Date.now();
        retry.reset();
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = error instanceof Unanswered && !mayComeAgain(error);
      if (isRefused || Date.now() - heard > client.awayMsMax) throw error;
    }
  }
}
