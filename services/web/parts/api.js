// Reading the API as the caller of this browser.

import { ask } from "./asking.js";
import { Caller, readBody } from "./caller.js";
import { judgeReceipt } from "./receipt_times.js";

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
function ownHeaders() {
  return { ...(hasSession ? { authorization: PLAYER } : {}), ...(invitation ? { invitation } : {}) };
}

export const caller = new Caller({ ask, findHeaders: ownHeaders, onReceipt: (receipt) => judgeReceipt(receipt) });

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
/** @returns {Promise<{ body: any, offset_ms: number }>} */
export function readGame(game) {
  return caller.readGame(game);
}

export function readPlayer(player) {
  return read(`/v1/players/${encodeURIComponent(player)}`);
}

// Reads an address that changes now and then, by its tag; an unchanged answer costs some hundred bytes.
export async function readTagged(address) {
  const before = known.get(address);
  const { answer, offset_ms } = await caller.send(address, { headers: before ? { "if-none-match": before.tag } : {} });
  if (answer.status === 304) return { body: before.body, offset_ms, isNew: false };
  const body = await readBody(answer);
  const tag = answer.headers.get("etag");
  known.delete(address);
  if (tag) known.set(address, { tag, body });
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value);
  return { body, offset_ms, isNew: true };
}

// Sends a command as the player of this browser, or as another: `authorization` is a session or a token in its header.
export function command(address, fields, authorization = PLAYER) {
  return caller.command(address, fields, { authorization });
}

// The account of this browser's player, or of another; raises Unanswered with 401 where the server knows none.
export async function readAccount(authorization = PLAYER) {
  const { answer } = await caller.send("/v1/account", { headers: { authorization }, cache: "no-store" });
  return readBody(answer);
}

// One request for all parts of a page that read an address at the same time as the same caller; a later one asks anew.
export function read(address) {
  const asked = JSON.stringify([address, ownHeaders()]);
  let answer = underWay.get(asked);
  if (answer === undefined) {
    answer = caller.read(address).finally(() => underWay.delete(asked));
    underWay.set(asked, answer);
  }
  return answer;
}
