"""One timekeeper at work on a real database, however many stand by, and through every fault of the world."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from random import Random

import asyncpg
import msgspec
import pytest

from domain.game.events import ClockExtended
from domain.game.kind import GAMES
from domain.ids import GameId
from infra.event_store import EventStore
from infra.postgres.clock_book import timekeeper_book
from infra.postgres.event_store import open_event_store
from services.node.steady_clock import read_clock_ms
from services.workers.standby import Pace, standing_by
from services.workers.timekeeper import build_timekeeper
from simulate.stores.clock_book import MemoryClockBook
from simulate.stores.event_store import MemoryEventStore
from tests.database import Database
from tests.domain.game.game_harness import CATALOGUE, SECRET, with_clock
from tests.domain.log.redeciding import redecide
from tests.fault_proxy import FaultProxy, fault_proxy
from tests.services.commands.test_arena import arena_on
from tests.services.heartbeats import no_beat
from tests.services.killable import killable_process
from tests.services.workers.timekeeper_harness import SECOND, Hall, no_bank

PATIENCE_S = 120.0
SOON_S = 0.02
SEED = 20261118
KILLS = 5
BEAT = "select beat_ms from spina.timekeeper"
ABSENCES = "select count(*) from spina.absence where not is_given_back"
# A lock's number is in two halves in the list of locks.
END_TIMEKEEPER = """
select pg_terminate_backend(pid) from pg_locks
 where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = 5785247042116
   and database = (select oid from pg_database where datname = current_database())
"""


@pytest.fixture
async def owner(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.owner_url)
    yield connection
    await connection.close()


@pytest.fixture
async def store(database: Database) -> AsyncIterator[EventStore]:
    async with open_event_store(database.app_url) as store:
        yield store


def hall_on(store: EventStore) -> Hall:
    # A timekeeper here has a bookmark of its own, in the database.
    return Hall(store, MemoryClockBook(MemoryEventStore()))


def timekeeper_at_work(hall: Hall, url: str) -> AbstractAsyncContextManager[None]:
    """Stand by as a process of its own would."""
    timekeeper = build_timekeeper(arena_on(hall.store), partial(timekeeper_book, url), lambda: hall.now_ms)
    return standing_by([timekeeper], no_beat, Pace(look_every_s=SOON_S, stand_by_s=SOON_S))


async def pass_seconds(hall: Hall, owner: asyncpg.Connection, seconds: int) -> None:
    """Let time pass, each second once a timekeeper works in it."""
    async with asyncio.timeout(PATIENCE_S):
        for _ in range(seconds):
            hall.now_ms += SECOND
            while await owner.fetchval(BEAT) != hall.now_ms or await owner.fetchval(ABSENCES):
                pass


async def wait_for_expiries(hall: Hall, game: GameId, count: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while len(await hall.expiries(game)) < count:
            pass


async def test_of_many_that_could_one_keeps_the_clocks(
    store: EventStore, owner: asyncpg.Connection, database: Database
) -> None:
    hall = hall_on(store)
    game = await hall.open(clock=no_bank(5))
    url = database.app_url

    async with (
        timekeeper_at_work(hall, url),
        timekeeper_at_work(hall, url),
        timekeeper_at_work(hall, url),
    ):
        await pass_seconds(hall, owner, 6)
        await wait_for_expiries(hall, game, 2)
        await pass_seconds(hall, owner, 3)

    assert [seat for seat, _ in await hall.expiries(game)] == [0, 1]


async def test_when_one_loses_its_connection_another_goes_on(
    store: EventStore, owner: asyncpg.Connection, database: Database
) -> None:
    hall = hall_on(store)
    game = await hall.open(clock=no_bank(6))

    async with (
        timekeeper_at_work(hall, database.app_url),
        timekeeper_at_work(hall, database.app_url),
    ):
        for _ in range(3):
            await pass_seconds(hall, owner, 2)
            await owner.execute(END_TIMEKEEPER)
        await pass_seconds(hall, owner, 2)
        await wait_for_expiries(hall, game, 2)

    assert [seat for seat, _ in await hall.expiries(game)] == [0, 1]
    assert await hall.lines(game, "clock_extended") == []


@pytest.fixture
async def proxy(database: Database) -> AsyncIterator[FaultProxy]:
    async with fault_proxy(database.app_url) as proxy:
        yield proxy


async def test_an_outage_of_the_database_is_given_back(
    store: EventStore, owner: asyncpg.Connection, proxy: FaultProxy
) -> None:
    hall = hall_on(store)
    game = await hall.open(clock=no_bank(30))

    async with timekeeper_at_work(hall, proxy.url):
        await pass_seconds(hall, owner, 20)
        # A beat is known by its time; the statement itself is sent once.
        proxy.lose_request((hall.now_ms + SECOND).to_bytes(8, "big"))
        hall.now_ms += SECOND
        await asyncio.wait_for(proxy.cut.wait(), PATIENCE_S)
        hall.now_ms += 100 * SECOND
        await pass_seconds(hall, owner, 9)

    (extension,) = await hall.lines(game, "clock_extended")
    assert msgspec.convert(extension.data, ClockExtended).ms >= 100 * SECOND
    assert await hall.expiries(game) == []


async def test_killed_at_any_moment_no_expiry_is_lost_or_doubled(store: EventStore, database: Database) -> None:
    random = Random(SEED)  # noqa: S311 - a seed that can be repeated
    hall = hall_on(store)
    hall.now_ms = read_clock_ms()
    terms = with_clock()
    games = [await hall.open(clock=type(terms)(per_decision_ms=30, bank_ms=0)) for _ in range(4)]

    for _ in range(KILLS):
        async with killable_process("workers.timekeeper_process", database.app_url):
            # Killed when it has got a little further: at another place of its cycle each time.
            before = await store.read_head()
            async with asyncio.timeout(PATIENCE_S):
                while await store.read_head() < before + random.randrange(1, 20):
                    pass
    async with killable_process("workers.timekeeper_process", database.app_url), asyncio.timeout(PATIENCE_S):
        while {(await hall.read(game)).status for game in games} != {"finished"}:
            pass

    for game in games:
        expired = [(line.data["seat"], line.data["decision"]) for line in await hall.lines(game, "clock_expired")]
        assert len(expired) == len(set(expired))
        assert redecide(GAMES, await hall.raws(game), CATALOGUE, SECRET).status == "finished"
