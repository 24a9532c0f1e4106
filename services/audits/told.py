"""An audit for programs: what is told of each file, without what is only needed to compare them."""

from msgspec import Struct

from domain.audit.fellows import SharedFinding
from domain.audit.findings import Report
from services.audits.audit import Audit, FileAudit, exit_code_of
from services.audits.words import tell_verdict


class ToldFile(Struct, frozen=True, kw_only=True):
    path: str
    exit_code: int
    verdict: str
    refusal: str | None
    report: Report | None


class ToldAudit(Struct, frozen=True, kw_only=True):
    exit_code: int
    files: tuple[ToldFile, ...]
    shared: tuple[SharedFinding, ...]


def as_told(audit: Audit) -> ToldAudit:
    return ToldAudit(
        exit_code=audit.exit_code, files=tuple(as_told_file(each) for each in audit.files), shared=audit.shared
    )


def as_told_file(audited: FileAudit) -> ToldFile:
    return ToldFile(
        path=audited.path,
        exit_code=exit_code_of(audited),
        verdict=tell_verdict(audited),
        refusal=audited.refusal,
        report=None if audited.verified is None else audited.verified.report,
    )
