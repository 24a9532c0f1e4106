"""Audits of files: bundles read and verified, many at once on every core, each by itself.

The result is one exit code, on which scripts rely.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.audit.archive import BadArchive, Source
from domain.audit.bundle import UnknownFormat, find_log, open_bundle
from domain.audit.case import Trust
from domain.audit.check import TooDear
from domain.audit.cross_checks import AuditedLog, SharedFinding, compare_bundles
from domain.audit.findings import Report
from domain.audit.record import verify_record
from domain.audit.record_bundle import RECORD_SIZE_MAX, is_record_log, open_record_bundle
from domain.audit.tournament import TournamentReport
from domain.audit.verify import Verified, verify
from domain.rulesets.released import Builders, Rebuilder
from services.audits.files import StoredFile, read_file
from services.audits.limits import limited

HOLDS, BROKEN, UNREADABLE, UNCHECKED = 0, 1, 2, 3
# A process reads so many bundles at a time: enough that starting it pays, few enough that the bar moves.
CHUNK_FILES = 8


class Terms(Struct, frozen=True, kw_only=True):
    """The options by which files are judged."""

    trust: Trust
    builders: Builders


# Why there is no verdict: no bundle, one that asks for more time or memory than any game, one of another release.
Unjudged = Literal["unreadable", "exhausting", "newer"]


class FileAudit(Struct, frozen=True, kw_only=True):
    """One file; `refusal` states why it is no bundle, and then there is nothing else."""

    path: str
    verified: Verified | None
    refusal: str | None
    unjudged: Unjudged = "unreadable"


class TournamentAudit(Struct, frozen=True, kw_only=True):
    """One file of a tournament with its games; `refusal` states why it is none, and then there is nothing else."""

    path: str
    report: TournamentReport | None
    refusal: str | None
    unjudged: Unjudged = "unreadable"

    @property
    def exit_code(self) -> int:
        return exit_code_of(self)


Audited = FileAudit | TournamentAudit


class Audit(Struct, frozen=True, kw_only=True):
    """All files in the order of their names, and the findings of a comparison between them."""

    files: tuple[Audited, ...]
    shared: tuple[SharedFinding, ...]

    @property
    def exit_code(self) -> int:
        """Return the worst: broken, then unreadable, then not checkable yet."""
        codes = {BROKEN} if self.shared else {exit_code_of(file) for file in self.files}
        return next((code for code in (BROKEN, UNREADABLE, UNCHECKED) if code in codes), HOLDS)


def audit_file(path: Path, terms: Terms, rebuilder: Rebuilder) -> FileAudit:
    try:
        # A pipe can be read but once; of a file only the members are held in memory.
        size_max = RECORD_SIZE_MAX
        raw = StoredFile(path, size_max=size_max) if path.is_file() else read_file(path, size_max=size_max)
        return audit_bytes(raw, name=str(path), trust=terms.trust, rebuilder=rebuilder)
    except OSError as error:
        return FileAudit(path=str(path), verified=None, refusal=str(error))


def audit_bytes(raw: Source, *, name: str, trust: Trust, rebuilder: Rebuilder) -> FileAudit:
    """Audit bytes of any origin that may be a bundle. Raises OSError where they cannot be read."""
    try:
        with limited(len(raw)):
            verified = _verify(raw, trust, rebuilder)
    except BadArchive as error:
        return FileAudit(path=name, verified=None, refusal=str(error), unjudged=find_unjudged(error))
    except TooDear as dear:
        return FileAudit(path=name, verified=None, refusal=str(dear), unjudged="exhausting")
    return FileAudit(path=name, verified=verified, refusal=None)


def find_unjudged(error: BadArchive) -> Unjudged:
    return "newer" if isinstance(error, UnknownFormat) else "unreadable"


def _verify(raw: Source, trust: Trust, rebuilder: Rebuilder) -> Verified:
    if is_record_log(find_log(raw)):
        return Verified(report=verify_record(open_record_bundle(raw), trust=trust), fingerprint=None)
    return verify(open_bundle(raw), rebuilder=rebuilder, trust=trust)


def audit_files(files: Sequence[Path], terms: Terms, *, processes: int) -> Iterator[FileAudit]:
    """Yield the audit of each file, in the order of completion; many files are audited by several processes."""
    if processes == 1 or len(files) <= CHUNK_FILES:
        rebuilder = Rebuilder(terms.builders)
        for path in files:
            yield audit_file(path, terms, rebuilder)
        return
    chunks = [files[start : start + CHUNK_FILES] for start in range(0, len(files), CHUNK_FILES)]
    # The caller may have threads; a process that starts afresh inherits none of their locks.
    with ProcessPoolExecutor(max_workers=min(processes, len(chunks)), mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_audit_chunk, list(chunk), terms) for chunk in chunks]):
            yield from done.result()


def sum_up(files: Sequence[Audited], *, earlier: Sequence[AuditedLog] = ()) -> Audit:
    """Put the files in order and hold the games side by side, with the histories that the reader saw earlier first."""
    ordered = tuple(sorted(files, key=lambda file: file.path))
    logs = [
        AuditedLog(name=audit.path, stream=audit.verified.report.game, fingerprint=audit.verified.fingerprint)
        for audit in ordered
        if isinstance(audit, FileAudit)
        and audit.verified is not None
        and audit.verified.report.game is not None
        and audit.verified.fingerprint is not None
    ]
    shared = compare_bundles([*earlier, *logs])
    return Audit(files=tuple(_contradict(audited, shared) for audited in ordered), shared=shared)


def _contradict(audited: Audited, shared: Sequence[SharedFinding]) -> Audited:
    """Return the audit with a verdict that names the files which rule this one out."""
    pairs = [finding.names for finding in shared if audited.path in finding.names]
    if not pairs or not isinstance(audited, FileAudit) or audited.verified is None:
        return audited
    others = tuple(name for pair in pairs for name in pair if name != audited.path)
    report = audited.verified.report
    verdict = replace(report.verdict, kind="contradicted", contradicted_by=others)
    return replace(audited, verified=replace(audited.verified, report=replace(report, verdict=verdict)))


def find_report(audited: Audited) -> Report | TournamentReport | None:
    """Return the findings in a file, if it could be read."""
    if isinstance(audited, TournamentAudit):
        return audited.report
    return None if audited.verified is None else audited.verified.report


def exit_code_of(audited: Audited) -> int:
    report = find_report(audited)
    if report is None:
        return UNREADABLE
    if report.broken or report.verdict.contradicted_by:
        return BROKEN
    return UNCHECKED if report.unchecked else HOLDS


def _audit_chunk(paths: list[Path], terms: Terms) -> list[FileAudit]:
    rebuilder = Rebuilder(terms.builders)
    return [audit_file(path, terms, rebuilder) for path in paths]
