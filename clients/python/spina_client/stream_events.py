"""Events of a stream (text/event-stream).

    id: 57
    data: {"version":57}

An empty line ends an event; `event:` names it.
"""

from msgspec import Struct

EVENT_STREAM = "text/event-stream"


class StreamEvent(Struct, frozen=True, kw_only=True):
    """One event of a stream (text/event-stream). From its id a reader goes on that lost its connection."""

    id: int | None
    name: str
    data: bytes


# The beginning of each connection, made here: what comes next may not be a change of what came last.
OPENED = StreamEvent(id=None, name="open", data=b"")


def parse_event(text: bytes) -> StreamEvent | None:
    """Parse one event; None where it has no data, as a line that keeps the connection. Raises ValueError."""
    fields = dict(line.split(b": ", 1) for line in text.split(b"\n") if b": " in line)
    if b"data" not in fields:
        return None
    id_ = int(fields[b"id"]) if b"id" in fields else None
    return StreamEvent(id=id_, name=fields.get(b"event", b"message").decode(), data=fields[b"data"])
