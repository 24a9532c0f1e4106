// Commands of this browser's account: each is written down with its id before it is sent, and sent until it is
// answered, after a reload too. The server does a command once, however often it arrives.

import { command } from "../parts/api.js";
import { buildId } from "../parts/command_ids.js";
import { untilAnswered } from "../parts/reaching.js";
import { drop, keep, list } from "./store.js";

/**
 * `fields` are the body but for the id; `stream` is the game or the tournament; `id` names a command that was signed
 * before.
 * @param {{ stream: string, path: string, fields: object, id?: string, onWait?: (error: any) => void }} command
 */
export async function sendCommand({ stream, path, fields, id = buildId(), onWait }) {
  const kept = { id, stream, path, body: { command: id, ...fields } };
  await keep("commands", id, kept);
  return deliver(kept, onWait);
}

// Sends the commands of a game or a tournament that had no answer when the page was left; refusals are for the page
// that sent them.
export async function resend(stream) {
  const kept = (await list("commands")).filter((each) => each.stream === stream);
  for (const each of kept)
    await deliver(each).catch((error) => console.warn(`A command from before was refused: ${error.message}`));
}

/**
 * @param {{ id: string, path: string, body: object }} kept
 * @param {(error: any) => void} [onWait]
 */
async function deliver({ id, path, body }, onWait) {
  try {
    return await untilAnswered(() => command(path, body), onWait);
  } finally {
    await drop("commands", id);
  }
}
