"""A log of unknown origin, read line by line: readable lines are kept, beside unreadable ones.

Nothing is believed here; a line that cannot be read stands there with the reason.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import encode
from domain.ids import LineHash, StreamVersion
from domain.log.entry import Entry
from domain.log.kind import AnyKind
from domain.log.record import BadLine, Line, find_data, line_hash, parse_line
from domain.ruleset.ruleset import AnyRuleset

# Several times the longest race; quadratic work on a hostile log stays a matter of seconds.
LINES_MAX = 50_000


# Finds the struct of a line's type, if there is such a type.
FindType = Callable[[Line], type[Struct] | None]


class UnreadOutcome(Struct, frozen=True):
    """In place of an outcome of rules that are not there: it can be chained and passed over, and states nothing."""


class LogLine(Struct, frozen=True, kw_only=True):
    """One line at its place in the file. `line` is None where the bytes are no line, `entry` where it states nothing.

    A refusal beside an entry is about fields that no check reads.
    """

    version: StreamVersion
    raw: bytes
    hash: LineHash
    line: Line | None
    entry: Entry | None
    refusal: BadLine | None


def iter_lines(log: bytes) -> Iterator[bytes]:
    """Yield the lines, the last one also without its newline. One of them is in memory at a time."""
    start = 0
    while start < len(log):
        end = log.find(b"\n", start)
        yield log[start:] if end < 0 else log[start:end]
        start = len(log) if end < 0 else end + 1


def split_log(log: bytes, *, lines_max: int = LINES_MAX) -> tuple[list[bytes], BadLine | None]:
    """Split at the newlines; a log that does not end in one has lost something."""
    lines = iter_lines(log)
    raws = list(islice(lines, lines_max))
    if next(lines, None) is not None:
        return raws, BadLine(expected=f"at most {lines_max} lines", found="more")
    if not log.endswith(b"\n") and raws:
        return raws, BadLine(expected="a newline after the last line", found="none")
    return raws, None if raws else BadLine(expected="at least one line", found="an empty log")


def read_opening(kind: AnyKind, raw: bytes) -> Any:
    """Read the terms of a first line, which names the rules that the others need to be read; None if it has none."""
    found = read_lines(kind, [raw], None)[0].entry
    is_opening = found is not None and (found.line.kind, found.line.type) == ("input", kind.opening)
    return found.event if found is not None and is_opening else None


def read_lines(kind: AnyKind, raws: list[bytes], ruleset: AnyRuleset | None) -> list[LogLine]:
    """Read each line by itself."""

    def find(line: Line) -> type[Struct] | None:
        found = kind.find_type(line, ruleset)
        is_of_rules = found is None and ruleset is None and kind.is_played and line.kind == "outcome"
        return UnreadOutcome if is_of_rules else found

    return [_read_line(raw, StreamVersion(place), find) for place, raw in enumerate(raws, start=1)]


def _read_line(raw: bytes, version: StreamVersion, find: FindType) -> LogLine:
    hashed = line_hash(raw)
    try:
        line = parse_line(raw)
    except BadLine as error:
        return LogLine(version=version, raw=raw, hash=hashed, line=None, entry=None, refusal=error)
    try:
        event = _read_event(line, find)
    except BadLine as error:
        return LogLine(version=version, raw=raw, hash=hashed, line=line, entry=None, refusal=error)
    entry = Entry(line=line, event=event, raw=raw, hash=hashed)
    refusal = None if isinstance(event, UnreadOutcome) else _find_surplus(line, event, data=find_data(raw))
    return LogLine(version=version, raw=raw, hash=hashed, line=line, entry=entry, refusal=refusal)


def _read_event(line: Line, find: FindType) -> Struct:
    found = find(line)
    if found is None:
        raise BadLine(expected=f"the type of an {line.kind} of this stream", found=line.type)
    if found is UnreadOutcome:
        return UnreadOutcome()
    try:
        event: Struct = msgspec.convert(line.data, found)
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadLine(expected=f"the fields of {line.type}", found=str(error)) from error
    return event


def _find_surplus(line: Line, event: Struct, *, data: bytes) -> BadLine | None:
    if encode(event) == data:
        return None
    return BadLine(expected=f"the fields of {line.type}, all of them and no others", found=", ".join(sorted(line.data)))
