"""Hints inside one process, for tests and simulations; a server has `infra/hint_source.py`."""

from domain.ids import StreamId, StreamVersion
from infra.redis.announcer import HINTS_MAX, NewestHints


class MemoryAnnouncer:
    is_failing = False

    def __init__(self, *, hints_max: int = HINTS_MAX) -> None:
        self.hints = NewestHints(hints_max)

    def announce(self, stream: StreamId, version: StreamVersion) -> None:
        """Note that the stream is at that version. Never raises, never waits."""
        self.hints.note(stream, version)
