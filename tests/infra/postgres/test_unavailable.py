"""Reads while the server is there and cannot serve them: one fault for all the world does, none for our mistakes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import asyncpg
import pytest

from infra.postgres.appender import Appender
from infra.postgres.connection import SETTINGS, borrowed, build_app_pool, telling_unavailable
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.hosts import Session
from infra.postgres.queries import Queries
from infra.store_faults import StoreUnavailable
from tests.appends import new_game
from tests.database import Database

# Steps of the loop over which reads are cancelled: from before their statements are sent to after their answers.
CANCELLATIONS = 60
PATIENCE_S = 20.0
LOCK_ALL_GAMES = "lock table spina.stream in access exclusive mode"


@asynccontextmanager
async def pool_of(database: Database, **settings: str) -> AsyncIterator[asyncpg.Pool]:
    """One connection, opened when it is needed."""
    settings = {**SETTINGS, **settings}
    async with asyncpg.create_pool(
        database.app_url, min_size=0, max_size=1, server_settings=settings, connection_class=Session
    ) as pool:
        yield pool


@asynccontextmanager
async def owner_of(database: Database) -> AsyncIterator[asyncpg.Connection]:
    owner = await asyncpg.connect(database.owner_url)
    yield owner
    await owner.close()


async def test_a_statement_that_fails_while_its_task_is_cancelled_does_not_hide_the_cancellation() -> None:
    begun = asyncio.Event()

    async def ask() -> None:
        with telling_unavailable():
            try:
                begun.set()
                await asyncio.Event().wait()
            finally:
                # As a transaction does whose connection ends before it is rolled back.
                raise asyncpg.InterfaceError("connection is closed")

    task = asyncio.create_task(ask())
    await begun.wait()
    task.cancel()
    await asyncio.wait([task], timeout=PATIENCE_S)

    assert task.cancelled()


@pytest.mark.parametrize(
    ("setting", "found"), [("lock_timeout", "LockNotAvailable"), ("statement_timeout", "QueryCanceled")]
)
async def test_a_read_behind_a_lock_is_told_that_the_store_is_unavailable(
    database: Database, setting: str, found: str
) -> None:
    async with (
        pool_of(database, **{setting: "50ms"}) as pool,
        Appender(database.app_url) as appender,
        owner_of(database) as owner,
        owner.transaction(),
    ):
        await owner.execute(LOCK_ALL_GAMES)

        with pytest.raises(StoreUnavailable, match=found) as caught:
            await PostgresEventStore(Queries(pool), appender).load_stream(new_game())

    assert not caught.value.may_have_committed


async def test_a_read_that_is_not_let_in_is_told_that_the_store_is_unavailable(database: Database) -> None:
    name = urlsplit(database.owner_url).path.removeprefix("/")
    async with (
        pool_of(database) as pool,
        Appender(database.app_url) as appender,
        owner_of(database) as owner,
    ):
        await owner.execute(f"alter database {name} with connection limit 0")

        with pytest.raises(StoreUnavailable, match="TooManyConnections"):
            await PostgresEventStore(Queries(pool), appender).read_head()


async def test_a_login_that_is_refused_meanwhile_is_told_the_same(database: Database) -> None:
    async with asyncpg.create_pool(database.app_url, min_size=0, max_size=1, password="another") as pool:
        with pytest.raises(StoreUnavailable, match="no connection: InvalidPassword"):
            async with borrowed(pool):
                pass


async def test_a_connection_is_waited_for_only_so_long(database: Database) -> None:
    async with pool_of(database) as pool, borrowed(pool):
        with pytest.raises(StoreUnavailable, match="TimeoutError"):
            async with borrowed(pool, timeout_s=0.02):
                pass


async def test_a_connection_is_given_back_whatever_was_said(database: Database) -> None:
    async with pool_of(database) as pool:
        for _ in range(2):
            # A mistake of ours is no fault of the store's.
            with pytest.raises(asyncpg.UndefinedTableError):
                async with borrowed(pool, timeout_s=1) as connection:
                    await connection.execute("select * from senet")


async def test_a_read_that_is_cancelled_stays_cancelled(database: Database) -> None:
    ended: list[BaseException | None] = []
    async with build_app_pool(database.app_url) as pool:
        for number in range(CANCELLATIONS):
            reads = [asyncio.create_task(read_slowly(pool, f"select pg_sleep({index} * 0.001)")) for index in range(6)]
            # At another moment of each round: before, amid or after the answers.
            for _ in range(number):
                await asyncio.sleep(0)
            waiting = [task for task in reads if task.cancel()]
            ended += await asyncio.gather(*waiting, return_exceptions=True)

    assert {type(exception) for exception in ended} == {asyncio.CancelledError}


async def read_slowly(pool: asyncpg.Pool, statement: str) -> None:
    async with borrowed(pool) as connection:
        await connection.fetch(statement)
