"""One line of a stream's log: the envelope of an event, and the chain that ties each line to the one before.

A line's bytes are stored once and hashed as they are; a line is never encoded again in order to verify it.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct

from domain.canonical import INTEGER_MAX, Json, NotCanonical, check_limits, check_spelling, encode, refuse_float
from domain.ids import CommandId, LineHash, StreamId, StreamVersion

# Example (one line, broken here to fit):
#
#     {"at":"2026-11-18T12:00:00.000Z","base":null,"by":"seat:2","command":"0199c0de-0000-7000-8000-0000000000c7",
#     "data":{"decision":"t1/move/2","seal":"97e9…","seat":2},"kind":"input","prev":"9f02…","sig":null,"stream":
#     "0199c0de-0000-7000-8000-000000000001","type":"action_sealed","version":17}
#
# A line is one canonical JSON object of exactly eleven members, so in this order and without a space:
#
#     at       YYYY-MM-DDTHH:MM:SS.mmmZ, a real instant from 1970 to 2999, never before that of the line before
#     base     the SHA-256 of the newest line that a signer had seen, 64 hex digits; null where `sig` is
#     by       player:ID | seat:N | helper:N | organiser:ID | operator:ID | house | operator | clock | server
#     command  the client's id of an input, or null
#     data     an object; its members depend on `type`
#     kind     input | outcome
#     prev     the SHA-256 of the line before, 64 hex digits; 64 zeros in the first line
#     sig      an Ed25519 signature, 128 hex digits, or null
#     stream   the id of the stream, which is the id of the command in its first line
#     type     snake_case, at most 60 characters
#     version  1 in the first line, then one more in each
#
# ID is a lower-case UUID, N of a seat is from 0 to 11 and of a helper from 0 to 31, hex is lower case. An outcome is by
# server, has neither command nor signature, and repeats the `at` of the line before, as far back as its input. The hash
# of a line is over its bytes without the newline that ends it in a file, so `sha256sum` of each line is the next line's
# `prev`.
#
# Refused: anything else, another spelling of the same line, and a line of more than 65,536 bytes.

# Room for the longest outcome many times over; PostgreSQL and the exported file take far more, a browser need not.
LINE_SIZE_MAX = 65_536
# Room for any name that still reads as one.
TYPE_LENGTH_MAX = 60
GENESIS = LineHash("0" * 64)

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_ACCOUNT = f"(?:player|organiser|operator):{_UUID}"
_NUMBERED = "seat:(?:[0-9]|1[01])|helper:(?:[12]?[0-9]|3[01])"
# Each field as it is spelled in the line, except `data`, of which the envelope asks only that it is an object.
_SPELLINGS = {
    # The library judges whether it is an instant; but from Python 3.14 on it takes hour 24 for the next day's midnight.
    "at": '"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?!24)[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z"',
    "base": '(?:null|"[0-9a-f]{64}")',
    "by": f'"(?:{_ACCOUNT}|{_NUMBERED}|house|operator|clock|server)"',
    "command": f'(?:null|"{_UUID}")',
    "kind": '"(?:input|outcome)"',
    "prev": '"[0-9a-f]{64}"',
    "sig": '(?:null|"[0-9a-f]{128}")',
    "stream": f'"{_UUID}"',
    "type": '"[a-z][a-z0-9]*(?:_[a-z0-9]+)*"',
    "version": "[1-9][0-9]{0,15}",
}
_BEFORE_DATA = ("at", "base", "by", "command")
_AFTER_DATA = ("kind", "prev", "sig", "stream", "type", "version")
# Two matches over the bytes cost a fifth of nine patterns given to the decoder, and a log is read by the million.
_HEAD = re.compile(("{" + "".join(f'"{name}":{_SPELLINGS[name]},' for name in _BEFORE_DATA) + '"data":{').encode())
_TAIL = re.compile(("}," + ",".join(f'"{name}":{_SPELLINGS[name]}' for name in _AFTER_DATA) + "}").encode())
_DATA_START, _DATA_END = b',"data":{', b'},"kind":"'

_FIRST_AT = "1970-01-01T00:00:00.000Z"
# Deadlines are reckoned from `at`. All the time that the lines of one stream can add to a clock is some 2,800 years, so
# that none lies behind the year 9999, where instants end.
_LAST_AT = "2999-12-31T23:59:59.999Z"
AT_MAX_MS = 32_503_679_999_999
# All lines of a command have one instant, which is written again wherever the stream is shown.
_REMEMBERED_INSTANTS_MAX = 1_024
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    at: str
    base: LineHash | None
    by: str
    command: CommandId | None
    data: dict[str, Json]
    kind: Literal["input", "outcome"]
    prev: LineHash
    sig: str | None
    stream: StreamId
    type: str
    version: StreamVersion


_DECODER = msgspec.json.Decoder(Line, float_hook=refuse_float)


class BadLine(ValueError):
    """These bytes are not a line of a log."""

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


class BrokenChain(ValueError):
    """A line that is well formed does not follow from the line before."""

    def __init__(self, version: int, *, expected: str, found: str) -> None:
        # The version of a line in this place, independent of the line's claim.
        self.version = version
        self.expected = expected
        self.found = found
        super().__init__(f"line {version}: expected {expected}, found {found}")


def encode_line(line: Line) -> bytes:
    """Encode a line, or raise BadLine: a line that could not be read back is never stored."""
    raw = encode(line)
    parse_line(raw)
    return raw


def parse_line(raw: bytes) -> Line:
    """Read a line from its one accepted spelling, or raise BadLine."""
    if len(raw) > LINE_SIZE_MAX:
        raise BadLine(expected=f"at most {LINE_SIZE_MAX} bytes", found=f"{len(raw)} bytes")
    try:
        line = _DECODER.decode(raw)
        check_spelling(raw, encoded=encode(line))
        # The bytes are the canonical spelling of these eleven fields, so the last `"kind"` is the field of that name.
        data_end = raw.rfind(_DATA_END)
        head = _HEAD.match(raw)
        if not (head and _TAIL.fullmatch(raw, data_end)):
            raise _find_bad_field(line)
        check_limits(raw[head.end() - 1 : data_end + 1], value=line.data, depth=1)
    except NotCanonical as error:
        raise BadLine(expected=error.expected, found=error.found) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLine(expected="a JSON object of eleven members", found=str(error)) from error
    _check_fields(line)
    return line


def find_data(raw: bytes) -> bytes:
    """Return the bytes of `data` as they stand in a line that was read."""
    # Nothing before it can hold its name, and nothing behind it its end.
    return raw[raw.index(_DATA_START) + len(_DATA_START) - 1 : raw.rfind(_DATA_END) + 1]


def line_hash(raw: bytes) -> LineHash:
    return LineHash(sha256(raw).hexdigest())


def read_chain(raws: Iterable[bytes]) -> Iterator[tuple[Line, LineHash]]:
    """Read a stream from its first line on, or raise BadLine or BrokenChain after the last line that fits."""
    before: Line | None = None
    head = GENESIS
    for raw in raws:
        line = parse_line(raw)
        if before is None:
            check_first(line)
        else:
            check_next(line, before=before, head=head)
        before, head = line, line_hash(raw)
        yield line, head


@lru_cache(maxsize=_REMEMBERED_INSTANTS_MAX)
def format_at(ms: int) -> str:
    """Write milliseconds since 1970 as the log does."""
    return (_EPOCH + ms * _MILLISECOND).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def parse_at(text: str) -> int:
    """Milliseconds since 1970 of a line's `at`; raises ValueError for a day that does not exist."""
    return (datetime.fromisoformat(text) - _EPOCH) // _MILLISECOND


