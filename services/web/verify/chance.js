// A game's randomness as an outsider follows it: the pool, the links, and the value that each draw must have.
// Must agree with domain/chance.py, where the construction stands; only the order of a deck needs the secret.

import { fromHex, joined, toHex } from "./bytes.js";
import { hmac, sha256 } from "./digests.js";
import { linkFollows, walkDown } from "./links.js";
import { faces, shuffleOrder } from "./numbers.js";
import { Refused } from "./refused.js";

export const LINKS_PER_CHAIN = 1_024;
const SIDES_MAX = 1_000_000;
const DECK_SIZE_MAX = 10_000;

// Which of the two checks of dice a refusal belongs to: the place in the chains, or the faces.
export class DrawRefused extends Refused {
  constructor(what, expected, found) {
    super(`${what}: ${expected}`, found);
    this.what = what;
  }
}

export async function commit(game, secret) {
  return toHex(await sha256(joined("spina/commit/v1\0", game, "\0", secret)));
}

export async function deriveAnchor(secret, chain) {
  return walkDown(await hmac(secret, joined(`spina/links/v1/${chain}`)), LINKS_PER_CHAIN);
}

export async function firstPool(game) {
  return sha256(joined("spina/pool/v1\0", game));
}

// Contributions in ascending seat order, one seat's own in the order of the log.
export async function mix(pool, waiting) {
  let mixed = pool;
  for (const each of [...waiting].sort((one, other) => one.seat - other.seat))
    mixed = await sha256(joined(mixed, fromHex(each.nonce)));
  return mixed;
}

export async function diceFaces(link, pool, label, dice, sides) {
  return faces(await hmac(fromHex(link), joined(pool, label)), dice, sides);
}

export async function deckOrder(secret, pool, label, size) {
  const key = await hmac(await hmac(secret, joined("spina/decks/v1")), joined(pool, label));
  return shuffleOrder(key, size);
}

export class Chance {
  constructor(anchors, pool) {
    this.anchors = anchors;
    this.pool = pool;
    this.waiting = [];
    this.used = 0;
    this.last = anchors[0];
    this.draws = new Map();
  }

  static async open(game, anchors) {
    return new Chance(anchors, await firstPool(game));
  }

  contribute(seat, nonce) {
    this.waiting.push({ seat, nonce });
  }

  // Checks dice as they stand in the log and moves on; gives their sources. Faces that differ are thrown after that.
  async roll(rolled) {
    const chain = Math.floor(this.used / LINKS_PER_CHAIN) + 1;
    const index = (this.used % LINKS_PER_CHAIN) + 1;
    const name = rolled.label.slice(0, Math.max(0, rolled.label.lastIndexOf(":")));
    const label = this.#nextLabel(name);
    if (chain > this.anchors.length)
      throw new DrawRefused("chain", "no dice after the last link", `chain ${rolled.chain}`);
    if (rolled.label !== label || rolled.chain !== chain || rolled.index !== index) {
      const found = `${rolled.label}, chain ${rolled.chain}, index ${rolled.index}`;
      throw new DrawRefused("place", `${label}, chain ${chain}, index ${index}`, found);
    }
    if (!(await linkFollows(this.last, rolled.link)))
      throw new DrawRefused("link", `a link whose SHA-256 is ${this.last}`, rolled.link);
    if (!(rolled.sides >= 1 && rolled.sides <= SIDES_MAX && rolled.faces.length > 0)) {
      throw new DrawRefused(
        "sides",
        `dice with 1 to ${SIDES_MAX} sides`,
        `${rolled.faces.length} dice with ${rolled.sides} sides`,
      );
    }
    const contributions = this.waiting;
    await this.#mixFor(name);
    this.used += 1;
    this.last = this.used % LINKS_PER_CHAIN === 0 ? this.anchors[this.used / LINKS_PER_CHAIN] : rolled.link;
    const expected = await diceFaces(rolled.link, this.pool, label, rolled.faces.length, rolled.sides);
    if (expected.join() !== rolled.faces.join())
      throw new DrawRefused("faces", `(${expected.join(", ")})`, `(${rolled.faces.join(", ")})`);
    return { label, chain, index, contributions };
  }

  // Checks the announcement of a shuffle and moves on; gives the pool from which the secret makes the order.
  async shuffle(shuffled) {
    const label = this.#nextLabel(shuffled.deck);
    const contributions = this.waiting;
    await this.#mixFor(shuffled.deck);
    if (shuffled.label !== label) throw new DrawRefused("label", label, shuffled.label);
    if (!(shuffled.size >= 0 && shuffled.size <= DECK_SIZE_MAX))
      throw new DrawRefused("size", `0 to ${DECK_SIZE_MAX} cards`, String(shuffled.size));
    return { label, contributions, pool: this.pool, size: shuffled.size };
  }

  #nextLabel(name) {
    return `${name}:${(this.draws.get(name) ?? 0) + 1}`;
  }

  async #mixFor(name) {
    this.pool = await mix(this.pool, this.waiting);
    this.waiting = [];
    this.draws.set(name, (this.draws.get(name) ?? 0) + 1);
  }
}
