"""Appends that wait for their turn, and the next batch of them.

A batch holds at most one append of a stream: a second one waits for the next batch.
"""

import asyncio
from collections import deque

from domain.ids import StreamId
from infra.event_store import Append
from infra.store_faults import StoreBusy

# A larger batch costs the database a tenth less for each append. But two hundred games in one batch would have it wait
# while this process tells them all and gathers their next appends; in two batches, it works on the one meanwhile.
BATCH_APPENDS_MAX = 100
# The largest message a call usually sends: a millisecond on a slow network. One append may be larger by itself.
BATCH_BYTES_MAX = 1024 * 1024
# About a tenth of a second of work; later callers are better told to come again.
QUEUE_APPENDS_MAX = 4096
QUEUE_BYTES_MAX = 64 * 1024 * 1024


class WaitingAppend:
    """An append and the future its caller awaits."""

    __slots__ = ("append", "outcome", "size")

    def __init__(self, append: Append) -> None:
        self.append = append
        self.outcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.size = sum(map(len, append.lines))

    def tell(self, fault: Exception | None) -> None:
        """Answer the caller, who may have left meanwhile."""
        if self.outcome.done():
            return
        if fault is None:
            self.outcome.set_result(None)
        else:
            self.outcome.set_exception(fault)


class AppendQueue:
    def __init__(self) -> None:
        self._waiting: deque[WaitingAppend] = deque()
        self._size = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, append: Append) -> WaitingAppend:
        if len(self._waiting) >= QUEUE_APPENDS_MAX or self._size >= QUEUE_BYTES_MAX:
            raise StoreBusy(waiting_max=QUEUE_APPENDS_MAX)
        waiting = WaitingAppend(append)
        self._waiting.append(waiting)
        self._size += waiting.size
        return waiting

    def take_batch(self) -> list[WaitingAppend]:
        """Take the next batch in order of arrival; empty when none waits."""
        batch: list[WaitingAppend] = []
        postponed: list[WaitingAppend] = []
        streams: set[StreamId] = set()
        size = 0
        while self._waiting and len(batch) < BATCH_APPENDS_MAX:
            waiting = self._waiting[0]
            if batch and size + waiting.size > BATCH_BYTES_MAX:
                break
            self._waiting.popleft()
            if waiting.outcome.done():
                self._size -= waiting.size
            elif waiting.append.stream in streams:
                postponed.append(waiting)
            else:
                batch.append(waiting)
                streams.add(waiting.append.stream)
                size += waiting.size
        self._waiting.extendleft(reversed(postponed))
        self._size -= size
        return batch
