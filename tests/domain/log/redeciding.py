"""Deciding a whole log again, by the walk of an audit."""

from collections.abc import Sequence

from domain.audit.findings import Broken, Held
from domain.audit.reading import read_lines, read_opening
from domain.audit.walk import walk
from domain.chance import Secret
from domain.ids import StreamVersion
from domain.log.entry import Entry
from domain.log.kind import StreamKind
from domain.log.state import State
from domain.ruleset.catalogue import Catalogue


class LineDoesNotFollow(Exception):
    def __init__(self, version: StreamVersion | None, reason: object) -> None:
        self.version = version
        super().__init__(f"at version {version}: {reason}")


def redecide(kind: StreamKind[State], raws: Sequence[bytes], catalogue: Catalogue, secret: Secret) -> State:
    """Return the state after the last line. Raises LineDoesNotFollow where that is not what the lines lead to."""
    named = read_opening(kind, raws[0]).ruleset
    ruleset = catalogue.find(name=named.name, version=named.version, components=named.components)
    entries: list[Entry] = []
    for line in read_lines(kind, list(raws), ruleset):
        if line.entry is None or line.refusal is not None:
            raise LineDoesNotFollow(line.version, line.refusal)
        entries.append(line.entry)
    walked = walk(kind, entries, ruleset, secret, judge=_judge_nothing)
    result = walked.redecision
    if not isinstance(result, Held) or walked.decided is None:
        raise LineDoesNotFollow(result.version if isinstance(result, Broken) else None, result)
    return walked.decided


def _judge_nothing(_entry: Entry, _state: object) -> None:
    """Judge no input."""
