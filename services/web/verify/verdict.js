// The verdict on a bundle: whether it can be believed, and who states so, from the findings of all checks.
// Must agree with domain/audit/summing_up.py; domain/sentences/verdicts.toml has the words.

// Checks of the ledger's word: they concern no line that was changed, and wait where the reader gave no key.
const OF_THE_LEDGER = new Set([
  "inclusion",
  "checkpoint",
  "witnesses",
  "times",
  "growth",
  "logged-once",
  "receipts",
  "opening-witness",
]);
// Checks that fail where the reader's own policy is not met, by the missing party: nothing was changed for that.
const UNMET = { ledger: ["checkpoint", "witnesses", "opening-witness"], quorum: ["witnesses", "opening-witness"] };

// `vouching` are the parties that the reader trusts and that signed, and the one whose word is missing, or null.
// `reserved` are the parts that no check can show; `hasRules` states that nothing is left to decide again.
/**
 * @param {any[]} findings
 * @param {any} outcome
 * @param {{ log: any, witnesses: any[], missing: string | null }} vouching
 * @param {{ reserved?: any[], hasRules?: boolean }} [left]
 */
export function sumUp(findings, outcome, { log, witnesses, missing }, { reserved = [], hasRules = false } = {}) {
  const facts = {
    kind: "changed",
    outcome,
    has_rules: hasRules,
    log: null,
    witnesses: [],
    missing: null,
    reserved: [],
    contradicted_by: [],
    untold: null,
    check: null,
    line: null,
    changed_at: null,
  };
  const unmet = new Set(UNMET[missing] ?? []);
  const broken = findings.filter(({ result }) => result.verdict === "did_not_hold");
  if (broken.some(({ check }) => !unmet.has(check))) {
    const [{ check, result }] = broken.sort(byLine);
    return { ...facts, check, line: result.version, changed_at: OF_THE_LEDGER.has(check) ? null : result.version };
  }
  if (!outcome || outcome.status === "open" || outcome.status === "running") return { ...facts, kind: "untold" };
  const waiting = findings.filter(
    ({ check, result }) => result.verdict === "not_checkable_yet" && (missing === null || !OF_THE_LEDGER.has(check)),
  );
  if (waiting.length) return { ...facts, kind: "untold", untold: waiting[0].result.reason };
  const kind = missing ? "unvouched" : hasRules ? "proven" : "undecided";
  return { ...facts, kind, log, witnesses, missing, reserved };
}

// Changed lines first, in their order; checks that name the same line keep theirs.
function byLine(one, other) {
  const [first, second] = [one, other].map(({ check, result }) =>
    Number(OF_THE_LEDGER.has(check) || result.version === null),
  );
  return first - second || (one.result.version ?? 0) - (other.result.version ?? 0);
}
