"""The folded streams of one kind that a process keeps, those used last. A cache: always allowed to be empty."""

from collections import OrderedDict
from typing import Generic, TypeVar

from domain.ids import StreamId

State = TypeVar("State")

# A folded game of six seats is some tens of kilobytes: at most about a hundred megabytes of them.
STREAMS_KEPT_MAX = 2_000


class FoldedStreams(Generic[State]):
    def __init__(self, streams_max: int = STREAMS_KEPT_MAX) -> None:
        self._streams_max = streams_max
        self._streams: OrderedDict[StreamId, State] = OrderedDict()

    def __len__(self) -> int:
        return len(self._streams)

    def find(self, stream: StreamId) -> State | None:
        """Return the stream as last kept; it may be behind the log."""
        found = self._streams.get(stream)
        if found is not None:
            self._streams.move_to_end(stream)
        return found

    def keep(self, stream: StreamId, state: State) -> None:
        """Keep a stream, and let the one go that was not used for longest."""
        self._streams[stream] = state
        self._streams.move_to_end(stream)
        if len(self._streams) > self._streams_max:
            self._streams.popitem(last=False)

    def forget(self, stream: StreamId) -> None:
        self._streams.pop(stream, None)
