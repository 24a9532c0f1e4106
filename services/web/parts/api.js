// Reading the API. Every request has a time limit, and every failure becomes one kind of error with a sentence.

import { ask } from "./asking.js";
import { judgeReceipt } from "./receipt_times.js";

// A page of the log has two megabytes at most; a slow phone takes some seconds for it.
const TIMEOUT_MS = 20_000;
// The header `date` leaves out the part of a second.
const SECOND_MS = 1_000;

export class Unanswered extends Error {
  // `type` is that of the server's refusal, which never changes.
  constructor(status, detail, type = null) {
    super(detail);
    this.status = status;
    this.type = type;
  }
}

// Whether the page asks as the player of this browser's session, and the invitation to a seat that it came with;
// without them it sees what the public sees. The session itself is in a cookie, which counts beside this header alone.
export const PLAYER = "Session player";
export const ORGANISER = "Session organiser";
let hasSession = false;
/** @type {string | null} */
let invitation = null;

// Answers by address, with their tags: an unchanged one is not sent again.
const known = new Map();
// One page of a tournament reads some ten addresses over and over; the least recently asked goes first.
const KNOWN_MAX = 64;

// Reads that are not answered yet, by address and caller.
const underWay = new Map();

export function useSession(isOwn) {
  hasSession = isOwn;
}

export function useInvitation(secret) {
  invitation = secret;
}

// The headers of a read as this browser's account.
export function ownHeaders() {
  return { ...(hasSession ? { authorization: PLAYER } : {}), ...(invitation ? { invitation } : {}) };
}

// A page of "games" or "tournaments"; an empty value asks for nothing.
export function listPage(kind, asked) {
  return read(`/v1/${kind}?${new URLSearchParams(Object.entries(asked).filter(([, value]) => value))}`);
}

export function listRulesets() {
  return read("/v1/rulesets");
}

// The courses of the account of this browser and those that come with the rulesets.
export function listCourses() {
  return read("/v1/courses");
}

export function readCourse(hash) {
  return read(`/v1/courses/${encodeURIComponent(hash)}`);
}

// The game as it is now, and how far the server's clock is ahead of the reader's.
export async function readGame(game) {
  const { answer, offset_ms } = await send(`/v1/games/${encodeURIComponent(game)}`);
  return { body: await readBody(answer), offset_ms };
}

export function readPlayer(player) {
  return read(`/v1/players/${encodeURIComponent(player)}`);
}

// Reads an address that changes now and then, by its tag; an unchanged answer costs some hundred bytes.
export async function readTagged(address) {
  const before = known.get(address);
  const { answer, offset_ms } = await send(address, { headers: before ? { "if-none-match": before.tag } : {} });
  if (answer.status === 304) return { body: before.body, offset_ms, isNew: false };
  const body = await readBody(answer);
  const tag = answer.headers.get("etag");
  known.delete(address);
  if (tag) known.set(address, { tag, body });
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value);
  return { body, offset_ms, isNew: true };
}

// Sends a command as the player of this browser, or as another: `authorization` is a session or a token in its header.
export async function command(address, fields, authorization = PLAYER) {
  const headers = { "content-type": "application/json", authorization };
  const { answer } = await send(address, { method: "POST", headers, body: JSON.stringify(fields), cache: "no-store" });
  const body = await readBody(answer, tellProblem);
  judgeReceipt(body.receipt);
  return body;
}

// The account of this browser's player, or of another; raises Unanswered with 401 where the server knows none.
export async function readAccount(authorization = PLAYER) {
  const { answer } = await send("/v1/account", { headers: { authorization }, cache: "no-store" });
  return readBody(answer);
}

// One request for all parts of a page that read an address at the same time as the same caller; a later one asks anew.
export function read(address) {
  const asked = JSON.stringify([address, ownHeaders()]);
  let answer = underWay.get(asked);
  if (answer === undefined) {
    answer = readOnce(address).finally(() => underWay.delete(asked));
    underWay.set(asked, answer);
  }
  return answer;
}

async function readOnce(address) {
  const { answer } = await send(address);
  return readBody(answer);
}

// The answer, and how far the server's clock is ahead of the reader's.
async function send(address, options = {}) {
  const asked_ms = Date.now();
  try {
    const answer = await ask(address, {
      ...options,
      headers: { accept: "application/json", ...ownHeaders(), ...options.headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { answer, offset_ms: readOffset(answer.headers, asked_ms) };
  } catch {
    throw new Unanswered(0, "The server cannot be reached.");
  }
}

async function readBody(answer, tell = (problem) => problem?.detail) {
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
