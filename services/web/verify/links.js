// Links: single-use values, each the SHA-256 preimage of the one disclosed before it. Must agree with domain/links.py.

import { fromHex, toHex } from "./bytes.js";
import { sha256 } from "./digests.js";

const LINK = /^[0-9a-f]{64}$/;

export async function linkFollows(previous, nonce) {
  return LINK.test(nonce) && toHex(await sha256(fromHex(nonce))) === previous;
}

// The link so many hashes below the last one; the anchor is as many below as the chain has links.
export async function walkDown(last, count) {
  let link = last;
  for (let passed = 0; passed < count; passed += 1) link = await sha256(link);
  return toHex(link);
}
