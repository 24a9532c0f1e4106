// The key of an organiser or a helper in this browser: made once, kept where no script can read it, and used for every
// act without a question.

import { buildKeys } from "../seat/seat_secrets.js";
import { find, keep } from "../seat/store.js";
import { toHex } from "../verify/bytes.js";
import { knowsEd25519 } from "../verify/signature.js";

// Beside the accounts of this browser.
const kept = (name) => `key:${name}`;

export class SigningKey {
  #keys;

  constructor(keys) {
    this.#keys = keys;
  }

  // The key kept under a name, such as the id of an organiser's account, or null.
  static async read(name) {
    const keys = await find("accounts", kept(name)).catch(() => null);
    return keys ? new SigningKey(keys) : null;
  }

  // The same, made where there is none; null where the browser cannot sign.
  static async require(name) {
    const known = await SigningKey.read(name);
    if (known || !globalThis.crypto?.subtle || !(await knowsEd25519())) return known;
    const keys = await buildKeys();
    await keep("accounts", kept(name), keys);
    return new SigningKey(keys);
  }

  get publicKey() {
    return this.#keys.publicKey;
  }

  async sign(message) {
    return toHex(new Uint8Array(await crypto.subtle.sign("Ed25519", this.#keys.key, message)));
  }
}
