// The audit of a log, line by line: each check sees a line as it comes and can be asked at any time how it stands.
// Hostile bytes make findings, never exceptions. Must agree with domain/audit/verify.py wherever both have a check.

import { Authors, Bases, Commands, Signatures } from "./author_checks.js";
import { toHex } from "./bytes.js";
import { parse } from "./canonical.js";
import { deckOrder } from "./chance.js";
import { CLAIMS, OF_A_BUNDLE } from "./claims.js";
import { sha256 } from "./digests.js";
import { Draws } from "./draw_checks.js";
import { Ending, Secret } from "./ending_checks.js";
import { GAME_KINDS } from "./fields.js";
import { broken, held, unchecked } from "./findings.js";
import { Chain, Fields, Form, Opening } from "./form_checks.js";
import { checkLastLine, checkSigners } from "./ledger_checks.js";
import { Outcome } from "./outcome.js";
import { readEntry } from "./reading.js";
import { Refused } from "./refused.js";
import { Contributions, Seals } from "./seat_checks.js";
import { Reserved } from "./reserved.js";
import { sumUp } from "./verdict.js";

export class Audit {
  // These see every line; the others only those before the first that cannot be read.
  #all = { form: new Form(), chain: new Chain(), opening: new Opening(), fields: new Fields() };
  #walking = {
    authors: new Authors(),
    commands: new Commands(),
    contributions: new Contributions(),
    seals: new Seals(),
    signatures: new Signatures(),
    bases: new Bases(),
    ending: new Ending(),
  };
  #draws = new Draws();
  #secret = new Secret();
  #outcome = new Outcome();
  #reserved = new Reserved();
  #shuffles = [];
  #unreadFrom = null;
  /** @type {ReadEntry | null} */
  #last = null;
  /** @type {{ expected: string, found: string } | null} */
  #ending = null;

  #keepTime;

  /** @type {any} The terms of the first line. */
  opened = null;
  game = null;

  // `keepTime` is called between the pieces of a long work, and may end it.
  constructor({ keepTime = () => {} } = {}) {
    this.#keepTime = keepTime;
  }

  get lines() {
    return this.#last?.place ?? 0;
  }

  // Takes the bytes of the next line; gives its draws: the one on it, or the orders that the secret shows.
  async add(raw) {
    const found = await this.#read(raw);
    this.#last = found;
    for (const check of Object.values(this.#all)) check.see(found);
    this.#secret.see(found);
    this.#walking.ending.count();
    if (found.event === null) this.#unreadFrom ??= found.place;
    if (this.#unreadFrom !== null) return [];
    this.#outcome.see(found);
    this.#reserved.see(found);
    for (const check of Object.values(this.#walking)) await check.see(found);
    const told = await this.#draws.see(found);
    if (found.line.type === "secret_disclosed") return this.#tellOrders();
    return told ? [this.#judge(told)] : [];
  }

  // States that the log ended in a way that no log ends.
  end(expected, found) {
    this.#ending ??= { expected, found };
  }

  // How every check stands. `bundle` has the files beside the log, and whose keys count, where there are such.
  /** @param {{ isWhole?: boolean, bundle?: any }} [options] */
  async report({ isWhole = false, bundle = null } = {}) {
    const { links, faces, shuffles } = this.#draws.results();
    const results = { "dice-links": links, "dice-faces": faces, shuffles };
    for (const [name, check] of Object.entries(this.#walking)) results[name] = check.result({ isWhole });
    for (const [name, result] of Object.entries(results)) results[name] = this.#upTo(result);
    for (const [name, check] of Object.entries(this.#all)) results[name] = check.result({ ending: this.#ending });
    results.secret = await this.#secret.result({ opened: this.opened, game: this.game });
    /** @type {{ log: any, witnesses: any[], missing: string | null }} */
    let vouching = { log: null, witnesses: [], missing: "key" };
    if (bundle) {
      const judged = await this.#judgeBundle(bundle);
      vouching = judged.vouching;
      Object.assign(results, judged.results);
    }
    const made = CLAIMS.filter(([check]) => bundle || !OF_A_BUNDLE.has(check));
    const findings = made.map(([check, claim]) => ({ check, claim, result: results[check] }));
    const named = this.opened?.ruleset;
    const outcome = this.#outcome.result();
    return {
      game: this.game,
      ruleset: named ? `${named.name}@${named.version}` : null,
      status: outcome?.status ?? "open",
      verdict: sumUp(findings, outcome, vouching, { reserved: this.#reserved.result() }),
      lines: this.lines,
      findings,
      contributions: this.#walking.contributions.bySeat(),
    };
  }

  async #read(raw) {
    const place = this.lines + 1;
    const found = await readEntry(raw, place, GAME_KINDS);
    if (place === 1) {
      this.game = found.line?.stream ?? null;
      this.opened = found.line?.type === "game_opened" && found.line.kind === "input" ? found.event : null;
    }
    return { ...found, opened: this.opened };
  }

  // A draw is vouched for only while everything that it rests on holds.
  #judge(told) {
    const { form, chain } = this.#all;
    const isTied = form.result({ ending: null }).verdict === "held" && chain.result().verdict === "held";
    if (!told.holds) return { ...told, verdict: "did_not_hold" };
    if (!isTied || this.#walking.contributions.misfit)
      return { ...told, verdict: "not_checkable_yet", reason: "something before it does not hold" };
    if (told.kind === "roll") return { ...told, verdict: "held" };
    this.#shuffles.push(told);
    return { ...told, verdict: "not_checkable_yet", reason: "its order can be told when the secret is disclosed" };
  }

  async #tellOrders() {
    const isRight = (await this.#secret.result({ opened: this.opened, game: this.game })).verdict === "held";
    if (!isRight) return [];
    const orders = [];
    for (const told of this.#shuffles) {
      this.#keepTime();
      const { pool, label, size } = told.from;
      orders.push({ ...told, verdict: "held", order: await deckOrder(this.#secret.disclosed, pool, label, size) });
    }
    return orders;
  }

  #upTo(result) {
    if (result.verdict !== "held" || this.#unreadFrom === null) return result;
    return unchecked(`it held up to line ${this.#unreadFrom - 1}; line ${this.#unreadFrom} cannot be read`);
  }

  async #judgeBundle({ components, proof, policy }) {
    const opened = this.opened;
    const inclusion = await checkLastLine({ proof, last: this.#last, opened, game: this.game });
    const { checkpoint, witnesses, vouching } = await checkSigners({ proof, policy, opened });
    return {
      results: { components: await this.#judgeComponents(components, policy), inclusion, checkpoint, witnesses },
      vouching,
    };
  }

  async #judgeComponents(components, policy) {
    const hash = toHex(await sha256(components));
    const named = this.opened?.ruleset;
    if (!named) return unchecked("the line that names the components cannot be read");
    if (hash !== named.components) return broken(1, `components whose SHA-256 is ${named.components}`, hash);
    const reference = `${named.name}@${named.version}`;
    const allowed = (policy?.rulesets ?? []).filter((each) => each.reference === reference);
    if (allowed.length && !allowed.some((each) => each.components === hash))
      return broken(1, `components of ${reference} that the policy names`, hash);
    try {
      parse(components);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return broken(1, `components in canonical JSON: ${error.expected}`, error.found);
    }
    return held(`${components.length} bytes`);
  }
}
