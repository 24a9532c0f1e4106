// Unbiased numbers from a key, and the faces and orders made of them. Must agree with domain/keyed_numbers.py.
// Blocks HMAC(key, uint64be(j)), four big-endian words each; words too high to be fair are passed over.

import { uint64 } from "./bytes.js";
import { keyed } from "./digests.js";

const WORDS = 2n ** 64n;

export class Words {
  #block = [];
  #number = 0;

  constructor(sign) {
    this.sign = sign;
  }

  async next() {
    if (this.#block.length === 0) {
      const view = new DataView((await this.sign(uint64(this.#number))).buffer);
      this.#block = [0, 8, 16, 24].map((place) => view.getBigUint64(place));
      this.#number += 1;
    }
    return this.#block.shift();
  }

  // A number from 0 to n-1, each equally likely.
  async below(n) {
    const sides = BigInt(n);
    const bound = WORDS - (WORDS % sides);
    let word = await this.next();
    while (word >= bound) word = await this.next();
    return Number(word % sides);
  }
}

export async function faces(key, dice, sides) {
  const words = new Words(await keyed(key));
  const found = [];
  while (found.length < dice) found.push((await words.below(sides)) + 1);
  return found;
}

// Where each card of the new pile lay in the old one.
export async function shuffleOrder(key, size) {
  const words = new Words(await keyed(key));
  const order = Array.from({ length: size }, (_, place) => place);
  for (let i = size - 1; i > 0; i -= 1) {
    const j = await words.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
