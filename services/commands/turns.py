"""One command of a stream at a time in this process: a second one would only lose its race. Streams do not wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from domain.ids import StreamId

# Six seats and an organiser each have a command or two under way; a longer queue is one client's burst.
WAITING_MAX = 64


class TooManyWaiting(Exception):
    """More commands wait for this stream than are worth keeping; nothing was stored."""

    def __init__(self, stream: StreamId) -> None:
        self.stream = stream
        super().__init__(f"{WAITING_MAX} commands wait for {stream} already")


class _Turn:
    def __init__(self) -> None:
        # Guards the stream's folded state in this process, from loading it to keeping the appended lines.
        self.lock = asyncio.Lock()
        self.users = 0


class StreamTurns:
    def __init__(self) -> None:
        self._turns: dict[StreamId, _Turn] = {}

    def __len__(self) -> int:
        return len(self._turns)

    @asynccontextmanager
    async def of(self, stream: StreamId) -> AsyncIterator[None]:
        """Wait for this stream's turn, first come, first served."""
        turn = self._turns.setdefault(stream, _Turn())
        if turn.users >= WAITING_MAX:
            raise TooManyWaiting(stream)
        turn.users += 1
        try:
            async with turn.lock:
                yield
        finally:
            turn.users -= 1
            if turn.users == 0:
                del self._turns[stream]
