// Commands of a seat or an entry, signed where it has a key: over the event, and over the newest line of its log.
// Must agree with clients/python/spina_client/signed_commands.py.

import { buildId } from "../parts/command_ids.js";
import { signedInput } from "../verify/signature.js";
import { sendCommand } from "./sender.js";

const BASE_TOO_OLD = "urn:spina:problem:base-too-old";
// Each refusal means that the log went on meanwhile.
const ATTEMPTS_MAX = 20;

// `data` are the fields of the event of this `type` that is logged in `stream`, `sent` those of the body. `readHead`
// gives the hash of the newest line; `onWait` is called with the error whenever the command has to be sent again.
export async function sendSigned({ stream, path, type, data, sent = data, secrets, readHead, onWait }) {
  const id = buildId();
  for (let attempt = 1; ; attempt += 1) {
    const signature = secrets.publicKey
      ? await sign(secrets, await readHead(), { command: id, data, stream, type })
      : {};
    try {
      return await sendCommand({ stream, path, fields: { ...sent, ...signature }, id, onWait });
    } catch (error) {
      if (error.type !== BASE_TOO_OLD || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

async function sign(secrets, base, event) {
  return { base, sig: await secrets.sign(signedInput({ base, ...event })) };
}
