"""Bundles compared with each other: two held side by side show contradictions that each hides by itself."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.audit.findings import Broken, Finding, Fingerprint, broken
from domain.ids import StreamId

HISTORY_CLAIM = "No two bundles tell different histories of one game."
OWN_CHANCE_CLAIM = "No two games draw from one secret."


class AuditedLog(Struct, frozen=True, kw_only=True):
    """One bundle of several; `name` is how its reader knows it."""

    name: str
    stream: StreamId
    fingerprint: Fingerprint


class SharedFinding(Struct, frozen=True, kw_only=True):
    """A finding about two bundles, named after the second."""

    names: tuple[str, str]
    finding: Finding


def compare_bundles(logs: Sequence[AuditedLog]) -> tuple[SharedFinding, ...]:
    """Find values wrongly shared; one game exported twice, one log the beginning of the other, is fine."""
    found: list[SharedFinding] = []
    by_stream: dict[StreamId, AuditedLog] = {}
    by_mark: dict[tuple[str, str], AuditedLog] = {}
    for log in logs:
        known = by_stream.setdefault(log.stream, log)
        fork = _find_fork(known, log)
        if fork is not None:
            found.append(_shared(known, log, check="history", claim=HISTORY_CLAIM, result=fork))
        for name, mark in _list_marks(log.fingerprint):
            other = by_mark.setdefault((name, mark), log)
            if other.stream != log.stream:
                result = broken(1, expected=f"{name} of this game alone", found=f"{mark}, of {other.stream} too")
                found.append(_shared(other, log, check="secret-shared", claim=OWN_CHANCE_CLAIM, result=result))
                break
        if len(log.fingerprint.hashes) > len(known.fingerprint.hashes):
            by_stream[log.stream] = log
    return tuple(found)


def _list_marks(fingerprint: Fingerprint) -> Iterator[tuple[str, str]]:
    """List the values unique to one game. Anchors show before the end, the secret also where a game has no dice."""
    yield "a commitment", fingerprint.commit
    yield from (("an anchor", anchor) for anchor in fingerprint.anchors)
    if fingerprint.secret is not None:
        yield "a secret", fingerprint.secret


def _find_fork(known: AuditedLog, log: AuditedLog) -> Broken | None:
    pairs = zip(known.fingerprint.hashes, log.fingerprint.hashes, strict=False)
    for version, (one, other) in enumerate(pairs, start=1):
        if one != other:
            return broken(version, expected=f"the line {one}, as in {known.name}", found=f"the line {other}")
    return None


def _shared(one: AuditedLog, other: AuditedLog, *, check: str, claim: str, result: Broken) -> SharedFinding:
    finding = Finding(check=check, claim=claim, result=result)
    return SharedFinding(names=(one.name, other.name), finding=finding)
