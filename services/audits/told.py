"""An audit for programs: what is told of each file, without what is only needed to compare them."""

from msgspec import Struct

from domain.audit.fellows import SharedFinding
from domain.audit.findings import Report
from services.audits.audit import Audit, exit_code_of
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
    files = tuple(
        ToldFile(
            path=each.path,
            exit_code=exit_code_of(each),
            verdict=tell_verdict(each),
            refusal=each.refusal,
            report=None if each.verified is None else each.verified.report,
        )
        for each in audit.files
    )
    return ToldAudit(exit_code=audit.exit_code, files=files, shared=audit.shared)
