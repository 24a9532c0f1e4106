// Every die and shuffle against the anchors and the contributions before it; needs neither rules nor secret.
// After a link that does not fit, no later draw can be checked.

import { Chance, DrawRefused } from "./chance.js";
import { broken, held, unchecked } from "./findings.js";

// The games draw under a handful of names; each is counted, so a hostile log must not bring thousands.
const DRAW_NAMES_MAX = 64;
const CONTRIBUTING = new Set(["seat_readied", "action_revealed", "action_played"]);
const UNREADABLE = unchecked("the line that publishes the anchors cannot be read");

export class Draws {
  /** @type {Chance | null} */
  #chance = null;
  /** @type {Record<"links" | "faces" | "shuffles", Verdict | null>} */
  #misfits = { links: null, faces: null, shuffles: null };
  #rolls = 0;
  #shuffles = 0;

  // Gives the report on a draw at this line, or null.
  async see({ line, event, opened, place }) {
    if (place === 1) {
      if (opened) this.#chance = await Chance.open(line.stream, opened.anchors);
      return null;
    }
    const chance = this.#chance;
    if (chance === null) return null;
    if (line.type === "dice_rolled" && line.kind === "outcome") this.#rolls += 1;
    if (line.type === "deck_shuffled" && line.kind === "outcome") this.#shuffles += 1;
    if (this.#misfits.links) return null;
    return this.#follow(chance, line, event);
  }

  results() {
    const { links, faces, shuffles } = this.#misfits;
    if (this.#chance === null) return { links: UNREADABLE, faces: UNREADABLE, shuffles: UNREADABLE };
    const heldFaces =
      links?.verdict === "did_not_hold"
        ? unchecked(`they held up to line ${links.version}, whose link is not the next one`)
        : held(`${this.#rolls} rolls`);
    return {
      links: links ?? held(`${this.#rolls} rolls`),
      faces: faces ?? heldFaces,
      shuffles: shuffles ?? held(`${this.#shuffles} shuffles`),
    };
  }

  /** @param {Chance} chance */
  async #follow(chance, line, event) {
    let told;
    if (line.kind === "input") {
      if (CONTRIBUTING.has(line.type) && event.nonce !== null) chance.contribute(event.seat, event.nonce);
    } else if (line.type === "dice_rolled") {
      told = await this.#tell(line, "roll", () => chance.roll(event));
    } else if (line.type === "deck_shuffled") {
      told = await this.#tell(line, "shuffle", () => chance.shuffle(event));
    }
    if (chance.draws.size > DRAW_NAMES_MAX) {
      this.#misfits.links ??= broken(line.version, `draws under at most ${DRAW_NAMES_MAX} names`, "one more");
    }
    return told ?? null;
  }

  async #tell(line, kind, draw) {
    try {
      return { kind, version: line.version, holds: true, data: line.data, from: await draw() };
    } catch (error) {
      if (!(error instanceof DrawRefused)) throw error;
      const check = kind === "shuffle" ? "shuffles" : error.what === "faces" ? "faces" : "links";
      this.#misfits[check] ??= broken(line.version, error.expected, error.found);
      return {
        kind,
        version: line.version,
        holds: false,
        data: line.data,
        expected: error.expected,
        found: error.found,
      };
    }
  }
}
