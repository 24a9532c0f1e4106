"""The one writer of a process: gathers the appends of many games into one call on one connection.

A batch is the appends that came while the last one was in flight; none waits for company. The caller of `append` gets a
certain answer: an append whose reply was lost is sent again, and the log states whether the first attempt counted.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

import asyncpg

from domain.ids import StreamId
from infra.event_store import Append
from infra.postgres.append_call import check_limits, find_fault
from infra.postgres.append_channel import (
    PATIENCE_S,
    AppendChannel,
    Connect,
    Refused,
    Unanswered,
    connect_postgres,
)
from infra.store_faults import AppendRefused, StoreBusy, StoreUnavailable

# A larger batch costs the database a tenth less for each append. But two hundred games in one batch would have it wait
# while this process answers them all and gathers their next appends; in two batches, it works on the one meanwhile.
BATCH_APPENDS_MAX = 100
# The largest message a call usually sends: a millisecond on a slow network. One append may be larger by itself.
BATCH_BYTES_MAX = 1024 * 1024
# About a tenth of a second of work; later callers are better asked to come again.
QUEUE_APPENDS_MAX = 4096
QUEUE_BYTES_MAX = 64 * 1024 * 1024

# The faults of a batch that no correct program sends.
MALFORMED = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.RaiseError)
# Faults of the whole database: sent one by one, a batch would wait out each of these again and again.
OF_THE_WORLD = (asyncpg.LockNotAvailableError, asyncpg.InsufficientResourcesError, asyncpg.ReadOnlySQLTransactionError)


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


class Appender:
    """Use as a context manager: leaving it settles the waiting appends, then closes the connection."""

    def __init__(self, url: str, *, patience_s: float = PATIENCE_S, connect: Connect = connect_postgres) -> None:
        self._channel = AppendChannel(url, patience_s=patience_s, connect=connect)
        self._queue = AppendQueue()
        # Set when something was put into the queue, or no more will come.
        self._wake = asyncio.Event()
        self._is_closing = False
        self._tasks = asyncio.TaskGroup()
        # Called after each answered call of the database: how many appends it had, and how many seconds it took.
        self.on_batch: Callable[[int, float], None] = _ignore

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        self._tasks.create_task(self._run(), name="appender")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_closing = True
        self._wake.set()
        # The group hears nothing of an error of the body: it would cancel the task, and leave appends unsettled.
        await self._tasks.__aexit__(None, None, None)

    async def append(self, append: Append) -> None:
        """See `EventStore.append`. A caller that is cancelled may find its lines in the log nevertheless."""
        check_limits(append)
        if self._is_closing:
            raise StoreUnavailable("the appender is closing")
        waiting = self._queue.put(append)
        self._wake.set()
        await waiting.outcome

    async def _run(self) -> None:
        batch: list[WaitingAppend] = []
        try:
            while True:
                await self._wake.wait()
                batch = self._queue.take_batch()
                if batch:
                    await self._settle(batch)
                elif self._is_closing:
                    return
                else:
                    self._wake.clear()
        finally:
            # Also when this task dies of a bug: no caller is left waiting for an answer that cannot come.
            self._is_closing = True
            _tell(batch, StoreUnavailable("the appender stopped", may_have_committed=True))
            self._give_up("the appender stopped")
            await self._channel.close()

    async def _settle(self, batch: list[WaitingAppend]) -> None:
        """Return when every append of the batch has its answer."""
        clock = asyncio.get_running_loop().time
        begun_s = clock()
        try:
            answer = await self._channel.call([waiting.append for waiting in batch])
        except Unanswered as error:
            _tell(batch, StoreUnavailable(error.reason, may_have_committed=error.was_sent))
            self._give_up(error.reason)
        except Refused as error:
            await self._settle_refused(batch, error)
        else:
            self.on_batch(len(batch), clock() - begun_s)
            lost = {row["lost"]: row for row in answer.lost}
            for place, waiting in enumerate(batch, start=1):
                row = lost.get(place)
                waiting.tell(None if row is None else find_fault(waiting.append, row, was_resent=answer.was_resent))

    async def _settle_refused(self, batch: list[WaitingAppend], refused: Refused) -> None:
        """Send each alone: the database rolled everything back, and only the guilty one may suffer."""
        reason = f"{type(refused.error).__name__}: {refused.error}"
        if isinstance(refused.error, OF_THE_WORLD):
            _tell(batch, StoreUnavailable(reason, may_have_committed=refused.was_resent))
            self._give_up(reason)
        elif len(batch) > 1:
            for waiting in batch:
                await self._settle([waiting])
        elif isinstance(refused.error, MALFORMED):
            _tell(batch, AppendRefused(batch[0].append.stream, str(refused.error)))
        else:
            _tell(batch, StoreUnavailable(reason, may_have_committed=refused.was_resent))

    def _give_up(self, reason: str) -> None:
        """Refuse the appends behind a batch that was given up: they have waited as long, and none was sent."""
        while waiting := self._queue.take_batch():
            _tell(waiting, StoreUnavailable(reason))


def _ignore(_appends: int, _seconds: float) -> None:
    pass


def _tell(batch: list[WaitingAppend], fault: Exception) -> None:
    for waiting in batch:
        waiting.tell(fault)
