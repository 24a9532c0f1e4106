"""The same client for a program without an event loop: `waiting.wait(client.read_game(GAME))` returns the game."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from spina_client.connection import AWAY_S_MAX, Connection, connected

T = TypeVar("T")


class Waiting:
    """Runs what the client does, one at a time, in the thread that calls it."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._runner = runner

    def wait(self, doing: Coroutine[Any, Any, T]) -> T:
        """Return what it returns; raise what it raises."""
        return self._runner.run(doing)

    def each(self, coming: AsyncIterator[T]) -> Iterator[T]:
        """Yield what comes, as it comes."""

        async def take() -> T:
            return await anext(coming)

        while True:
            try:
                item = self.wait(take())
            except StopAsyncIteration:
                return
            yield item


@contextmanager
def connected_blocking(url: str, *, away_s_max: float = AWAY_S_MAX) -> Iterator[tuple[Connection, Waiting]]:
    """Connect to a server for the time of the block, as `connection.connected`. Raises ServerUrlRefused."""
    connecting = connected(url, away_s_max=away_s_max)
    with asyncio.Runner() as runner:
        waiting = Waiting(runner)
        server = waiting.wait(_enter(connecting))
        try:
            yield server, waiting
        finally:
            waiting.wait(_leave(connecting))


async def _enter(connecting: Any) -> Connection:
    server: Connection = await connecting.__aenter__()
    return server


async def _leave(connecting: Any) -> None:
    await connecting.__aexit__(None, None, None)
