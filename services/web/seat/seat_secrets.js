// The secrets of one seat, or of an entry in a tournament: links, salts, the signing key. They are made here and
// written down before anything that depends on them is sent, so that the seat is played on after a reload. Must agree
// with clients/python/spina_client/seat_secrets.py.

import { fromHex, toHex } from "../verify/bytes.js";
import { sha256 } from "../verify/digests.js";
import { knowsEd25519 } from "../verify/signature.js";

// Links for a whole game of any ruleset: one for being ready and one for each answer.
const LINKS_COUNT = 1024;
const SECRET_BYTES = 32;
const VAULT = { name: "AES-GCM", length: 256 };
const IV_BYTES = 12;

export function buildSalt() {
  return toHex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** @typedef {(secrets: SeatSecrets) => Promise<void>} Save */

export class SeatSecrets {
  #kept;
  #save;

  /**
   * `save` writes them down whenever they change, and resolves once they are.
   * @param {any} kept
   * @param {Save} save
   */
  constructor(kept, save) {
    this.#kept = kept;
    this.#save = () => save(this);
  }

  // Fresh ones, written down. `custody` is "server", which opens the seat's sealed actions, or "own". An entry has no
  // seat; with the secrets of an `entry` the seat signs with its key.
  /**
   * @param {{ game: string, seat?: number | null, custody?: string, entry?: SeatSecrets | null }} options
   * @param {Save} save
   */
  static async build({ game, seat = null, custody, entry = null }, save) {
    // Browsers give their cryptography only to pages over https and from this machine; a seat without it has no links.
    const isAble = Boolean(globalThis.crypto?.subtle);
    const isSigning = isAble && custody === "own" && (await knowsEd25519());
    const keys = entry ? entry.#keys : isSigning ? await buildKeys() : { publicKey: null };
    const links = isAble ? await buildLinks(LINKS_COUNT) : [];
    const secrets = new SeatSecrets({ game, seat, custody, links, ...keys, sealed: {}, entrusted: [] }, save);
    await secrets.#save();
    return secrets;
  }

  /**
   * Those of another device, written down here.
   * @param {{ pkcs8?: string | null, [name: string]: any }} packed
   * @param {Save} save
   */
  static async unpack({ pkcs8 = null, ...kept }, save) {
    const secrets = new SeatSecrets({ ...kept, ...(pkcs8 ? await closeKey(fromHex(pkcs8)) : {}) }, save);
    await secrets.#save();
    return secrets;
  }

  /**
   * Those that follow from the last link of a seat, written down here; in own custody with more of their values.
   * @param {{ game: string, seat: number | null, lastLink: string, [name: string]: any }} kept
   * @param {Save} save
   */
  static async follow({ lastLink, ...kept }, save) {
    const links = await buildLinks(LINKS_COUNT, fromHex(lastLink));
    const none = { custody: "server", publicKey: null, sealed: {}, entrusted: [] };
    return SeatSecrets.unpack({ ...none, ...kept, links }, save);
  }

  // All of them as plain values, for another device.
  async pack() {
    const { key: _, vault, closed, ...kept } = this.#kept;
    const pkcs8 = vault
      ? toHex(new Uint8Array(await crypto.subtle.decrypt({ name: VAULT.name, iv: closed.iv }, vault, closed.bytes)))
      : null;
    return { ...kept, pkcs8 };
  }

  // Their values in the form that cannot be exported.
  get kept() {
    return this.#kept;
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

  get #keys() {
    const { key, vault, closed, publicKey } = this.#kept;
    return { key, vault, closed, publicKey };
  }

  get anchor() {
    return this.#kept.links[0] ?? null;
  }

  // All links follow from it.
  get lastLink() {
    return this.#kept.links.at(-1) ?? null;
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
}

// A key that signs. It is used in a form that cannot be exported; for another device it also lies closed by a second
// key.
export async function buildKeys() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const publicBytes = await crypto.subtle.exportKey("raw", publicKey);
  return {
    publicKey: toHex(new Uint8Array(publicBytes)),
    ...(await closeKey(await crypto.subtle.exportKey("pkcs8", privateKey))),
  };
}

async function closeKey(pkcs8) {
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", false, ["sign"]);
  const vault = await crypto.subtle.generateKey(VAULT, false, ["encrypt", "decrypt"]);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  return { key, vault, closed: { iv, bytes: await crypto.subtle.encrypt({ name: VAULT.name, iv }, vault, pkcs8) } };
}

// A chain in hex: each link is the SHA-256 of the one after it, and the first is the anchor.
export async function buildLinks(count, last = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))) {
  const links = [toHex(last)];
  for (let link = last; links.length <= count; links.push(toHex(link))) link = await sha256(link);
  return links.reverse();
}
