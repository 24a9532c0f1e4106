// Ed25519 signatures: the exact message, and whether a key signed it. Must agree with domain/signature.py.

import { fromHex, fromText, joined, toHex } from "./bytes.js";
import { spell } from "./canonical.js";

const INPUT_PAYLOAD_TYPE = "application/vnd.spina.input+json";
const KEY = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;
// Keys of small order, with the sign bit cleared: every attacker can make their signatures.
const SMALL_ORDER_KEYS = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

/** @type {Promise<boolean> | null} */
let hasEd25519 = null;

// Whether this browser knows Ed25519: Chromium from 137, Firefox from 129, Safari from 17.
export function knowsEd25519() {
  hasEd25519 ??= crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]).then(
    () => true,
    () => false,
  );
  return hasEd25519;
}

// The pre-authentication encoding of DSSE.
export function encodeSigned(payloadType, body) {
  return joined(`DSSEv1 ${fromText(payloadType).length} ${payloadType} ${body.length} `, body);
}

// The message that the sender of an input signs: these five, as they stand in the line.
export function signedInput({ base, command, data, stream, type }) {
  return encodeSigned(INPUT_PAYLOAD_TYPE, fromText(spell({ base, command, data, stream, type })));
}

export async function isSignedBy(message, keyHex, sigHex) {
  if (!(KEY.test(keyHex) && SIGNATURE.test(sigHex))) return false;
  const key = fromHex(keyHex);
  if (SMALL_ORDER_KEYS.has(toHex([...key.slice(0, -1), key[key.length - 1] & 0x7f]))) return false;
  try {
    const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, fromHex(sigHex), message);
  } catch {
    // Some browsers notice a key that is no point when they import it.
    return false;
  }
}
