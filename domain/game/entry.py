"""A line of a log together with what it says: the typed event, its bytes and its hash.

Streams that are no games write and read theirs with the same `write_entry` and `read_event`.
"""

from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import encode
from domain.game.events import INPUT_TAGS, INPUT_TYPES, OUTCOME_TAGS, OUTCOME_TYPES
from domain.ids import CommandId, GameId, LineHash, StreamVersion
from domain.record import BadLine, Line, encode_line, format_at, line_hash, parse_line
from domain.ruleset.ruleset import AnyRuleset


class Place(Struct, frozen=True, kw_only=True):
    """Where the next line of a game goes."""

    stream: GameId
    version: StreamVersion
    prev: LineHash
    at_ms: int


class Entry(Struct, frozen=True, kw_only=True):
    line: Line
    event: Struct
    raw: bytes
    hash: LineHash


class Author(Struct, frozen=True, kw_only=True):
    """From whom an input came: who it was, as which command, and signed how."""

    by: str
    command: CommandId | None
    sig: str | None


def write_input(event: Struct, place: Place, *, by: str, command: CommandId | None, sig: str | None) -> Entry:
    """Make the line of an input of a game."""
    return write_entry(event, place, type_=INPUT_TAGS[type(event)], author=Author(by=by, command=command, sig=sig))


def write_outcome(event: Struct, place: Place, ruleset: AnyRuleset) -> Entry:
    """Make the line of an outcome, of the game's own or of its ruleset."""
    return write_entry(event, place, type_=outcome_tag(event, ruleset), author=None)


def write_entry(event: Struct, place: Place, *, type_: str, author: Author | None) -> Entry:
    """Make a line of any stream: an input has an author, an outcome none."""
    line = Line(
        at=format_at(place.at_ms),
        by="server" if author is None else author.by,
        command=None if author is None else author.command,
        data=as_stored(event),
        kind="outcome" if author is None else "input",
        prev=place.prev,
        sig=None if author is None else author.sig,
        stream=place.stream,
        type=type_,
        version=place.version,
    )
    raw = encode_line(line)
    return Entry(line=line, event=event, raw=raw, hash=line_hash(raw))


def as_stored(value: object) -> Any:
    """Return a value as it will be read from the log: what the rules keep as a tuple is a list there."""
    return msgspec.json.decode(encode(value))


def read_entry(raw: bytes, ruleset: AnyRuleset | None) -> Entry:
    """Read one stored line; the first line of a game is read without its ruleset, as it is what names it."""
    line = parse_line(raw)
    types: Any = INPUT_TYPES if line.kind == "input" else OUTCOME_TYPES
    found = types.get(line.type)
    if found is None and line.kind == "outcome" and ruleset is not None:
        found = ruleset.outcome_types.get(line.type)
    if found is None:
        raise BadLine(expected=f"the type of an {line.kind} of this game", found=line.type)
    return read_event(raw, line, found)


def read_event(raw: bytes, line: Line, found: Any) -> Entry:
    """Read what a line says as a struct of the type found for it."""
    try:
        event: Struct = msgspec.convert(line.data, found)
    except msgspec.ValidationError as error:
        raise BadLine(expected=f"the fields of {line.type}", found=str(error)) from error
    return Entry(line=line, event=event, raw=raw, hash=line_hash(raw))


def outcome_tag(event: Struct, ruleset: AnyRuleset) -> str:
    """Return the type under which an outcome is logged."""
    tag = OUTCOME_TAGS.get(type(event))
    if tag is not None:
        return tag
    return next(tag for tag, outcome in ruleset.outcome_types.items() if outcome is type(event))
