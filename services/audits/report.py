"""An audit for programs: a report on each file, without the parts that only a comparison needs."""

from msgspec import Struct

from domain.audit.cross_checks import SharedFinding
from domain.audit.findings import Report
from domain.audit.tournament import TournamentReport
from services.audits.audit import Audit, Audited, FileAudit, exit_code_of
from services.audits.sentences import tell_openings, tell_verdict, tell_why


class FileReport(Struct, frozen=True, kw_only=True):
    """`verdict` states who won and whether it can be believed, `why` which line does not hold and why."""

    path: str
    exit_code: int
    verdict: str
    why: str | None
    refusal: str | None
    report: Report | None


class TournamentFileReport(Struct, frozen=True, kw_only=True):
    """The same of a tournament, whose report has its games, rulings and standings."""

    path: str
    exit_code: int
    verdict: str
    why: str | None
    refusal: str | None
    report: TournamentReport | None


class AuditReport(Struct, frozen=True, kw_only=True):
    """`openings` counts, of games by the same people, how many were opened and how they ended."""

    exit_code: int
    files: tuple[FileReport | TournamentFileReport, ...]
    shared: tuple[SharedFinding, ...]
    openings: tuple[str, ...]


def report_audit(audit: Audit) -> AuditReport:
    return AuditReport(
        exit_code=audit.exit_code,
        files=tuple(_report(file) for file in audit.files),
        shared=audit.shared,
        openings=tuple(tell_openings(audit.files)),
    )


def _report(audited: Audited) -> FileReport | TournamentFileReport:
    if isinstance(audited, FileAudit):
        return report_file(audited)
    return TournamentFileReport(
        path=audited.path,
        exit_code=exit_code_of(audited),
        verdict=tell_verdict(audited),
        why=tell_why(audited),
        refusal=audited.refusal,
        report=audited.report,
    )


def report_file(audited: FileAudit) -> FileReport:
    return FileReport(
        path=audited.path,
        exit_code=exit_code_of(audited),
        verdict=tell_verdict(audited),
        why=tell_why(audited),
        refusal=audited.refusal,
        report=None if audited.verified is None else audited.verified.report,
    )
