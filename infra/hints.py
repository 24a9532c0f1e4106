"""Hints that wait for readers: the newest version of each stream, bounded. A hint may be dropped, never be wrong."""

from collections.abc import Mapping

from domain.ids import StreamId, StreamVersion

# Streams whose newest version waits to be told: some seconds of a busy server while Redis restarts, a megabyte or so.
HINTS_MAX = 10_000


class NewestHints:
    """Hints in the order in which their streams last moved, oldest first, one a stream."""

    def __init__(self, hints_max: int = HINTS_MAX) -> None:
        self._hints_max = hints_max
        self.newest: dict[StreamId, StreamVersion] = {}
        self.dropped_count = 0

    def note(self, stream: StreamId, version: StreamVersion) -> None:
        """Take a hint in; when too many streams wait, the oldest is dropped and counted."""
        known = self.newest.pop(stream, StreamVersion(0))
        self.newest[stream] = max(known, version)
        if len(self.newest) > self._hints_max:
            self.newest.pop(next(iter(self.newest)))
            self.dropped_count += 1

    def oldest(self, count: int) -> dict[StreamId, StreamVersion]:
        return dict(list(self.newest.items())[:count])

    def forget(self, told: Mapping[StreamId, StreamVersion]) -> None:
        """Take out the hints that were told, except where a newer version came meanwhile."""
        for stream, version in told.items():
            if self.newest.get(stream) == version:
                del self.newest[stream]
