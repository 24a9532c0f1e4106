"""One command of a stream at a time in this process: a second one would only lose its race. Streams do not wait.

Each sender has a place of its own in the queue, and the places take turns: a burst delays its own sender.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from domain.ids import StreamId

# A seat has a command or two under way; a longer queue is one client's burst.
WAITING_MAX = 64


class TooManyWaiting(Exception):
    """More commands of this sender wait for the stream than are worth keeping; nothing was stored."""

    def __init__(self, stream: StreamId) -> None:
        self.stream = stream
        super().__init__(f"{WAITING_MAX} commands of this sender wait for {stream} already")


# The commands that wait for a stream, by the places of their senders; the place at the front is the next.
_Queue = OrderedDict[str, deque[asyncio.Future[None]]]


class StreamTurns:
    def __init__(self) -> None:
        # A stream has a queue while a command has its turn, which guards the stream's folded state in this process,
        # from loading it to keeping the appended lines.
        self._queues: dict[StreamId, _Queue] = {}

    def __len__(self) -> int:
        return len(self._queues)

    @asynccontextmanager
    async def of(self, stream: StreamId, place: str) -> AsyncIterator[None]:
        """Wait for the turn of a place: the places one after the other, the commands of each as they came."""
        queue = self._queues.get(stream)
        if queue is None:
            self._queues[stream] = _Queue()
        else:
            await self._wait(stream, queue.setdefault(place, deque()))
        try:
            yield
        finally:
            self._pass_on(stream)

    async def _wait(self, stream: StreamId, waiting: deque[asyncio.Future[None]]) -> None:
        if len(waiting) >= WAITING_MAX:
            raise TooManyWaiting(stream)
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            with suppress(ValueError):
                waiting.remove(turn)
            if not turn.cancelled():
                # Its turn had come in the same moment.
                self._pass_on(stream)
            raise

    def _pass_on(self, stream: StreamId) -> None:
        queue = self._queues[stream]
        while queue:
            place, waiting = queue.popitem(last=False)
            while waiting:
                turn = waiting.popleft()
                if turn.done():
                    continue
                if waiting:
                    queue[place] = waiting
                turn.set_result(None)
                return
        del self._queues[stream]
