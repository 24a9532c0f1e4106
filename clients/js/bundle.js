// A bundle, verified here: by its bytes and the keys that the reader trusts, without a server.

import { verifyBundle as verify } from "../../services/web/verify/bundle.js";

/**
 * The report of the second verifier: `verdict`, and in `findings` how every check stands. Raises Refused where the bytes
 * are no bundle.
 * @param {Uint8Array} bytes
 * @param {{ keys?: string[] }} [options] keys of ledgers and witnesses, or the lines of a policy
 */
export function verifyBundle(bytes, { keys = [] } = {}) {
  return verify(bytes, { keys, onDraws: () => {}, onProgress: async () => {} });
}
