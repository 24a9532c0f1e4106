// One account at one server: opens games, reads them, waits for them. `bot.js` plays a seat.
// Must agree with clients/python/spina_client/client.py.

import { ask } from "../../services/web/parts/asking.js";
import { Caller, readBody, Unanswered } from "../../services/web/parts/caller.js";
import { buildId } from "../../services/web/parts/command_ids.js";
import { untilAnswered } from "../../services/web/parts/reaching.js";

// Longer than each outage after which games go on: a failover of half a minute, a machine that starts anew in two.
const AWAY_MS_MAX = 150_000;
const TOKEN_VARIABLE = "SPINA_TOKEN";
const NO_SUCH_VERSION = "urn:spina:problem:no-such-version";

/** @typedef {{ id: string, name: string, token: string }} Account */
/** @typedef {{ awayMsMax?: number }} Patience */
/** @typedef {Omit<Api.OpenBody, "command">} Terms */

/** An account at a server. Every command gets an id here, and keeps it however often it is sent. */
export class Client {
  /**
   * @param {string} url of the server, such as http://127.0.0.1:8000
   * @param {Account} account
   * @param {Patience} [patience] how long a server that is away is waited for
   */
  constructor(url, account, { awayMsMax = AWAY_MS_MAX } = {}) {
    this.url = url.replace(/\/+$/, "");
    this.account = account;
    this.awayMsMax = awayMsMax;
    /** What the ledger has signed for, in the order of the answers. @type {any[]} */
    this.receipts = [];
    this.caller = callerOf(this.url, account.token, (receipt) => this.receipts.push(receipt));
  }

  /**
   * Reads a resource of the API, by its address from `/v1` on.
   * @param {string} address
   * @returns {Promise<any>}
   */
  read(address) {
    return this.persist(() => this.caller.read(address));
  }

  /**
   * Sends a command with an id of its own, until it is answered.
   * @param {string} path
   * @param {object} fields of the body, without the id
   * @param {string} [id]
   * @returns {Promise<any>}
   */
  command(path, fields, id = buildId()) {
    return this.persist(() => this.caller.command(path, { command: id, ...fields }));
  }

  /**
   * Opens a game on these terms (the body of `POST /v1/games` without its id), and returns its id.
   * @param {Terms} terms
   * @returns {Promise<string>}
   */
  async openGame(terms) {
    return (await this.command("/v1/games", terms)).game;
  }

  /**
   * The game in this account's view. The server waits some seconds for `minVersion`, then refuses.
   * @param {string} game
   * @param {{ minVersion?: number, at?: number }} [asked]
   * @returns {Promise<Api.GameShown>}
   */
  readGame(game, { minVersion, at } = {}) {
    const asked = Object.entries({ min_version: minVersion, at }).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(asked.map(([name, value]) => [name, `${value}`]));
    return this.read(`/v1/games/${encodeURIComponent(game)}${query.size ? `?${query}` : ""}`);
  }

  /**
   * The game once it is past this version, or null after some seconds without a new one.
   * @param {string} game
   * @param {number} after
   */
  async readNext(game, after) {
    try {
      return await this.readGame(game, { minVersion: after + 1 });
    } catch (error) {
      if (error.type !== NO_SUCH_VERSION) throw error;
      return null;
    }
  }

  /**
   * Yields public games, the newest first.
   * @param {{ ruleset?: string, status?: string }} [sought]
   * @returns {AsyncGenerator<Api.GameListed>}
   */
  async *listGames(sought = {}) {
    for (let before = ""; ; ) {
      const page = await this.read(`/v1/games?${new URLSearchParams({ ...sought, ...(before && { before }) })}`);
      yield* page.items;
      if (!page.next) return;
      before = page.next;
    }
  }

  /**
   * The games of this account, the seats that others offer to it, and `after` of its events.
   * @returns {Promise<Api.OwnGames>}
   */
  readOwnGames() {
    return this.read("/v1/account/games");
  }

  listRulesets() {
    return this.read("/v1/rulesets");
  }

  /**
   * Declines the offer of a seat in a game, or all offers of an account.
   * @param {{ game?: string | null, sender?: string | null }} offer
   */
  async decline({ game = null, sender = null }) {
    await this.persist(() => this.caller.command("/v1/account/declines", { game, sender }));
  }

  /**
   * Opens a rematch of a game that is over, or finds the open one, and returns its id.
   * @param {string} game
   * @returns {Promise<string>}
   */
  async openRematch(game) {
    return (await this.command(`/v1/games/${game}/rematch`, {})).game;
  }

  /**
   * The zip that proves a game: `verifyBundle` reads it, and `spina verify`.
   * @param {string} game
   */
  readBundle(game) {
    return this.persist(async () => {
      const { answer } = await this.caller.send(`/v1/games/${game}/bundle`);
      if (!answer.ok) await readBody(answer);
      return new Uint8Array(await answer.arrayBuffer());
    });
  }

  /**
   * Repeats an attempt until it is answered or refused; raises Unanswered where the server stays away.
   * @template Answer
   * @param {() => Promise<Answer>} attempt
   */
  persist(attempt) {
    return persist(attempt, this.awayMsMax);
  }
}

/**
 * Makes an account of this name, which `isBot` declares as a program's for ever. Only its `account.token` signs in as the
 * account again.
 * @param {string} url
 * @param {string} name
 * @param {Patience & { isBot?: boolean }} [options]
 */
export async function register(url, name, { isBot = false, ...patience } = {}) {
  // The one command without an id: sent again after a lost answer, it would make a second account.
  const account = await callerOf(url.replace(/\/+$/, ""), null).command("/v1/players", {
    name,
    ...(isBot ? { is_bot: true } : {}),
  });
  return new Client(url, account, patience);
}

/**
 * The client of a token: the given one, or that of the environment, `SPINA_TOKEN`.
 * @param {string} url
 * @param {string} [token]
 * @param {Patience} [patience]
 */
export async function signIn(url, token = globalThis.process?.env[TOKEN_VARIABLE], patience = {}) {
  if (!token) throw new TypeError(`expected a token, or one in ${TOKEN_VARIABLE}, found neither`);
  const caller = callerOf(url.replace(/\/+$/, ""), token);
  const { id, name } = await persist(() => caller.read("/v1/account"), patience.awayMsMax ?? AWAY_MS_MAX);
  return new Client(url, { id, name, token }, patience);
}

/** @returns {Caller} */
function callerOf(url, token, onReceipt = (_) => {}) {
  return new Caller({
    ask: (address, options) => ask(url + address, options),
    findHeaders: () => /** @type {Record<string, string>} */ (token ? { authorization: `Bearer ${token}` } : {}),
    onReceipt,
  });
}

function persist(attempt, awayMsMax) {
  const began = Date.now();
  return untilAnswered(attempt, (error) => {
    if (Date.now() - began > awayMsMax) throw error;
  });
}

/**
 * The refusal's stable code, as `GET /v1/problems` lists it; null of any other error.
 * @param {any} error
 * @returns {string | null}
 */
export function codeOf(error) {
  return error instanceof Unanswered ? (error.type?.split(":").at(-1) ?? null) : null;
}
