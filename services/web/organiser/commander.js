// Commands of an organiser. A command that is sent again, because no answer came, has the same id and is done once.

import { command } from "../api.js";
import { findToken } from "./token.js";

export class Commander {
  #path;
  #kept = { content: null, id: null };

  // `path` is where all commands of one tournament go to.
  constructor(path) {
    this.#path = path;
  }

  // Raises the refusal of the API, or a sentence about the token where there is none.
  async send(name, fields) {
    const answer = await this.#post(`${this.#path}${name ? `/${name}` : ""}`, name, fields);
    this.#kept = { content: null, id: null };
    return answer;
  }

  // Asks for the preview of a command, under the id that it would be sent with.
  preview(name, fields) {
    return this.#post(`${this.#path}/${name}/previews`, name, fields);
  }

  async #post(path, name, fields) {
    const token = findToken();
    if (!token) throw new Error("Your organiser's token is needed first.");
    const content = JSON.stringify([name, fields]);
    if (this.#kept.content !== content) this.#kept = { content, id: buildId() };
    return command(path, { command: this.#kept.id, ...fields }, token);
  }
}

// A random UUID; the browser's own function is missing where a page comes over plain http from another machine.
function buildId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
