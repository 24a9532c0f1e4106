// How a game ends: once, with its secret as the last line, and that secret the one committed to at the start.

import { fromHex } from "./bytes.js";
import { commit, deriveAnchor } from "./chance.js";
import { broken, held, unchecked } from "./findings.js";

const GOES_ON = unchecked("the game is not over");
export const ENDS = new Set([
  "outcome game_finished",
  "input game_aborted",
  "outcome game_cancelled",
  "outcome game_stopped",
]);

export class Ending {
  /** @type {LogLine | null} */
  #end = null;
  /** @type {LogLine | null} */
  #shown = null;
  #types = [];
  #lines = 0;

  see({ line }) {
    this.#types.push(line.type);
    if (ENDS.has(`${line.kind} ${line.type}`)) this.#end ??= line;
    if (line.type === "secret_disclosed" && line.kind === "outcome") this.#shown ??= line;
  }

  count() {
    this.#lines += 1;
  }

  // `isWhole` states that no more lines can come: then a missing secret is withheld.
  result({ isWhole }) {
    if (this.#shown && !(this.#end && this.#end.version < this.#shown.version))
      return broken(this.#shown.version, "no secret before the game is over", "secret_disclosed");
    if (!this.#end) return GOES_ON;
    const after = this.#end.version + 1;
    if (this.#lines < after) return isWhole ? broken(after, "secret_disclosed", "the end of the log") : GOES_ON;
    if (this.#types.length < after) return unchecked(`line ${after} cannot be read`);
    if (this.#types[after - 1] !== "secret_disclosed") return broken(after, "secret_disclosed", this.#types[after - 1]);
    if (this.#lines > after) return broken(after + 1, "nothing after the secret", "another line");
    return held(`${this.#end.type} and secret_disclosed`);
  }
}

export class Secret {
  // The first secret that the log discloses, whether or not it is the right one.
  /** @type {Uint8Array | null} */
  disclosed = null;
  #place = null;
  /** @type {Verdict | null} */
  #judged = null;

  see({ place, line, fields, event }) {
    if (this.disclosed || line?.type !== "secret_disclosed" || line.kind !== "outcome" || fields === "unreadable")
      return;
    this.disclosed = fromHex(event.secret);
    this.#place = place;
  }

  async result({ opened, game }) {
    if (!this.disclosed) return unchecked("the secret of the game is not disclosed yet");
    if (!opened) return unchecked("the line with the commitment cannot be read");
    // A thousand hashes for each chain: once is enough.
    this.#judged ??= await this.#judge(opened, game);
    return this.#judged;
  }

  async #judge(opened, game) {
    const made = await commit(game, this.disclosed);
    if (made !== opened.commit)
      return broken(this.#place, `the secret of the commitment ${opened.commit}`, `that of ${made}`);
    for (const [place, expected] of opened.anchors.entries()) {
      const found = await deriveAnchor(this.disclosed, place + 1);
      if (found !== expected)
        return broken(this.#place, `the secret of anchor ${expected} of chain ${place + 1}`, `that of ${found}`);
    }
    return held(
      `the commitment and ${opened.anchors.length === 1 ? "the anchor" : `all ${opened.anchors.length} anchors`}`,
    );
  }
}
