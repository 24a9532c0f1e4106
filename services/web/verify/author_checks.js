// Who wrote each line, by which command, and with whose signature. Each sees the lines up to the first that cannot be
// read.

import { broken, held, unchecked } from "./findings.js";
import { isSignedBy, knowsEd25519, signedInput } from "./signature.js";

// A signer may be so many inputs behind.
const BASES_MAX = 256;
const BY_SEAT = new Set([
  "seat_taken",
  "seat_left",
  "seat_readied",
  "seat_resigned",
  "seat_reclaimed",
  "consent_given",
  "consent_withdrawn",
]);
const ANSWERS = new Set(["action_sealed", "action_revealed", "action_played", "seat_reclaimed"]);

export class Authors {
  /** @type {Verdict | null} */
  #misfit = null;
  #opener = null;
  #organisers = [];
  // The seats for which a stand-in plays, and the turns in which a clock of each seat ran out since its last answer.
  #handed = new Set();
  #lapses = new Map();
  #inputs = 0;

  see({ place, line, event, opened }) {
    if (place === 1) {
      this.#opener = line.by;
      this.#organisers = Object.keys(opened?.organisers ?? {}).map((each) => `organiser:${each}`);
    }
    if (this.#misfit) return;
    if (line.kind === "outcome") {
      if (line.type === "seat_handed") this.#hand(line, event.seat, opened?.stand_in);
      return;
    }
    this.#inputs += 1;
    const enders = [this.#opener, ...this.#organisers, "operator", ...(opened?.table ? ["server"] : [])];
    const allowed = allow(
      line.type,
      event,
      { organisers: this.#organisers, opener: this.#opener, enders, stewards: opened?.table ? ["server"] : [] },
      this.#handed.has(event.seat),
    );
    const isOpener = line.type === "game_opened" && /^(?:player|organiser):/.test(line.by);
    // One operator may do the same as another.
    const author = line.by.startsWith("operator:") ? "operator" : line.by;
    if (!allowed.includes(author) && !isOpener)
      this.#misfit = broken(line.version, `${line.type} by ${allowed.join(" or ")}`, line.by);
    if (line.type === "seat_reclaimed" && !this.#handed.has(event.seat))
      this.#misfit ??= broken(
        line.version,
        "seat_reclaimed of a seat that was handed over",
        `seat ${event.seat}, which its player plays`,
      );
    if (line.type === "clock_expired")
      this.#lapses.set(event.seat, this.#listLapses(event.seat).add(findTurn(event.decision)));
    else if (ANSWERS.has(line.type) && line.by !== "server") this.#lapses.delete(event.seat);
    if (line.type === "seat_reclaimed") this.#handed.delete(event.seat);
  }

  #hand(line, seat, terms) {
    const found = this.#listLapses(seat).size;
    if (!terms) this.#misfit = broken(line.version, "no seat_handed, as the terms name no stand-in", "one");
    else if (found < terms.after)
      this.#misfit = broken(
        line.version,
        `seat_handed after ${terms.after} turns in which a clock of its seat ran out since its last answer`,
        String(found),
      );
    this.#handed.add(seat);
  }

  #listLapses(seat) {
    return this.#lapses.get(seat) ?? new Set();
  }

  result() {
    return this.#misfit ?? held(`${this.#inputs} inputs`);
  }
}

export class Commands {
  /** @type {Verdict | null} */
  #misfit = null;
  #seen = new Map();

  see({ line }) {
    if (line.kind === "outcome" || this.#misfit) return;
    const isByServer = line.type === "action_revealed" && line.by === "server";
    if ((line.command === null) !== isByServer) {
      this.#misfit = broken(line.version, isByServer ? "no command id" : "a command id", line.command);
    } else if (this.#seen.has(line.command)) {
      this.#misfit = broken(
        line.version,
        `an id other than that of line ${this.#seen.get(line.command)}`,
        line.command,
      );
    } else if (line.command !== null) {
      this.#seen.set(line.command, line.version);
    }
  }

  result() {
    return this.#misfit ?? held(`${this.#seen.size} commands`);
  }
}

export class Signatures {
  /** @type {Verdict | null} */
  #misfit = null;
  #isUnknown = false;
  #keys = new Map();
  #signed = 0;

  async see({ place, line, event, opened }) {
    if (place === 1) {
      for (const [each, key] of Object.entries(opened?.organisers ?? {})) this.#keys.set(`organiser:${each}`, key);
      return;
    }
    if (line.type === "seat_taken" && line.kind === "input") this.#keys.set(`seat:${event.seat}`, event.key);
    if (line.kind === "outcome" || this.#misfit || this.#isUnknown) return;
    this.#misfit = await this.#judge(line, this.#keys.get(line.by) ?? null);
  }

  result() {
    if (this.#isUnknown)
      return unchecked("this browser does not know Ed25519; Chromium from 137, Firefox from 129 and Safari from 17 do");
    return this.#misfit ?? held(`${this.#signed} signatures`);
  }

  async #judge(line, key) {
    if (key === null)
      return line.sig === null ? null : broken(line.version, `no signature, as ${line.by} registered no key`, "one");
    if (line.sig === null) return broken(line.version, `a signature by the key of ${line.by}`, "none");
    this.#isUnknown = !(await knowsEd25519());
    if (this.#isUnknown) return null;
    const isSigned = line.command !== null && (await isSignedBy(signedInput(line), key, line.sig));
    if (!isSigned)
      return broken(
        line.version,
        `a signature by ${key}, the key of ${line.by}, over this input of this game`,
        line.sig,
      );
    this.#signed += 1;
    return null;
  }
}

// That nothing but inputs stands between a signed input and the newest line that its signer had seen.
export class Bases {
  /** @type {Verdict | null} */
  #misfit = null;
  #bases = [];
  #signed = 0;

  see({ line, hash }) {
    if (line.base !== null) {
      this.#signed += 1;
      if (!this.#bases.includes(line.base))
        this.#misfit ??= broken(
          line.version,
          "the hash of the last outcome before it, or of an input since",
          line.base,
        );
    }
    this.#bases = line.kind === "input" ? [...this.#bases, hash].slice(-BASES_MAX) : [hash];
  }

  result() {
    return this.#misfit ?? held(`${this.#signed} signed inputs`);
  }
}

function allow(type, event, { organisers, opener, enders, stewards }, isHanded) {
  if (BY_SEAT.has(type)) return [`seat:${event.seat}`];
  switch (type) {
    case "game_opened":
      return ["player:ID", "organiser:ID"];
    case "opening_witnessed":
      return ["server"];
    case "seat_offered":
      return [opener, ...organisers];
    case "clock_expired":
      return ["clock"];
    case "clock_extended":
      return [...organisers, "clock"];
    case "game_aborted":
      return enders;
    case "action_revealed":
      return isHanded ? ["server"] : [`seat:${event.seat}`, "server"];
    case "action_sealed":
    case "action_played":
      return [isHanded ? "house" : `seat:${event.seat}`];
    case "pause_ended":
      if (event.seat !== null) return [`seat:${event.seat}`];
      return stewards.length ? stewards : ["clock"];
    case "table_paused":
      return stewards;
    default:
      // A removal.
      return organisers.length ? organisers : ["an organiser, of whom this game has none"];
  }
}

// Must agree with `find_turn` in domain/game/stand_in.py.
function findTurn(decision) {
  return decision.split("/")[0];
}
