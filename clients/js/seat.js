// A seat of a client's account, with its secrets: taken, played and left.

import { SeatAt } from "../../services/web/seat/seat_at.js";
import { SeatSecrets } from "../../services/web/seat/seat_secrets.js";

/**
 * A place for the secrets of seats that survives the program: `kept_seats.js` is one.
 * @typedef {object} Kept
 * @property {(game: string) => Promise<object | null>} read the packed secrets of a game
 * @property {(game: string, packed: object) => Promise<void>} keep resolves once they are written down
 * @property {(game: string) => Promise<void>} forget
 */

/** @typedef {import("./client.js").Client} Client */

/** One seat of one game: `take`, `ready`, `answer`, `reveal`, `resign`, `leave`, `reclaim`. */
export class Seat extends SeatAt {
  /**
   * @param {Client} client
   * @param {SeatSecrets} secrets
   */
  constructor(client, secrets) {
    super(client.account, secrets, {
      readGame: async (game) => ({ body: await client.readGame(game) }),
      send: ({ path, fields, id }) => client.command(path, fields, id),
    });
    this.client = client;
  }

  get game() {
    return this.secrets.game;
  }

  /** Gets ready, with the next link where the seat has links. */
  async ready() {
    return super.ready(await this.read());
  }
}

/**
 * The seat with the secrets that were kept, or with new ones: with links, own custody and a key where the game demands
 * any of them.
 * @param {Client} client
 * @param {string} game
 * @param {number} seat
 * @param {{ kept?: Kept | null }} [options]
 */
export async function buildSeat(client, game, seat, { kept = null } = {}) {
  const save = async (secrets) => kept?.keep(game, await secrets.pack());
  const packed = await kept?.read(game);
  if (packed) return new Seat(client, await SeatSecrets.unpack(packed, save));
  const { demands } = (await client.readGame(game)).terms;
  const custody = demands.includes("own_custody") || demands.includes("signed") ? "own" : "server";
  if (demands.length) return new Seat(client, await SeatSecrets.build({ game, seat, custody }, save));
  const none = { links: [], publicKey: null, sealed: {}, entrusted: [] };
  return new Seat(client, new SeatSecrets({ game, seat, custody, ...none }, save));
}
