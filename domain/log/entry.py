"""A line of a log with its meaning: the typed event, its bytes and its hash.

A kind of stream knows the types of its events (`kind.py`).
"""

from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import encode
from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from domain.log.record import BadLine, Line, encode_line, format_at, line_hash


class Place(Struct, frozen=True, kw_only=True):
    """Where the next line of a stream goes."""

    stream: StreamId
    version: StreamVersion
    prev: LineHash
    at_ms: int


class Entry(Struct, frozen=True, kw_only=True):
    line: Line
    event: Struct
    raw: bytes
    hash: LineHash


class Input(Struct, frozen=True, kw_only=True):
    """An event from outside, on its way into the log: its author, time of receipt, command and signature.

    `base` is the newest line that the signer had seen.
    """

    event: Struct
    by: str
    at_ms: int
    command: CommandId | None
    sig: str | None
    base: LineHash | None = None


def write_entry(event: Struct, place: Place, *, type_: str, put: Input | None) -> Entry:
    """Make the line of an input, or of an outcome where there is no input."""
    line = Line(
        at=format_at(place.at_ms),
        base=None if put is None else put.base,
        by="server" if put is None else put.by,
        command=None if put is None else put.command,
        data=as_stored(event),
        kind="outcome" if put is None else "input",
        prev=place.prev,
        sig=None if put is None else put.sig,
        stream=place.stream,
        type=type_,
        version=place.version,
    )
    raw = encode_line(line)
    return Entry(line=line, event=event, raw=raw, hash=line_hash(raw))


def as_stored(value: object) -> Any:
    """Return a value as it will be read from the log: a tuple of the rules is a list there."""
    return msgspec.json.decode(encode(value))


def read_event(raw: bytes, line: Line, found: Any) -> Entry:
    """Read the data of a line as a struct of the type found for it."""
    try:
        event: Struct = msgspec.convert(line.data, found)
    except msgspec.ValidationError as error:
        raise BadLine(expected=f"the fields of {line.type}", found=str(error)) from error
    return Entry(line=line, event=event, raw=raw, hash=line_hash(raw))
