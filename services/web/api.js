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

// The game as it is now, and how far the server's clock is ahead of the reader's.
export async function readGame(game) {
  const { body, headers } = await ask(`/v1/games/${encodeURIComponent(game)}`);
  const told = Date.parse(headers.get("date"));
  return { body, offset_ms: Number.isNaN(told) ? 0 : told - Date.now() };
}

export function readPlayer(player) {
  return read(`/v1/players/${encodeURIComponent(player)}`);
}

export function readBoards(game, from, to, seat = null) {
  return read(`/v1/games/${encodeURIComponent(game)}/boards?from=${from}&to=${to}${seat === null ? "" : `&seat=${seat}`}`);
}

export function readEvents(game, after) {
  return read(`/v1/games/${encodeURIComponent(game)}/events?after=${after}`);
}

async function read(address) {
  return (await ask(address)).body;
}

async function ask(address) {
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
  return { body, headers: answer.headers };
}
