// A bot's loop: answers every decision of a seat until its game is over. A bot brings `choose` alone.
// Must agree with clients/python/spina_client/bot.py.

import { Unanswered } from "../../services/web/parts/caller.js";

// Not now, as the game stands: between reading and answering another client may have been quicker, or the clock.
const OVERTAKEN = 409;
// The game moves by itself then: the clock expires, or gets back the time for which the server was away.
const CLOCK_RAN_OUT = "urn:spina:problem:clock-ran-out";
// How often a game may stand still for as long as the server lets a reader wait (five seconds): an hour.
const STILL_MAX = 720;

/**
 * From the board and the choices of a decision, as the API has them, to an action.
 * @typedef {(board: any, choices: any) => any} Choose
 */

export class GameStandsStill extends Error {
  /** @param {Api.GameShown} shown */
  constructor({ id, version, owed }) {
    const waiting = owed.map(({ seat, decision }) => `seat ${seat} ${decision}`).join(", ");
    super(`expected ${id} to move on from version ${version}, found it waiting: ${waiting || "no decision is owed"}`);
  }
}

/**
 * Plays a seat by `choose(board, choices)` until the game is over, and returns the game. The seat is taken back first,
 * where a house bot plays it. Raises GameStandsStill and Unanswered; after any of them the same call plays on.
 * @param {import("./seat.js").Seat} at
 * @param {Choose} choose
 * @param {{ signal?: AbortSignal, stillMax?: number }} [options]
 * @returns {Promise<Api.GameShown>}
 */
export async function play(at, choose, { signal, stillMax = STILL_MAX } = {}) {
  let shown = await at.read();
  while (shown.status === "open" || shown.status === "running") {
    signal?.throwIfAborted();
    shown = await takeBack(at, shown);
    const owed = findDue(at, shown);
    const wait = () => waitOn(at, shown, { signal, stillMax });
    shown = owed ? await act(at, choose, shown, owed, wait) : await wait();
  }
  return shown;
}

/** @returns {Promise<Api.GameShown>} */
async function takeBack(at, shown) {
  const own = shown.seats[at.secrets.seat];
  if (!own.is_handed || own.player !== at.account.id) return shown;
  const { last_version: minVersion } = await at.reclaim();
  return at.client.readGame(at.game, { minVersion });
}

// The server opens by itself what it keeps, after those of the others.
function findDue(at, shown) {
  if (shown.your_seat !== at.secrets.seat) return undefined;
  return at.listDue(shown).find(({ kind }) => kind !== "opening" || at.secrets.custody === "own");
}

async function waitOn(at, shown, { signal, stillMax }) {
  for (let waits = 0; waits < stillMax; waits += 1) {
    signal?.throwIfAborted();
    const moved = await at.client.readNext(at.game, shown.version);
    if (moved) return moved;
  }
  throw new GameStandsStill(shown);
}

async function act(at, choose, shown, owed, wait) {
  try {
    const { last_version: minVersion } = await answer(at, choose, shown, owed);
    return await at.client.readGame(at.game, { minVersion });
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    if (error.type === CLOCK_RAN_OUT) return wait();
    const moved = await at.read();
    // The same refusal on the same state would come for ever.
    if (error.status !== OVERTAKEN || moved.version === shown.version) throw error;
    return moved;
  }
}

async function answer(at, choose, shown, owed) {
  if (owed.kind === "opening") return at.reveal(shown, owed.decision);
  return at.answer(shown, owed, await choose(shown.board, shown.choices[owed.decision]));
}
