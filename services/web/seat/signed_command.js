// Commands of a seat or an entry, signed where it has a key: over the event, and over the newest line of its log.
// Must agree with clients/python/spina_client/signed_commands.py.

import { buildId } from "../parts/command_ids.js";
import { signedInput } from "../verify/signature.js";

const BASE_TOO_OLD = "urn:spina:problem:base-too-old";
// Each refusal means that the log went on meanwhile.
const ATTEMPTS_MAX = 20;

/**
 * Sends a command of a body without an id, under the given id, until it is answered.
 * @typedef {(command: { stream: string, path: string, fields: object, id: string, onWait?: (error: any) => void }) =>
 *   Promise<any>} Send
 */

/**
 * `data` are the fields of the event of this `type` that is logged in `stream`, `sent` those of the body. `readHead`
 * gives the hash of the newest line; `send` calls `onWait` with the error whenever the command has to be sent again.
 * @param {{ stream: string, path: string, type: string, data: object, sent?: object, secrets: any,
 *   readHead: () => Promise<string>, send: Send, onWait?: (error: any) => void }} command
 */
export async function sendSigned({ stream, path, type, data, sent = data, secrets, readHead, send, onWait }) {
  const id = buildId();
  for (let attempt = 1; ; attempt += 1) {
    const signature = secrets.publicKey
      ? await sign(secrets, await readHead(), { command: id, data, stream, type })
      : {};
    try {
      return await send({ stream, path, fields: { ...sent, ...signature }, id, onWait });
    } catch (error) {
      if (error.type !== BASE_TOO_OLD || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

async function sign(secrets, base, event) {
  return { base, sig: await secrets.sign(signedInput({ base, ...event })) };
}
