// Reading the API. Every request has a time limit, and every failure becomes one kind of error with a sentence.

// A page of the log has two megabytes at most; a slow phone takes some seconds for it.
const TIMEOUT_MS = 20_000;

export class Unanswered extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export function listGames({ ruleset, status, before }) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ruleset, status, before })) if (value) query.set(name, value);
  return read(`/v1/games?${query}`);
}

export function listRulesets() {
  return read("/v1/rulesets");
}

export function readGame(game) {
  return read(`/v1/games/${encodeURIComponent(game)}`);
}

export function readBoards(game, from, to) {
  return read(`/v1/games/${encodeURIComponent(game)}/boards?from=${from}&to=${to}`);
}

export function readEvents(game, after) {
  return read(`/v1/games/${encodeURIComponent(game)}/events?after=${after}`);
}

async function read(address) {
  let answer;
  try {
    answer = await fetch(address, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new Unanswered(0, "The server cannot be reached.");
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok || body === null) {
    throw new Unanswered(answer.status, body?.detail ?? `The server answered ${answer.status}.`);
  }
  return body;
}
