"""A reader of the log by position sees every committed event, once and in order, with any writers."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import asyncpg
import pytest

from domain.ids import LogPosition
from infra.event_store import Append, StoredEvent
from infra.postgres.append_call import APPEND_BATCH, APPEND_ONE, columns, values
from infra.postgres.connection import open_app_connection
from infra.postgres.event_store import PostgresEventStore, open_event_store
from tests.appends import following, new_game, opening
from tests.database import Database, until_a_session_waits
from tests.infra.postgres.writer import write

ROOT = Path(__file__).parents[3]
WRITERS, GAMES, APPENDS = 8, 20, 12
# One line for the first append of a game, then 1, 2, 3, 1, 2, 3, … lines.
LINES = WRITERS * GAMES * (1 + sum(1 + number % 3 for number in range(APPENDS - 1)))
TAKE_LOCK = "perform pg_advisory_xact_lock(5785247042114);"
FUNCTIONS = "select pg_get_functiondef(oid) from pg_proc where proname in ('append_one', 'append_batch')"


class Tail:
    """A reader that goes on from the last position it got."""

    def __init__(self, store: PostgresEventStore) -> None:
        self._store = store
        self.seen: list[StoredEvent] = []

    async def read_on(self) -> int:
        after = self.seen[-1].position if self.seen else LogPosition(0)
        found = await self._store.read_log(after=after, limit=500)
        self.seen.extend(found)
        return len(found)

    async def find_missed(self) -> list[StoredEvent]:
        """Lines of the log that this reader never got."""
        while await self.read_on():
            pass
        everything = Tail(self._store)
        while await everything.read_on():
            pass
        positions = {event.position for event in self.seen}
        return [event for event in everything.seen if event.position not in positions]


@pytest.fixture
async def store(database: Database) -> AsyncIterator[PostgresEventStore]:
    async with open_event_store(database.app_url) as opened:
        yield opened


@pytest.fixture
async def slow(database: Database) -> AsyncIterator[asyncpg.Connection]:
    """A writer that leaves its transaction open for as long as a test wants."""
    connection = await open_app_connection(database.app_url)
    yield connection
    await connection.close()


async def append_slowly(slow: asyncpg.Connection, append: Append) -> None:
    if append.expected_version == 0:
        assert await slow.fetch(APPEND_BATCH, *columns([append])) == []
    else:
        assert await slow.fetchval(APPEND_ONE, *values(append))


async def open_games(store: PostgresEventStore) -> tuple[Append, Append]:
    """Two games that go on are appended to by another function than two that begin."""
    first, second = opening(new_game()), opening(new_game())
    await store.append(first)
    await store.append(second)
    return following(first), following(second)


async def no_games(_: PostgresEventStore) -> tuple[Append, Append]:
    return opening(new_game()), opening(new_game())


BEGUN_OR_NOT = pytest.mark.parametrize("build", [no_games, open_games])


async def test_a_reader_beside_eight_writing_processes_misses_nothing(
    database: Database, store: PostgresEventStore
) -> None:
    tail = Tail(store)
    writers = [await start_writer(database.app_url) for _ in range(WRITERS)]

    async with asyncio.TaskGroup() as tasks:
        ended = tasks.create_task(wait_for(writers))
        while not ended.done():
            await tail.read_on()

    assert await tail.find_missed() == []
    assert len(tail.seen) == LINES
    assert is_in_order(tail.seen)


@BEGUN_OR_NOT
async def test_an_append_waits_until_the_one_before_is_visible(
    store: PostgresEventStore,
    slow: asyncpg.Connection,
    build: Callable[[PostgresEventStore], Awaitable[tuple[Append, Append]]],
) -> None:
    tail = Tail(store)
    first, second = await build(store)

    async with asyncio.TaskGroup() as tasks:
        async with slow.transaction():
            await append_slowly(slow, first)
            quick = tasks.create_task(store.append(second))
            await until_a_session_waits(slow)
            await tail.read_on()
        await quick

    assert await tail.find_missed() == []
    assert [event.stream for event in tail.seen][-2:] == [first.stream, second.stream]


@BEGUN_OR_NOT
async def test_without_the_lock_the_same_reader_misses_events(
    database: Database,
    store: PostgresEventStore,
    slow: asyncpg.Connection,
    build: Callable[[PostgresEventStore], Awaitable[tuple[Append, Append]]],
) -> None:
    await take_the_lock_out(database.owner_url)
    tail = Tail(store)
    first, second = await build(store)

    async with slow.transaction():
        await append_slowly(slow, first)
        await store.append(second)
        await tail.read_on()

    assert [event.stream for event in await tail.find_missed()] == [first.stream]


async def test_appends_that_lose_leave_no_holes_in_the_positions(store: PostgresEventStore) -> None:
    append = opening(new_game(), 3)
    await store.append(append)
    await asyncio.gather(*(store.append(append) for _ in range(20)), return_exceptions=True)
    await store.append(opening(new_game(), 2))

    assert [event.position for event in await store.read_log(after=LogPosition(0), limit=100)] == [1, 2, 3, 4, 5]


async def test_an_open_write_elsewhere_in_the_database_does_not_hold_the_reader_up(
    database: Database, store: PostgresEventStore
) -> None:
    owner = await asyncpg.connect(database.owner_url)
    tail = Tail(store)

    async with owner.transaction():
        await owner.execute("create table of_somebody_else (id int)")
        await store.append(opening(new_game()))
        await tail.read_on()
    await owner.close()

    assert len(tail.seen) == 1


async def start_writer(url: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        write.__module__,
        url,
        str(GAMES),
        str(APPENDS),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


async def wait_for(writers: list[asyncio.subprocess.Process]) -> None:
    codes = await asyncio.gather(*(writer.wait() for writer in writers))
    assert codes == [0] * len(writers)


async def take_the_lock_out(owner_url: str) -> None:
    owner = await asyncpg.connect(owner_url)
    definitions = [row["pg_get_functiondef"] for row in await owner.fetch(FUNCTIONS)]
    assert [definition.count(TAKE_LOCK) for definition in definitions] == [1, 1]
    for definition in definitions:
        await owner.execute(definition.replace(TAKE_LOCK, ""))
    await owner.close()


def is_in_order(events: list[StoredEvent]) -> bool:
    """Positions rise, and each stream's versions are 1, 2, 3, …."""
    last_versions: dict[str, int] = {}
    position = 0
    for event in events:
        if event.position <= position or event.version != last_versions.get(event.stream, 0) + 1:
            return False
        position, last_versions[event.stream] = event.position, event.version
    return True
