// Commands of an organiser or a helper, signed where there is a key. A command sent again, because no answer came, has
// the same id and is done once.

import { command, ORGANISER, read } from "../parts/api.js";
import { buildId } from "../parts/command_ids.js";
import { signedInput } from "../verify/signature.js";

/** @import { SigningKey } from "./signing_key.js" */

const BASE_TOO_OLD = "urn:spina:problem:base-too-old";
// Each refusal means that the log went on meanwhile.
const ATTEMPTS_MAX = 20;
// The types of the lines that the commands write; a ruling's is its own.
const TYPES = {
  rounds: "round_called",
  "close-entries": "entries_closed",
  close: "tournament_closed",
  abort: "tournament_aborted",
  answers: "call_answered",
  announcements: "announced",
  looks: "table_followed",
};

export class Commander {
  #stream;
  #path;
  #kept = { content: null, id: null, signature: null };

  // `stream` is the tournament that the commands are for, or null for the one that opens it.
  constructor(stream = null) {
    this.#stream = stream;
    this.#path = stream ? `/v1/tournaments/${encodeURIComponent(stream)}` : "/v1/tournaments";
    this.authorization = ORGANISER;
    /** @type {SigningKey | null} */
    this.key = null;
  }

  // `fields` are those of the line, `added` those of the body alone. Raises the refusal of the API.
  async send(name, fields, added = {}) {
    this.#keep(name, fields);
    const path = name ? `${this.#path}/${name}` : this.#path;
    for (let attempt = 1; ; attempt += 1) {
      // The signature of before goes first, as the command may have been done with it.
      this.#kept.signature ??= await this.#sign(name, fields);
      try {
        const body = { command: this.#kept.id, ...fields, ...added, ...this.#kept.signature };
        const answer = await command(path, body, this.authorization);
        this.#kept = { content: null, id: null, signature: null };
        return answer;
      } catch (error) {
        if (error.type !== BASE_TOO_OLD || attempt === ATTEMPTS_MAX) throw error;
        this.#kept.signature = null;
      }
    }
  }

  // Asks for the effect of a ruling under the id that it would be sent with. It is sent unsigned: with a signature the
  // ruling could be made at once.
  preview(fields) {
    this.#keep("rulings", fields);
    return command(`${this.#path}/rulings/previews`, { command: this.#kept.id, ...fields }, this.authorization);
  }

  #keep(name, fields) {
    const content = JSON.stringify([name, fields]);
    if (this.#kept.content !== content) this.#kept = { content, id: buildId(), signature: null };
  }

  async #sign(name, fields) {
    if (!this.key || !this.#stream) return {};
    const { head: base } = await read(this.#path);
    const { ruling, ...data } = fields;
    const type = ruling ?? TYPES[name];
    const message = signedInput({ base, command: this.#kept.id, data, stream: this.#stream, type });
    return { base, sig: await this.key.sign(message) };
  }
}
