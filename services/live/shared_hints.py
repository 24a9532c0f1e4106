"""Shared hints: a source of hints with a second listener, as a process has one connection for hints."""

from typing import Never

from domain.ids import StreamId, StreamVersion
from infra.hint_source import Heard, HintSource


class SharedHints:
    """Neither listener may raise."""

    def __init__(self, hints: HintSource, also: Heard) -> None:
        self._hints = hints
        self._also = also

    def subscribe(self, stream: StreamId) -> None:
        self._hints.subscribe(stream)

    def unsubscribe(self, stream: StreamId) -> None:
        self._hints.unsubscribe(stream)

    async def run(self, heard: Heard) -> Never:
        def tell_both(stream: StreamId, version: StreamVersion | None) -> None:
            self._also(stream, version)
            heard(stream, version)

        await self._hints.run(tell_both)
