// Where the pages' requests go: to the server, but for those that a file on this machine answers.

let answerOf = null;

// `answer(address)` gives a Response, or null for a request that is the server's.
export function answerBy(answer) {
  answerOf = answer;
}

export async function ask(address, options) {
  return (await answerOf?.(address)) ?? fetch(address, options);
}
