// The secrets of one seat: links, salts, the signing key. They are made here and written down before anything that depends
// on them is sent, so that the seat is played on after a reload. Must agree with clients/python/spina_client/seat_secrets.py.

import { toHex } from "../verify/bytes.js";
import { sha256 } from "../verify/digests.js";
import { knowsEd25519 } from "../verify/signature.js";
import { find, keep } from "./store.js";

// Links for a whole game of any ruleset: one for being ready and one for each answer.
const LINKS_COUNT = 1024;
const SECRET_BYTES = 32;

export function buildSalt() {
  return toHex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

export class SeatSecrets {
  #kept;

  constructor(kept) {
    this.#kept = kept;
  }

  // The secrets of this browser's seat in a game, or null.
  static async read(game) {
    const kept = await find("seats", game);
    return kept ? new SeatSecrets(kept) : null;
  }

  // Fresh ones, written down. `custody` is "server", which opens the seat's sealed actions, or "own".
  static async build({ game, seat, custody }) {
    // Browsers give their cryptography only to pages over https and from this machine; a seat without it has no links.
    const isAble = Boolean(globalThis.crypto?.subtle);
    const isSigning = isAble && custody === "own" && (await knowsEd25519());
    const keys = isSigning ? await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]) : null;
    const publicKey = keys && toHex(new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey)));
    const links = isAble ? await buildLinks(LINKS_COUNT) : [];
    const secrets = new SeatSecrets({ game, seat, custody, links, publicKey, key: keys?.privateKey ?? null, sealed: {}, entrusted: [] });
    await secrets.#save();
    return secrets;
  }

  get game() {
    return this.#kept.game;
  }

  get seat() {
    return this.#kept.seat;
  }

  get custody() {
    return this.#kept.custody;
  }

  get publicKey() {
    return this.#kept.publicKey;
  }

  get anchor() {
    return this.#kept.links[0] ?? null;
  }

  get linksCount() {
    return Math.max(this.#kept.links.length - 1, 0);
  }

  // The link so many places after the last disclosed one, or null where none is owed.
  findLink(last, steps) {
    if (!last || !steps) return null;
    const place = this.#kept.links.indexOf(last);
    if (place < 0) throw new Error("The seat was taken with other secrets than those of this browser.");
    return this.#kept.links[place + steps];
  }

  findSealed(decision) {
    return this.#kept.sealed[decision] ?? null;
  }

  async keepSealed(decision, sealed) {
    this.#kept.sealed[decision] = sealed;
    await this.#save();
  }

  async keepEntrusted(decision) {
    if (!this.#kept.entrusted.includes(decision)) this.#kept.entrusted.push(decision);
    await this.#save();
  }

  // Those of the decisions that the server keeps an action for.
  listEntrusted(decisions) {
    return this.#kept.entrusted.filter((each) => decisions.includes(each));
  }

  async sign(message) {
    return this.#kept.key ? toHex(new Uint8Array(await crypto.subtle.sign("Ed25519", this.#kept.key, message))) : null;
  }

  async #save() {
    await keep("seats", this.#kept.game, this.#kept);
  }
}

// A chain in hex: each link is the SHA-256 of the one after it, and the first is the anchor.
export async function buildLinks(count, last = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))) {
  const links = [toHex(last)];
  for (let link = last; links.length <= count; links.push(toHex(link))) link = await sha256(link);
  return links.reverse();
}
