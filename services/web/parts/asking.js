// Where the pages' requests go: to the server, but for those that a file on this machine answers.

import { tellAnswer } from "./reaching.js";

let answerOf = null;

// `answer(address)` gives a Response, or null for a request that is the server's.
export function answerBy(answer) {
  answerOf = answer;
}

export async function ask(address, options) {
  return (await answerOf?.(address)) ?? fetchTold(address, options);
}

async function fetchTold(address, options) {
  try {
    const answer = await fetch(address, options);
    tellAnswer(answer.status);
    return answer;
  } catch (error) {
    // A request that the page gave up itself says nothing of the server.
    if (error.name !== "AbortError") tellAnswer(0);
    throw error;
  }
}
