"""An audit for programs: what is told of each file, without what is only needed to compare them."""

from msgspec import Struct

from domain.audit.cross_checks import SharedFinding
from domain.audit.findings import Report
from domain.audit.tournament import TournamentReport
from services.audits.audit import Audit, Audited, FileAudit, exit_code_of
from services.audits.sentences import tell_verdict


class ToldFile(Struct, frozen=True, kw_only=True):
    path: str
    exit_code: int
    verdict: str
    refusal: str | None
    report: Report | None


class ToldTournament(Struct, frozen=True, kw_only=True):
    """The same of a tournament, whose report has its games, rulings and standings."""

    path: str
    exit_code: int
    verdict: str
    refusal: str | None
    report: TournamentReport | None


class ToldAudit(Struct, frozen=True, kw_only=True):
    exit_code: int
    files: tuple[ToldFile | ToldTournament, ...]
    shared: tuple[SharedFinding, ...]


def as_told(audit: Audit) -> ToldAudit:
    return ToldAudit(
        exit_code=audit.exit_code, files=tuple(_as_told(each) for each in audit.files), shared=audit.shared
    )


def _as_told(audited: Audited) -> ToldFile | ToldTournament:
    if isinstance(audited, FileAudit):
        return as_told_file(audited)
    return ToldTournament(
        path=audited.path,
        exit_code=exit_code_of(audited),
        verdict=tell_verdict(audited),
        refusal=audited.refusal,
        report=audited.report,
    )


def as_told_file(audited: FileAudit) -> ToldFile:
    return ToldFile(
        path=audited.path,
        exit_code=exit_code_of(audited),
        verdict=tell_verdict(audited),
        refusal=audited.refusal,
        report=None if audited.verified is None else audited.verified.report,
    )
