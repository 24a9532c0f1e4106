// Coming again to a server that is away: pauses that grow, and end as soon as any request of the page is answered.

// A server that restarts is back in a second or two.
const PAUSE_MS = 1_000;
// While a player's clock is shown: it runs on from the server's return, and has to be right at once.
const COUNTING_MS_MAX = 1_500;
const FRONT_MS_MAX = 5_000;
const HIDDEN_MS_MAX = 30_000;
// Thousands who lost the same server must not come back in one moment.
const SPREAD = 0.5;
// No answer, or a server that is away.
const AWAY = new Set([0, 502, 503, 504]);
export const TOO_MANY = 429;

const woken = new EventTarget();
let isAway = false;
let isCounting = () => false;

// `asked()` states whether a clock is shown.
export function hurryWhile(asked) {
  isCounting = asked;
}

// The status of every answer to the page, or 0 where none came.
export function tellAnswer(status) {
  const wasAway = isAway;
  isAway = AWAY.has(status);
  if (wasAway && !isAway) wake();
}

export function onWake(handle) {
  woken.addEventListener("wake", handle);
}

function wake() {
  woken.dispatchEvent(new Event("wake"));
}

globalThis.addEventListener?.("online", wake);
globalThis.document?.addEventListener("visibilitychange", () => globalThis.document.hidden || wake());

// The pauses between the attempts of one task.
export class Retry {
  #pause = PAUSE_MS;

  reset() {
    this.#pause = PAUSE_MS;
  }

  // Returns the next pause.
  next() {
    const pause = Math.min(this.#pause, findMax());
    this.#pause = Math.min(2 * this.#pause, HIDDEN_MS_MAX);
    return pause * (1 - SPREAD * Math.random());
  }

  // Returns after the next pause, or earlier: once the server has answered, the page is in front, or `signal` aborts.
  rest(signal) {
    const ended = new AbortController();
    return /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        const timer = setTimeout(end, this.next());
        function end() {
          clearTimeout(timer);
          ended.abort();
          resolve();
        }
        woken.addEventListener("wake", end, { signal: ended.signal });
        signal?.addEventListener("abort", end, { signal: ended.signal });
      })
    );
  }
}

// Whether a request that ended so may be sent again: the server is away, or asks for a pause.
export function mayComeAgain(error) {
  return AWAY.has(error?.status) || error?.status === TOO_MANY;
}

/**
 * Repeats an attempt until it is answered or refused. `onWait(error)` is called before each pause; it may throw to give
 * up.
 * @template Answer
 * @param {() => Promise<Answer>} attempt
 * @param {(error: any) => void} [onWait]
 * @returns {Promise<Answer>}
 */
export async function untilAnswered(attempt, onWait = () => null) {
  for (const retry = new Retry(); ; await retry.rest()) {
    try {
      return await attempt();
    } catch (error) {
      if (!mayComeAgain(error)) throw error;
      onWait(error);
    }
  }
}

function findMax() {
  if (globalThis.document?.hidden) return HIDDEN_MS_MAX;
  return isCounting() ? COUNTING_MS_MAX : FRONT_MS_MAX;
}
