// Sealed actions: the hash by which a seat commits to an action before it shows it. Must agree with domain/seal.py.

import { fromHex, joined, toHex } from "./bytes.js";
import { spell } from "./canonical.js";
import { sha256 } from "./digests.js";

export async function sealAction({ game, seat, decision, salt, action }) {
  return toHex(await sha256(joined(`spina/seal/v1\0${game}\0${seat}\0${decision}\0`, fromHex(salt), spell(action))));
}
