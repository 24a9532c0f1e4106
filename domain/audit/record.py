"""The audit of an operators' record: every check by itself. Hostile bytes make findings, never exceptions."""

from typing import Any

from msgspec.structs import replace

from domain.audit.bundle import LogBundleOf, list_unvouched
from domain.audit.case import NO_TRUST, AnyLog, LogCase, Trust
from domain.audit.check import (
    CHAIN,
    CHECKPOINT,
    COMMANDS,
    FIELDS,
    FORM,
    GROWTH,
    INCLUSION,
    LOGGED_ONCE,
    TIMES,
    WITNESSES,
    Check,
    run_checks,
)
from domain.audit.findings import Held, Report, Result, Unchecked, broken, shorten
from domain.audit.form import check_chain
from domain.audit.ledger import check_inclusion
from domain.audit.logged_once import check_logged_once
from domain.audit.summing_up import judge_vouching, sum_up
from domain.audit.verdict import Outcome
from domain.ids import StreamId, StreamVersion
from domain.log.record import Line
from domain.operators.events import OPENING
from domain.operators.kind import BY, RECORDS, check_opening
from domain.operators.rejections import UnfitRecord
from domain.operators.state import Record

RecordCase = LogCase[Record]

# An excerpt has the first line, for its leaf key, and the one that is disclosed: its proof needs no line between.
EXCERPT_LINES = 2


class RecordReport(Report, frozen=True, kw_only=True):
    """The audit of a record, which has neither game nor players."""

    record: StreamId | None

    @property
    def about(self) -> tuple[str, ...]:
        return (f"the operators' record {self.record}", f"{self.lines} lines")


def verify_record(bundle: LogBundleOf[Any], *, trust: Trust = NO_TRUST) -> RecordReport:
    """Run every check on its own; without a policy in `trust`, nothing speaks for the time of the lines."""
    case: RecordCase = LogCase(RECORDS, bundle, trust)
    findings = run_checks(CHECKS, case)
    return RecordReport(
        record=case.stream,
        game=None,
        ruleset=None,
        status="kept",
        lines=len(case.lines),
        verdict=sum_up(findings, _read_outcome(case), judge_vouching(case)),
        people=(),
        findings=findings,
        assurances=(),
        contributions=(),
        unvouched=list_unvouched(bundle),
    )


def _read_outcome(case: RecordCase) -> Outcome | None:
    if case.opened is None or not case.entries:
        return None
    line = case.entries[-1].line
    return Outcome(
        status="kept" if find_excerpt(case) is None else "excerpt",
        title=shorten(case.opened.ledger),
        line=line.version,
        date=line.at[:10],
        time=line.at[11:16],
    )


def find_excerpt(case: AnyLog) -> StreamVersion | None:
    """Return the version of the one line that a file discloses beside the first; None where it is no excerpt."""
    last = case.lines[-1].line if len(case.lines) == EXCERPT_LINES else None
    return None if last is None or last.version < EXCERPT_LINES else last.version


def _check_chain(case: RecordCase) -> Result:
    excerpt = find_excerpt(case)
    if excerpt is None or excerpt == EXCERPT_LINES:
        return check_chain(case)
    return Held(seen=f"line {excerpt} beside the first, which is here for its key; the others are not in the file")


def _check_inclusion(case: RecordCase) -> Result:
    return check_inclusion(case, version=find_excerpt(case))


def _check_logged_once(case: RecordCase) -> Result:
    if case.trust.read is None:
        return Unchecked(reason="the ledger alone tells whether later lines follow, and its entries were not read")
    return check_logged_once(case)


def _check_opening(case: RecordCase) -> Result:
    first = case.lines[0].line if case.lines else None
    if first is None:
        return Unchecked(reason="the first line cannot be read")
    if first.type != OPENING:
        return broken(1, expected=f"a log that begins with {OPENING}", found=first.type)
    if not case.entries:
        return Unchecked(reason="the first line cannot be read")
    try:
        check_opening(case.entries[0])
    except UnfitRecord as refused:
        return broken(1, expected=refused.expected, found=refused.found)
    again = next((line for line in case.lines[1:] if line.line is not None and line.line.type == OPENING), None)
    if again is not None:
        return broken(again.version, expected="no second opening", found=OPENING)
    return Held(seen="the first line")


def _check_authors(case: RecordCase) -> Result:
    found = next((entry.line for entry in case.entries if _is_foreign(entry.line)), None)
    if found is not None:
        return broken(
            found.version, expected=f"{found.type} by {BY}, unsigned", found=f"by {found.by}, sig {found.sig}"
        )
    return Held(seen=f"{len(case.entries)} lines by {BY}")


def _is_foreign(line: Line) -> bool:
    return line.by != BY or line.sig is not None


# In the order of a report.
CHECKS: tuple[Check[RecordCase], ...] = (
    FORM,
    replace(CHAIN, run=_check_chain),
    Check(name="opening", claim="The first line opens the one record of its ledger.", run=_check_opening, walks=False),
    FIELDS,
    Check(name="authors", claim="Every line is the operator's.", run=_check_authors),
    COMMANDS,
    replace(INCLUSION, run=_check_inclusion),
    CHECKPOINT,
    WITNESSES,
    TIMES,
    GROWTH,
    # A record has no last line, so that one without its end is like one of that time: an excerpt claims no end.
    replace(LOGGED_ONCE, run=_check_logged_once, is_asked=lambda case: find_excerpt(case) is None),
)
