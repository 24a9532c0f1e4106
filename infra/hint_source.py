"""A source of hints about streams. They may be lost, doubled, late or out of order.

`RedisHintSource` and `MemoryHintSource` keep this contract; one suite of tests runs on both.
"""

import asyncio
from collections.abc import Callable
from typing import Never, Protocol

from domain.ids import StreamId, StreamVersion

# Takes a hint: that a stream is at a version, or None: that hints of it may have been missed, so read it now.
Heard = Callable[[StreamId, StreamVersion | None], None]


class HintSource(Protocol):
    def subscribe(self, stream: StreamId) -> None:
        """Ask for hints about a stream. Whenever they begin to come, first or again, None is heard for it."""

    def unsubscribe(self, stream: StreamId) -> None:
        """Ask for no more of them; one that is on its way may still be heard."""

    async def run(self, heard: Heard) -> Never:
        """Pass on all hints, for ever, through outages of any length. Run once; `heard` never raises."""


class MemoryHintSource:
    """An announcer as well: one end hears the hints of the other."""

    is_failing = False

    def __init__(self) -> None:
        self._streams: set[StreamId] = set()
        self._heard: Heard | None = None

    def announce(self, stream: StreamId, version: StreamVersion) -> None:
        """Notify the listener of this process. Never raises, never waits."""
        if self._heard is not None and stream in self._streams:
            self._heard(stream, version)

    def subscribe(self, stream: StreamId) -> None:
        self._streams.add(stream)
        if self._heard is not None:
            self._heard(stream, None)

    def unsubscribe(self, stream: StreamId) -> None:
        self._streams.discard(stream)

    async def run(self, heard: Heard) -> Never:
        self._heard = heard
        for stream in self._streams:
            heard(stream, None)
        while True:
            await asyncio.Event().wait()
