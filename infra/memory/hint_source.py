"""Hints inside one process, from its announcer to its readers: for tests, and for a server that has no Redis."""

import asyncio
from typing import Never

from domain.ids import StreamId, StreamVersion
from infra.hint_source import Heard


class MemoryHintSource:
    """An announcer as well: one end hears the hints of the other."""

    is_failing = False

    def __init__(self) -> None:
        self._streams: set[StreamId] = set()
        self._heard: Heard | None = None

    def announce(self, stream: StreamId, version: StreamVersion) -> None:
        """Tell the listener of this process. Never raises, never waits."""
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