def _check_fields(line: Line) -> None:
    """Check the parts that the patterns leave open: the calendar, two limits, and fields forbidden to an outcome."""
    try:
        datetime.fromisoformat(line.at)
    except ValueError as error:
        raise BadLine(expected="at to be a real instant", found=line.at) from error
    if not _FIRST_AT <= line.at <= _LAST_AT:
        raise BadLine(expected=f"at to be from {_FIRST_AT} to {_LAST_AT}", found=line.at)
    if len(line.type) > TYPE_LENGTH_MAX:
        raise BadLine(expected=f"type to have at most {TYPE_LENGTH_MAX} characters", found=line.type)
    if line.version > INTEGER_MAX:
        raise BadLine(expected=f"version to be at most {INTEGER_MAX}", found=str(line.version))
    if (line.base is None) != (line.sig is None):
        raise BadLine(expected="base and sig, or neither", found=f"base {line.base}, sig {line.sig}")
    if line.kind == "outcome" and not (line.by == "server" and line.command is None and line.sig is None):
        found = f"by {line.by}, command {line.command}, sig {line.sig}"
        raise BadLine(expected="an outcome by server with null command and sig", found=found)


def _find_bad_field(line: Line) -> BadLine:
    for name, spelling in _SPELLINGS.items():
        found = encode(getattr(line, name)).decode()
        if not re.fullmatch(spelling, found):
            return BadLine(expected=f"{name} to match {spelling}", found=found[:200])
    # Each field is spelled as it should be, so the line would have matched.
    raise AssertionError(line)


def check_first(line: Line) -> None:
    """Check that a line can begin a stream, or raise BrokenChain."""
    # An outcome has no command, so it cannot be the first line either.
    if not (line.prev == GENESIS and line.version == 1 and line.stream == str(line.command)):
        expected = f"prev {GENESIS}, version 1, stream {line.command} as its command"
        raise BrokenChain(1, expected=expected, found=_describe(line))


def check_next(line: Line, *, before: Line, head: LineHash) -> None:
    """Check that a line follows from the one before, whose hash is `head`, or raise BrokenChain."""
    version = before.version + 1
    if (line.prev, line.version, line.stream) != (head, version, before.stream):
        expected = f"prev {head}, version {version}, stream {before.stream}"
        raise BrokenChain(version, expected=expected, found=_describe(line))
    # Instants of one fixed form compare as text.
    if line.at < before.at or (line.kind == "outcome" and line.at != before.at):
        bound = "" if line.kind == "outcome" else " or later"
        raise BrokenChain(version, expected=f"at {before.at}{bound}", found=f"at {line.at}")


def _describe(line: Line) -> str:
    return f"prev {line.prev}, version {line.version}, stream {line.stream}"
