"""Databases of a worker, made ahead of the tests that take them and dropped behind them."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager
from typing import Any, TypeVar

import asyncpg

from tests.database import CONNECT_TIMEOUT_S, Database, copy_database, drop_database, name_database
from tests.servers import ServersForTests

Result = TypeVar("Result")


class Stock:
    """A worker's thread with one connection, one copy ahead: a copy waits three times as long as it computes."""

    def __init__(self, servers: ServersForTests, thread: ThreadPoolExecutor, runner: asyncio.Runner) -> None:
        self._servers = servers
        self._thread = thread
        self._runner = runner
        self._owner = self._do(asyncpg.connect(servers.urls.owner_url, timeout=CONNECT_TIMEOUT_S)).result()
        self._ahead = deque([self._copy()])
        self._dropped = list[Future[None]]()

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[Database]:
        """Hand out a database that no test has seen."""
        self._ahead.append(self._copy())
        name = await asyncio.wrap_future(self._ahead.popleft())
        try:
            yield name_database(self._servers.urls, name)
        finally:
            self._drop(name)

    def close(self) -> None:
        """Drop what is left. Raises the first fault of a copy or a drop."""
        try:
            for copy in self._ahead:
                self._drop(copy.result())
            for drop in self._dropped:
                drop.result()
        finally:
            self._do(self._owner.close()).result()

    def _copy(self) -> Future[str]:
        return self._do(copy_database(self._owner, self._servers.template))

    def _drop(self, name: str) -> None:
        self._dropped.append(self._do(drop_database(self._owner, name)))

    def _do(self, act: Coroutine[Any, Any, Result]) -> Future[Result]:
        return self._thread.submit(self._runner.run, act)


@contextmanager
def open_stock(servers: ServersForTests) -> Iterator[Stock]:
    runner = asyncio.Runner()
    with ThreadPoolExecutor(1, thread_name_prefix="databases") as thread:
        try:
            stock = Stock(servers, thread, runner)
            with closing(stock):
                yield stock
        finally:
            thread.submit(runner.close)
