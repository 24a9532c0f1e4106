// Where the pages' requests go: to the server, but for those that a file on this machine answers.

import { TOO_MANY, tellAnswer } from "./reaching.js";

const SECOND_MS = 1_000;

/** @type {((address: string) => Promise<Response | null>) | null} */
let answerOf = null;

// `answer(address)` gives a Response, or null for a request that is the server's.
export function answerBy(answer) {
  answerOf = answer;
}

export async function ask(address, options) {
  return (await answerOf?.(address)) ?? fetchTold(address, options);
}

// A hall behind one address is answered one phone after the other: a read that was refused comes again when the server
// says, until its time is over.
async function fetchTold(address, options) {
  try {
    for (;;) {
      const answer = await fetch(address, options);
      tellAnswer(answer.status);
      if (answer.status !== TOO_MANY || (options?.method ?? "GET") !== "GET") return answer;
      await rest(Number(answer.headers.get("retry-after")) || 1, options.signal);
    }
  } catch (error) {
    // A request that the page gave up itself states nothing of the server.
    if (error.name !== "AbortError") tellAnswer(0);
    throw error;
  }
}

// Up to twice as long, by chance, so that they do not all come at once.
function rest(seconds, signal) {
  const after_ms = seconds * SECOND_MS * (1 + Math.random());
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, after_ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
