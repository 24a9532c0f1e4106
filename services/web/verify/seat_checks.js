// Checks of the seats: each contribution the next link of its seat, none left out; each reveal the sealed action.

import { broken, held } from "./findings.js";
import { linkFollows } from "./links.js";
import { sealAction } from "./seal.js";

const CONTRIBUTING = new Set(["seat_readied", "action_revealed", "action_played"]);
const SEALS_MAX = 9;

export class Contributions {
  /** @type {Verdict | null} */
  misfit = null;
  #links = new Map();
  // Decisions for which the last seal is a stand-in's.
  #byHouse = new Set();
  #nonces = new Map();
  #signing = new Map();
  #players = [];
  #count = 0;

  async see({ line, event }) {
    if (line.type === "game_started" && line.kind === "outcome" && this.#players.length === 0)
      this.#players = event.seats;
    if (line.kind === "outcome") return;
    if (line.type === "seat_taken") this.#take(line, event);
    else if (line.type === "action_sealed")
      this.#byHouse[line.by === "house" ? "add" : "delete"](`${event.seat} ${event.decision}`);
    else if (CONTRIBUTING.has(line.type)) await this.#add(line, event);
  }

  result() {
    return this.misfit ?? held(`${this.#count} contributions`);
  }

  // The contributions of each playing seat so far.
  bySeat() {
    return this.#players.map((seat) => ({
      seat,
      nonces: this.#nonces.get(seat) ?? 0,
      isSigned: this.#signing.get(seat) ?? false,
    }));
  }

  #take(line, { seat, anchor, links, key }) {
    if ((anchor === null) !== (links === 0)) {
      this.misfit ??= broken(line.version, "an anchor and at least one link, or neither", `${anchor}, ${links} links`);
    }
    this.#links.set(seat, anchor === null ? null : { last: anchor, left: links });
    this.#signing.set(seat, key !== null);
  }

  async #add(line, { seat, decision, nonce }) {
    const isByHouse =
      line.by === "house" || (line.type === "action_revealed" && this.#byHouse.has(`${seat} ${decision}`));
    const links = this.#links.get(seat) ?? null;
    if (nonce !== null) this.#nonces.set(seat, (this.#nonces.get(seat) ?? 0) + 1);
    this.misfit ??= await findMisfit(line.version, seat, nonce, isByHouse ? null : links);
    if (nonce === null || links === null) return;
    this.#links.set(seat, { last: nonce, left: links.left - 1 });
    this.#count += 1;
  }
}

export class Seals {
  /** @type {Verdict | null} */
  #misfit = null;
  #seals = new Map();
  #reveals = 0;

  async see({ line, event }) {
    if (line.kind === "outcome" || this.#misfit) return;
    if (line.type === "action_sealed") this.#put(line, event);
    else if (line.type === "action_revealed") await this.#open(line, event);
  }

  result() {
    return this.#misfit ?? held(`${this.#reveals} reveals`);
  }

  #put(line, { seat, decision, seal }) {
    const put = this.#seals.get(`${seat} ${decision}`) ?? [];
    this.#seals.set(`${seat} ${decision}`, [...put, seal]);
    if (put.length === SEALS_MAX)
      this.#misfit = broken(line.version, `at most ${SEALS_MAX} seals of ${decision}`, "one more");
  }

  async #open(line, { seat, decision, action, salt }) {
    const made = await sealAction({ game: line.stream, seat, decision, salt, action });
    const expected = this.#seals.get(`${seat} ${decision}`)?.at(-1) ?? "none, as nothing was sealed";
    // A seal is opened once.
    this.#seals.delete(`${seat} ${decision}`);
    if (made !== expected)
      this.#misfit = broken(line.version, `the seal ${expected}`, `an action whose seal is ${made}`);
    else this.#reveals += 1;
  }
}

async function findMisfit(version, seat, nonce, links) {
  if (links === null || links.left === 0)
    return nonce === null ? null : broken(version, `no nonce, as seat ${seat} has no links left`, nonce);
  if (nonce === null) return broken(version, `the next of ${links.left} links of seat ${seat}`, "none");
  return (await linkFollows(links.last, nonce))
    ? null
    : broken(version, `a nonce whose SHA-256 is ${links.last}`, nonce);
}
