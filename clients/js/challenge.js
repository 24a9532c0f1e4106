// From terms to a game in one call: open it, sit down, wait for the rivals, get ready.
// Must agree with clients/python/spina_client/challenge.py.

import { buildSeat } from "./seat.js";

// How often a game may stand still for as long as the server lets a reader wait (five seconds): an hour.
const WAITS_MAX = 720;

export class RivalAway extends Error {
  /**
   * @param {string} game
   * @param {number[]} seats
   */
  constructor(game, seats) {
    super(`expected all seats of ${game} to be taken, found ${seats.join(", ")} vacant`);
    this.game = game;
    this.seats = seats;
  }
}

/**
 * The offer of a seat to a house bot, by its name in `GET /v1/rulesets`. A bot that answers at once takes no time to
 * think: for programs that practise.
 * @param {string} bot
 * @param {{ atOnce?: boolean }} [options]
 * @returns {Api.HouseOffer}
 */
export function house(bot, { atOnce = false } = {}) {
  return { kind: "house", bot, ...(atOnce ? { at_once: true } : {}) };
}

/**
 * The offer of a seat to one player.
 * @param {string} player
 * @returns {Api.PlayerOffer}
 */
export function friend(player) {
  return { kind: "player", player };
}

/**
 * Opens a game on these terms, takes its first seat, and gets ready once every seat is held. `terms.offers` names the
 * rivals, null for the challenger: `offers: [null, house("careful")]`. Raises RivalAway and Unanswered.
 * @param {import("./client.js").Client} client
 * @param {import("./client.js").Terms} terms
 * @param {{ kept?: import("./seat.js").Kept | null, signal?: AbortSignal, waitsMax?: number }} [options]
 */
export async function challenge(client, terms, { kept = null, signal, waitsMax } = {}) {
  const at = await buildSeat(client, await client.openGame(terms), 0, { kept });
  await at.take();
  await waitForRivals(at, { signal, waitsMax });
  await at.ready();
  return at;
}

/**
 * The game once no seat of it is vacant, or once it is open no more. Raises RivalAway.
 * @param {import("./seat.js").Seat} at
 * @param {{ signal?: AbortSignal, waitsMax?: number }} [options]
 * @returns {Promise<Api.GameShown>}
 */
export async function waitForRivals(at, { signal, waitsMax = WAITS_MAX } = {}) {
  let shown = await at.read();
  for (let waits = 0; shown.status === "open"; waits += 1) {
    signal?.throwIfAborted();
    const vacant = shown.seats.filter(({ status }) => status === "vacant").map(({ seat }) => seat);
    if (!vacant.length) break;
    if (waits === waitsMax) throw new RivalAway(at.game, vacant);
    shown = (await at.client.readNext(at.game, shown.version)) ?? shown;
  }
  return shown;
}
