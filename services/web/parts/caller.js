// A caller of the API: from whom its requests are, and where they go. Every request has a time limit, and every failure
// becomes one kind of error with a sentence. Programs without a page call by it too (clients/js).

// A page of the log has two megabytes at most; a slow phone takes some seconds for it.
const TIMEOUT_MS = 20_000;
// The header `date` leaves out the part of a second.
const SECOND_MS = 1_000;

/** @typedef {(address: string, options: RequestInit) => Promise<Response>} Ask */
/** @typedef {Omit<RequestInit, "headers"> & { headers?: Record<string, string> }} Options */

export class Unanswered extends Error {
  /**
   * `type` is that of the server's refusal, which never changes; a status of 0 is a server that gave no answer.
   * @param {number} status
   * @param {string} detail
   * @param {string | null} [type]
   */
  constructor(status, detail, type = null) {
    super(detail);
    this.status = status;
    this.type = type;
  }
}

export class Caller {
  /** @type {Ask} */
  #ask;
  /** @type {() => Record<string, string>} */
  #findHeaders;
  /** @type {(receipt: any) => void} */
  #onReceipt;

  /**
   * `findHeaders()` names the caller in every request; `onReceipt` hears of the receipt of a command.
   * @param {{ ask: Ask, findHeaders?: () => Record<string, string>, onReceipt?: (receipt: any) => void }} options
   */
  constructor({ ask, findHeaders = () => ({}), onReceipt = () => {} }) {
    this.#ask = ask;
    this.#findHeaders = findHeaders;
    this.#onReceipt = onReceipt;
  }

  /**
   * The bare answer, without a time limit.
   * @param {string} address
   * @param {Options} options
   */
  ask(address, options) {
    return this.#ask(address, { ...options, headers: { ...this.#findHeaders(), ...options.headers } });
  }

  /**
   * The answer, and how far the server's clock is ahead of the reader's.
   * @param {string} address
   * @param {Options} [options]
   */
  async send(address, options = {}) {
    const asked_ms = Date.now();
    try {
      const answer = await this.ask(address, {
        ...options,
        headers: { accept: "application/json", ...options.headers },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { answer, offset_ms: readOffset(answer.headers, asked_ms) };
    } catch {
      throw new Unanswered(0, "The server cannot be reached.");
    }
  }

  /**
   * @param {string} address
   * @returns {Promise<any>}
   */
  async read(address) {
    const { answer } = await this.send(address);
    return readBody(answer);
  }

  /**
   * The game as it is now, and how far the server's clock is ahead of the reader's.
   * @param {string} game
   * @returns {Promise<{ body: Api.GameShown, offset_ms: number }>}
   */
  async readGame(game) {
    const { answer, offset_ms } = await this.send(`/v1/games/${encodeURIComponent(game)}`);
    return { body: await readBody(answer), offset_ms };
  }

  /**
   * Sends a command; `headers` may name another caller.
   * @param {string} address
   * @param {object} fields
   * @param {Record<string, string>} [headers]
   * @returns {Promise<any>}
   */
  async command(address, fields, headers = {}) {
    const { answer } = await this.send(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(fields),
      cache: "no-store",
    });
    const body = await readBody(answer, tellProblem);
    if (body.receipt) this.#onReceipt(body.receipt);
    return body;
  }
}

/**
 * @param {Response} answer
 * @param {(problem: any) => string | null} [tell]
 * @returns {Promise<any>}
 */
export async function readBody(answer, tell = (problem) => problem?.detail) {
  const body = await answer.json().catch(() => null);
  if (!answer.ok || body === null)
    throw new Unanswered(answer.status, tell(body) ?? `The server answered ${answer.status}.`, body?.type);
  return body;
}

// The API's words on a refusal: its title, the expected and the found value, and each wrong field.
function tellProblem(problem) {
  if (!problem?.detail) return null;
  const fields = (problem.errors ?? []).map(({ field, message }) => `${field}: ${message}`);
  return `${problem.title}: ${fields.length ? fields.join("; ") : problem.detail}`;
}

// How far the server's clock is ahead of the reader's: the least that fits an answer of some second between its request
// and now. An answer that took long fits many, none among them.
export function readOffset(headers, asked_ms, now = Date.now()) {
  const answered_ms = Date.parse(headers.get("date"));
  if (Number.isNaN(answered_ms)) return 0;
  const least = answered_ms - now;
  return least > 0 ? least : Math.min(0, answered_ms + SECOND_MS - asked_ms);
}
