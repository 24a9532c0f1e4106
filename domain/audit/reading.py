"""A log of unknown origin, read line by line: readable lines are kept, beside unreadable ones.

Nothing is believed here; a line that cannot be read stands there with the reason.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from domain.audit.archive import Source
from domain.canonical import Json, encode
from domain.ids import LineHash, StreamId, StreamVersion
from domain.log.entry import Entry
from domain.log.kind import AnyKind
from domain.log.record import BadLine, Line, find_data, line_hash, parse_line
from domain.ruleset.ruleset import AnyRuleset

# Several times the longest race; quadratic work on a hostile log stays a matter of seconds.
LINES_MAX = 50_000
# A log in a file is read in pieces of this size.
PIECE_BYTES = 32 * 1024
_NO_DATA: dict[str, Json] = {}


# Finds the struct of a line's type, if there is such a type.
FindType = Callable[[Line], type[Struct] | None]


class UnreadOutcome(Struct, frozen=True):
    """In place of an outcome of rules that are not there: it can be chained and passed over, and states nothing."""


class LogLine(Struct, frozen=True, kw_only=True):
    """One line at its place in the file. `line` is None where the bytes are no line, `entry` where it states nothing.

    A refusal beside an entry is about fields that no check reads. The `data` of the line, and of that in the entry, is
    empty, as the whole log is in memory: `raw` has it, and `fill_line` reads it again.
    """

    version: StreamVersion
    raw: bytes
    hash: LineHash
    line: Line | None
    entry: Entry | None
    refusal: BadLine | None


def iter_lines(log: Source) -> Iterator[bytes]:
    """Yield the lines, the last one also without its newline. A piece of the log is in memory at a time."""
    rest: list[bytes] = []
    for start in range(0, len(log), PIECE_BYTES):
        piece, begin = log[start : start + PIECE_BYTES], 0
        while (end := piece.find(b"\n", begin)) >= 0:
            yield b"".join([*rest, piece[begin:end]])
            rest, begin = [], end + 1
        rest.append(piece[begin:])
    last = b"".join(rest)
    if last:
        yield last


def split_log(log: Source, *, lines_max: int = LINES_MAX) -> tuple[list[bytes], BadLine | None]:
    """Split at the newlines; a log that does not end in one has lost something."""
    lines = iter_lines(log)
    raws = list(islice(lines, lines_max))
    if next(lines, None) is not None:
        return raws, BadLine(expected=f"at most {lines_max} lines", found="more")
    if raws and log[len(log) - 1 :] != b"\n":
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

    texts: dict[str, str] = {}
    return [_read_line(raw, StreamVersion(place), find, texts) for place, raw in enumerate(raws, start=1)]


def fill_line(entry: Entry) -> Line:
    """Return the line of an audited entry with its data, which costs a decoding."""
    data: dict[str, Json] = msgspec.json.decode(find_data(entry.raw))
    return msgspec.structs.replace(entry.line, data=data)


def _read_line(raw: bytes, version: StreamVersion, find: FindType, texts: dict[str, str]) -> LogLine:
    hashed = line_hash(raw)
    texts[hashed] = hashed
    try:
        line = parse_line(raw)
    except BadLine as error:
        return LogLine(version=version, raw=raw, hash=hashed, line=None, entry=None, refusal=_restate(error))
    try:
        event = _read_event(line, find)
    except BadLine as error:
        return LogLine(
            version=version, raw=raw, hash=hashed, line=_empty_line(line, texts), entry=None, refusal=_restate(error)
        )
    refusal = None if isinstance(event, UnreadOutcome) else _find_surplus(line, event, data=find_data(raw))
    kept = _empty_line(line, texts)
    entry = Entry(line=kept, event=event, raw=raw, hash=hashed)
    return LogLine(version=version, raw=raw, hash=hashed, line=kept, entry=entry, refusal=refusal)


def _restate(error: BadLine) -> BadLine:
    """Return the refusal alone: an exception that was raised holds the frames that it passed, and all their values."""
    return BadLine(expected=error.expected, found=error.found)


def _empty_line(line: Line, texts: dict[str, str]) -> Line:
    """Return a line without its data, whose texts are one object wherever they stand in the log."""
    share = texts.setdefault
    return Line(
        at=share(line.at, line.at),
        base=None if line.base is None else LineHash(share(line.base, line.base)),
        by=share(line.by, line.by),
        command=line.command,
        data=_NO_DATA,
        kind=line.kind,
        prev=LineHash(share(line.prev, line.prev)),
        sig=line.sig,
        stream=StreamId(share(line.stream, line.stream)),
        type=share(line.type, line.type),
        version=line.version,
    )


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
