// The audit of an operators' record, line by line, as audit.js audits a game. Must agree with domain/audit/record.py.

import { Commands } from "./author_checks.js";
import { fromText, toHex } from "./bytes.js";
import { RECORD_CLAIMS } from "./claims.js";
import { sha256 } from "./digests.js";
import { RECORD_KINDS } from "./fields.js";
import { broken, held, shorten, unchecked } from "./findings.js";
import { Chain, Fields, Form } from "./form_checks.js";
import { checkLastLine, checkSigners } from "./ledger_checks.js";
import { readEntry } from "./reading.js";
import { sumUp } from "./verdict.js";

export const OPENING = "record_opened";
const BY = "operator";
// The first line, for its leaf key, and the one that is disclosed.
const EXCERPT_LINES = 2;

export class RecordAudit {
  #form = new Form();
  #chain = new Chain();
  #fields = new Fields();
  #commands = new Commands();
  /** @type {Verdict | null} */
  #foreign = null;
  /** @type {Verdict | null} */
  #second = null;
  /** @type {ReadEntry | null} */
  #first = null;
  /** @type {LogLine | null} */
  #lastRead = null;
  /** @type {ReadEntry | null} */
  #last = null;
  #unreadFrom = null;
  /** @type {{ expected: string, found: string } | null} */
  #ending = null;

  // Takes the bytes of the next line; a record has no draws.
  async add(raw) {
    const found = await readEntry(raw, (this.#last?.place ?? 0) + 1, RECORD_KINDS);
    const { place, line, event } = found;
    this.#first ??= found;
    this.#last = found;
    for (const check of [this.#form, this.#chain, this.#fields]) check.see(found);
    if (place > 1 && line?.type === OPENING) this.#second ??= broken(place, "no second opening", OPENING);
    if (event === null) this.#unreadFrom ??= place;
    if (this.#unreadFrom !== null) return [];
    this.#lastRead = line;
    if (line.by !== BY || line.sig !== null)
      this.#foreign ??= broken(place, `${line.type} by ${BY}, unsigned`, `by ${line.by}, sig ${line.sig}`);
    this.#commands.see(found);
    return [];
  }

  // States that the log ended in a way that no log ends.
  end(expected, found) {
    this.#ending ??= { expected, found };
  }

  // How every check stands, with the files beside the log.
  async report({ bundle }) {
    const record = this.#first?.line?.stream ?? null;
    const opened = this.#first?.line?.type === OPENING ? this.#first.event : null;
    const last = this.#last;
    const excerpt = this.#findExcerpt();
    const inclusion = await checkLastLine({
      proof: bundle.proof,
      last: last && { ...last, place: excerpt ?? last.place },
      opened,
      game: record,
    });
    const { checkpoint, witnesses, vouching } = await checkSigners({
      proof: bundle.proof,
      policy: bundle.policy,
      opened,
    });
    const results = {
      form: this.#form.result({ ending: this.#ending }),
      chain:
        excerpt === null || excerpt === EXCERPT_LINES
          ? this.#chain.result()
          : held(`line ${excerpt} beside the first, which is here for its key; the others are not in the file`),
      opening: await this.#judgeOpening(opened),
      fields: this.#fields.result(),
      authors: this.#upTo(this.#foreign ?? held(`${last?.place ?? 0} lines by ${BY}`)),
      commands: this.#upTo(this.#commands.result()),
      inclusion,
      checkpoint,
      witnesses,
      // No page reads the ledger; an excerpt claims no end.
      "logged-once":
        excerpt === null
          ? unchecked("the ledger alone tells whether later lines follow, and its entries were not read")
          : null,
    };
    const findings = RECORD_CLAIMS.filter(([check]) => results[check] !== null).map(([check, claim]) => ({
      check,
      claim,
      result: results[check],
    }));
    const verdict = sumUp(findings, this.#tellOutcome(opened), vouching, { hasRules: true });
    return {
      record,
      game: null,
      ruleset: null,
      status: "kept",
      verdict,
      lines: last?.place ?? 0,
      findings,
      contributions: [],
    };
  }

  async #judgeOpening(opened) {
    const line = this.#first?.line;
    if (!line) return unchecked("the first line cannot be read");
    if (line.type !== OPENING) return broken(1, `a log that begins with ${OPENING}`, line.type);
    if (opened === null) return unchecked("the first line cannot be read");
    const expected = await deriveRecord(opened.ledger);
    if (line.stream !== expected)
      return broken(1, `${expected}, the id of the record of ${opened.ledger}`, line.stream);
    if (line.by !== BY || line.sig !== null)
      return broken(1, `an opening by ${BY}, unsigned`, `by ${line.by}, sig ${line.sig}`);
    return this.#second ?? held("the first line");
  }

  // The version of the one line that the file discloses beside the first, or null where it is no excerpt.
  #findExcerpt() {
    const { place, line } = this.#last ?? { place: 0, line: null };
    return place === EXCERPT_LINES && line !== null && line.version >= EXCERPT_LINES ? line.version : null;
  }

  #tellOutcome(opened) {
    if (opened === null || this.#lastRead === null) return null;
    const { at, version } = this.#lastRead;
    const told = {
      status: this.#findExcerpt() === null ? "kept" : "excerpt",
      title: shorten(opened.ledger),
      line: version,
      date: at.slice(0, 10),
      time: at.slice(11, 16),
    };
    return {
      ...told,
      winners: [],
      team: null,
      by: null,
      reason: null,
      left: null,
      holders: [],
      rulings: [],
      stood_in: [],
    };
  }

  #upTo(result) {
    if (result.verdict !== "held" || this.#unreadFrom === null) return result;
    return unchecked(`it held up to line ${this.#unreadFrom - 1}; line ${this.#unreadFrom} cannot be read`);
  }
}

// The id follows from the name of the ledger, and begins with six zero bytes, as domain/derived_ids.py states.
export async function deriveRecord(ledger) {
  const hex = toHex(await sha256(fromText(`spina/record/v1\0${ledger}`)));
  const variant = "89ab"[parseInt(hex[16], 16) % 4];
  return `00000000-0000-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
