// A bot that waits for rivals: takes each seat that is offered to its account, and plays it.
// Must agree with clients/python/spina_client/serving.py.

import { mayComeAgain } from "../../services/web/parts/reaching.js";
import { play } from "./bot.js";
import { waitForRivals } from "./challenge.js";
import { followAccount } from "./following.js";
import { buildSeat } from "./seat.js";

const GAMES_MAX = 4;
const GOING_ON = new Set(["open", "running"]);

/**
 * @typedef {object} Serving
 * @property {(offer: Api.OwnOffer) => boolean} [accepts] an offer that is not accepted is declined
 * @property {number} [gamesMax] an offer beyond so many games waits
 * @property {import("./seat.js").Kept | null} [kept] the secrets of seats, to play on after the program was killed
 * @property {(ended: Api.GameShown) => void} [onEnded]
 * @property {(game: string, fault: unknown) => void} [onFault] a fault of one game leaves the others alone
 * @property {AbortSignal} [signal] ends it
 */

/**
 * Takes each seat that is offered to the account, and plays it by `choose(board, choices)`, until the signal aborts.
 * Games that go on from an earlier run are played on. Raises Unanswered where the token is refused, or the server stays
 * away.
 * @param {import("./client.js").Client} client
 * @param {import("./bot.js").Choose} choose
 * @param {Serving} [serving]
 */
export async function serveChallenges(client, choose, serving = {}) {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, ...(serving.signal ? [serving.signal] : [])]);
  const served = new Served(client, choose, serving, signal);
  try {
    // What happens from here on is an event; what is so already is read after it.
    const { after } = await client.readOwnGames();
    await Promise.race([served.listen(after), served.serve(), served.failed]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    ended.abort();
  }
}

class Served {
  #client;
  #choose;
  #serving;
  #signal;
  #playing = new Set();
  // After a fault the same game would fail again.
  #leftAlone = new Set();
  #isChanged = false;
  #onChange = () => {};
  /** @type {(fault: unknown) => void} */
  #fail = () => {};

  /**
   * @param {import("./client.js").Client} client
   * @param {import("./bot.js").Choose} choose
   * @param {Serving} serving
   * @param {AbortSignal} signal
   */
  constructor(client, choose, serving, signal) {
    this.#client = client;
    this.#choose = choose;
    this.#serving = { accepts: () => true, gamesMax: GAMES_MAX, kept: null, onEnded: () => {}, onFault, ...serving };
    this.#signal = signal;
    /** @type {Promise<never>} */
    this.failed = new Promise((_, reject) => (this.#fail = reject));
    signal.addEventListener("abort", () => this.#ring());
  }

  async listen(after) {
    for await (const _ of followAccount(this.#client, { after, signal: this.#signal })) this.#ring();
  }

  async serve() {
    while (!this.#signal.aborted) {
      const { items, offers } = await this.#client.readOwnGames();
      for (const { game, seat, status, tournament, is_offered: isOffered } of items)
        if (GOING_ON.has(status) && !tournament && !isOffered) this.#begin(game, seat);
      for (const offer of offers)
        if (this.#serving.accepts(offer)) this.#begin(offer.game, offer.seat);
        else await this.#client.decline({ game: offer.game });
      await this.#change();
    }
  }

  #begin(game, seat) {
    if (this.#playing.has(game) || this.#leftAlone.has(game) || this.#playing.size >= this.#serving.gamesMax) return;
    this.#playing.add(game);
    this.#play(game, seat);
  }

  async #play(game, seat) {
    try {
      this.#serving.onEnded(await this.#playToEnd(game, seat));
    } catch (fault) {
      if (mayComeAgain(fault)) this.#fail(fault);
      else if (!this.#signal.aborted) this.#serving.onFault(game, fault);
      this.#leftAlone.add(game);
    }
    this.#playing.delete(game);
    this.#ring();
  }

  async #playToEnd(game, seat) {
    const { kept } = this.#serving;
    const at = await buildSeat(this.#client, game, seat, { kept });
    if ((await at.read()).your_seat === null) await at.take();
    const { status, seats } = await waitForRivals(at, { signal: this.#signal });
    const own = seats[seat];
    if (status === "open" && own.status === "held" && !own.is_ready) await at.ready();
    const ended = await play(at, this.#choose, { signal: this.#signal });
    await kept?.forget(game);
    return ended;
  }

  #ring() {
    this.#isChanged = true;
    this.#onChange();
  }

  async #change() {
    if (!this.#isChanged) await new Promise((resolve) => (this.#onChange = () => resolve(null)));
    this.#isChanged = false;
  }
}

function onFault(game, fault) {
  console.warn(`${game} is left alone: ${fault}`);
}
