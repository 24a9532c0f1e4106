"""The verdict on a bundle: whether it can be believed, and who states so, from the findings of all checks.

`domain/sentences/verdicts.toml` has the words. Must agree with services/web/verify/verdict.js.
"""

from collections.abc import Sequence

from msgspec import Struct

from domain.audit.case import AnyLog
from domain.audit.findings import Broken, Finding, Unchecked
from domain.audit.ledger import judge_last
from domain.audit.verdict import Kind, Outcome, Reserve, Verdict
from domain.ledger.policy import Standing

# Checks of the ledger's word: they concern no line that was changed, and wait where the reader gave no key.
OF_THE_LEDGER = frozenset({
    "inclusion", "checkpoint", "witnesses", "times", "growth", "logged-once", "receipts", "opening-witness",
})  # fmt: skip


# Checks that fail where the reader's own policy is not met, by the missing party: nothing was changed for that.
UNMET = {"ledger": {"checkpoint", "witnesses", "opening-witness"}, "quorum": {"witnesses", "opening-witness"}}


class Vouching(Struct, frozen=True, kw_only=True):
    """The parties that the reader trusts and that signed; `missing` is the one whose word is missing."""

    log: str | None
    witnesses: tuple[str, ...]
    missing: str | None


def judge_vouching(case: AnyLog) -> Vouching:
    """Describe which parties that the reader trusts have signed over the last line."""
    standing = judge_last(case)
    if case.policy is None or not isinstance(standing, Standing):
        return Vouching(log=None, witnesses=(), missing="key" if case.policy is None else "proof")
    seen = {sighting.witness for sighting in standing.sightings}
    # In the order of the policy: that of the note is its writer's.
    witnesses = tuple(witness.name for witness in case.policy.witnesses if witness.name in seen)
    log = None if standing.log is None else standing.log.name
    missing = "ledger" if log is None else "quorum" if not standing.has_quorum else None if witnesses else "witness"
    return Vouching(log=log, witnesses=witnesses, missing=missing)


def sum_up(
    findings: Sequence[Finding], outcome: Outcome | None, vouching: Vouching, reserved: tuple[Reserve, ...] = ()
) -> Verdict:
    """Give the verdict of findings, the worst first; `reserved` are the parts that no check can show."""
    unmet = UNMET.get(vouching.missing or "", set())
    broken = [(finding.check, finding.result.version) for finding in findings if isinstance(finding.result, Broken)]
    if {check for check, _ in broken} - unmet:
        check, line = min(broken, key=_by_line)
        changed_at = None if check in OF_THE_LEDGER else line
        return Verdict(kind="changed", outcome=outcome, check=check, line=line, changed_at=changed_at)
    if outcome is None or outcome.status in {"open", "running"}:
        return Verdict(kind="untold", outcome=outcome)
    waiting = [(finding.check, finding.result.reason) for finding in findings if isinstance(finding.result, Unchecked)]
    # Without a key the games of a tournament wait for the same as the tournament does.
    unjudged = frozenset() if vouching.missing is None else OF_THE_LEDGER | {"games"}
    untold = next((reason for check, reason in waiting if check not in unjudged), None)
    if untold is not None:
        return Verdict(kind="untold", outcome=outcome, untold=untold)
    kind: Kind = "unvouched" if vouching.missing else "proven"
    return Verdict(
        kind=kind,
        outcome=outcome,
        log=vouching.log,
        witnesses=vouching.witnesses,
        missing=vouching.missing,
        reserved=reserved,
    )


def _by_line(found: tuple[str, int | None]) -> tuple[bool, int]:
    """Put changed lines first, in their order."""
    check, line = found
    return check in OF_THE_LEDGER or line is None, line or 0
