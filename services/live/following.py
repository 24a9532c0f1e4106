"""The messages to a reader, from its first frame to the end, for every transport."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec

from infra.store_faults import StoreUnavailable
from services.live.hub import Hub
from services.live.messages import End, Frame, ToReader
from services.live.reader import Reader


@asynccontextmanager
async def leaving(hub: Hub, reader: Reader) -> AsyncIterator[None]:
    """Let the reader go after the block, however that ends."""
    try:
        yield
    finally:
        hub.leave(reader)


async def pull(hub: Hub, reader: Reader) -> Sequence[ToReader]:
    """Return the next messages; the last of them may be the End."""
    while True:
        try:
            found = await reader.pull()
        except StoreUnavailable:
            # It keeps its place: a client that returns with it misses no line.
            return (End(reason="restarting"),)
        if found:
            return found
        await hub.return_to_seat(reader)


async def stream_events(hub: Hub, reader: Reader, *, retry_ms: int) -> AsyncIterator[bytes]:
    """Yield the reader's events until the end; it has left when this is closed."""
    async with leaving(hub, reader):
        yield b"retry: %d\n\n" % retry_ms
        while True:
            found = await pull(hub, reader)
            yield b"".join([encode_event(finding) for finding in found])
            if isinstance(found[-1], End):
                return


def encode_event(message: ToReader) -> bytes:
    """Write a message as an event: frames have their version for an id, all else is named after its type."""
    if isinstance(message, Frame):
        return message.event
    name = message.__struct_config__.tag
    assert isinstance(name, str), "every message but a frame has a tag"
    return b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(message))
