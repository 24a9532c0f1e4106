"""Lines that a log has already: whether one is the line that would be written in its place, without writing it again.

Nothing is believed of such a line but its bytes: it stands only where a new one would be the same to the last of them.
"""

from collections.abc import Callable

from msgspec import Struct

from domain.canonical import encode
from domain.ids import StreamVersion
from domain.log.entry import Entry, Input, Place
from domain.log.record import find_data, format_at

# Finds the line that a log has at a version, if it has one.
FindEntry = Callable[[StreamVersion], Entry | None]


def find_none(_: StreamVersion) -> None:
    """Find nothing: the consequences are written for the first time."""


def stands_as_input(entry: Entry, put: Input, place: Place, *, type_: str) -> bool:
    """Say whether a line that was read is the one of this input."""
    line = entry.line
    return (
        (line.kind, line.by, line.command, line.sig) == ("input", put.by, put.command, put.sig)
        and line.type == type_
        and _stands_at(entry, place)
        and encode(put.event) == find_data(entry.raw)
    )


def stands_as_outcome(entry: Entry, event: Struct, place: Place) -> bool:
    """Say whether a line that was read is the one of this outcome; a type has one tag among the outcomes."""
    # Its form says that an outcome is by the server, without a command.
    return (
        entry.line.kind == "outcome"
        and type(entry.event) is type(event)
        and _stands_at(entry, place)
        and encode(event) == find_data(entry.raw)
    )


def _stands_at(entry: Entry, place: Place) -> bool:
    line = entry.line
    return (line.stream, line.version, line.prev) == (place.stream, place.version, place.prev) and (
        line.at == format_at(place.at_ms)
    )
