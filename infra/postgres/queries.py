"""Statements of the stores: changes at the primary; reads at a replica that has every commit until now, where one has.

A read learns from the primary how far its log is written, together with all reads that begin meanwhile, and goes to a
replica that has replayed so much. So no read is older than another that had ended before it, by whichever process.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

import asyncpg
import structlog

from infra.postgres.connection import borrowed
from infra.postgres.replica import Replica, build_replica_pool
from infra.store_faults import StoreUnavailable

# A replica with a fault is left out for so long at least.
EXAMINE_EVERY_S = 2.0

# As of the write-ahead log that a crash would leave: no commit that was ever seen lies behind it.
READ_WRITTEN = """
select (pg_current_wal_flush_lsn() - '0/0')::bigint
"""

Source = Literal["primary", "replica"]

log = structlog.get_logger()


class Queries:
    """Every method is one statement, and raises `StoreUnavailable` when the database cannot be reached in time."""

    def __init__(self, pool: asyncpg.Pool, replicas: Sequence[Replica] = ()) -> None:
        self.primary = pool
        self.replicas = tuple(replicas)
        # Called after every read, with the kind of server that answered it; it may not raise.
        self.on_read: Callable[[Source], None] = _ignore
        # Guards the two fields below it: one question is under way at a time.
        self._asking = asyncio.Lock()
        self._questions_count = 0
        self._chosen: Replica | None = None

    async def execute(self, statement: str, *values: object) -> None:
        """Change something."""
        async with borrowed(self.primary) as connection:
            await connection.execute(statement, *values)

    async def fetch(self, statement: str, *values: object) -> list[asyncpg.Record]:
        """Read rows."""
        replica = await self._choose()
        if replica is not None:
            try:
                rows = await replica.fetch(statement, *values)
            except StoreUnavailable as fault:
                # One slow statement, or too many at once; whether the replica answers, the next question shows.
                log.info("replica_passed_over", replica=replica.name, reason=str(fault))
            else:
                self.on_read("replica")
                return rows
        self.on_read("primary")
        return await self.fetch_at_primary(statement, *values)

    async def fetch_row(self, statement: str, *values: object) -> asyncpg.Record | None:
        return next(iter(await self.fetch(statement, *values)), None)

    async def fetch_value(self, statement: str, *values: object) -> Any:
        row = await self.fetch_row(statement, *values)
        return None if row is None else row[0]

    async def fetch_at_primary(self, statement: str, *values: object) -> list[asyncpg.Record]:
        async with borrowed(self.primary) as connection:
            rows: list[asyncpg.Record] = await connection.fetch(statement, *values)
        return rows

    async def examine_replicas(self) -> None:
        """Look at each replica, and take those in that are fit. Without the primary they cannot be judged."""
        try:
            (row,) = await self.fetch_at_primary(READ_WRITTEN)
        except StoreUnavailable:
            return
        await asyncio.gather(*(replica.examine(self.fetch_at_primary, row[0]) for replica in self.replicas))

    async def _choose(self) -> Replica | None:
        """Find a replica by a question asked after this call; calls that wait for it share its answer."""
        if not any(replica.is_fit for replica in self.replicas):
            return None
        questions_count = self._questions_count
        async with self._asking:
            if self._questions_count == questions_count:
                self._questions_count += 1
                # The answer of those who share a question that fails.
                self._chosen = None
                self._chosen = await self._ask()
            return self._chosen

    async def _ask(self) -> Replica | None:
        (row,) = await self.fetch_at_primary(READ_WRITTEN)
        # They take turns.
        first = self._questions_count % len(self.replicas)
        for replica in (*self.replicas[first:], *self.replicas[:first]):
            if replica.is_fit and await replica.reaches(row[0]):
                return replica
        return None


@asynccontextmanager
async def replicated_queries(pool: asyncpg.Pool, urls: Sequence[str]) -> AsyncIterator[Queries]:
    """Give the queries over a primary and its replicas, which are examined while the block runs."""
    pools: list[asyncpg.Pool] = []
    try:
        replicas = []
        for number, url in enumerate(urls, start=1):
            reading, watching = await build_replica_pool(url), await build_replica_pool(url, size_max=1)
            pools += [reading, watching]
            replicas.append(Replica(number, reading, watching))
        queries = Queries(pool, replicas)
        if not pools:
            yield queries
            return
        await queries.examine_replicas()
        stopping = asyncio.Event()
        # Not cancelled: before Python 3.12 the driver may lose that.
        examining = asyncio.create_task(_examine_until(stopping, queries), name="replicas")
        try:
            yield queries
        finally:
            stopping.set()
            await asyncio.wait({examining})
    finally:
        # Not closed in peace: one that hangs would never answer.
        for each in pools:
            each.terminate()


async def _examine_until(stopping: asyncio.Event, queries: Queries) -> None:
    while True:
        with suppress(TimeoutError):
            async with asyncio.timeout(EXAMINE_EVERY_S):
                await stopping.wait()
                return
        try:
            await queries.examine_replicas()
        except Exception:
            # A bug in a part that reads do not need: they go to the primary.
            log.exception("replicas_not_examined")


def _ignore(_: Source) -> None:
    pass
