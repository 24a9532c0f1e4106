"""The contract of a notifier's stores, run on each, so that the one in memory cannot lie about the other."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.accounts.account import Account
from domain.accounts.notice import AtLine, Notice
from domain.accounts.way import WayRow
from domain.ids import LogPosition, PlayerId, StreamVersion
from infra.clock_book import BookMoved
from infra.event_store import EventStore
from infra.postgres.accounts import create_account
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.notice_ways import NoticeWays
from infra.postgres.notices import FIRST_REST_MS, WAYS_OF_ACCOUNT_MAX, Outbox, notice_book
from services.notices.ways import WayVault
from simulate.stores.event_store import MemoryEventStore
from simulate.stores.notices import MemoryNotices
from simulate.world.mailbox import build_way
from tests.appends import new_game, opening
from tests.database import NewDatabase
from tests.domain.game.game_harness import ADA, BOB, NOON
from tests.services.ledger.ledger_harness import KEY

START = LogPosition(0)


class Desk(Struct, frozen=True, kw_only=True):
    """The parts of a notifier's stores; `add` opens a way of an account."""

    log: EventStore
    book: Any
    outbox: Any
    ways: Any
    add: Callable[[WayRow], Awaitable[Any]]

    async def open_way(self, player: PlayerId = ADA) -> str:
        row = replace(build_way(player, WayVault(KEY)), id=str(uuid4()))
        assert await self.add(row) is not False
        return row.id

    async def log_lines(self, count: int) -> None:
        for _ in range(count):
            await self.log.append(opening(new_game()))

    async def list_due(
        self, now_ms: int = NOON, *, is_proven: bool = False, without: tuple[str, ...] = ()
    ) -> list[str]:
        found: list[str] = await self.outbox.list_due(now_ms, is_proven=is_proven, without=without, limit=9)
        return found

    async def list_waiting(self, way: str) -> list[int]:
        return [each.position for each in await self.outbox.read_waiting(way, limit=9)]


@pytest.fixture(params=["memory", "postgres"])
async def desk(request: pytest.FixtureRequest, new_database: NewDatabase) -> AsyncIterator[Desk]:
    if request.param == "memory":
        log = MemoryEventStore()
        notices = MemoryNotices(log)
        yield Desk(log=log, book=notices, outbox=notices, ways=notices, add=notices.add)
        return
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(new_database())
        store = await stack.enter_async_context(open_event_store(database.app_url))
        pool = await stack.enter_async_context(build_app_pool(database.app_url))
        book = await stack.enter_async_context(notice_book(database.app_url))
        owner = await asyncpg.connect(database.owner_url)
        for name, id_ in (("Ada", ADA), ("Bob", BOB)):
            await create_account(owner, Account(id=id_, name=name, role="player"))
        await owner.close()
        ways = NoticeWays(pool)
        yield Desk(log=store, book=book, outbox=Outbox(pool), ways=ways, add=ways.add)


def notice_of(player: PlayerId, position: int) -> Notice:
    return Notice(
        id=str(uuid4()),
        account=player,
        kind="game_over",
        stream=new_game(),
        fact=AtLine(version=StreamVersion(1)),
        version=StreamVersion(1),
        position=LogPosition(position),
        at_ms=NOON,
    )


async def store(desk: Desk, *notices: Notice) -> None:
    """Store notices with the bookmark of the newest."""
    before = await desk.book.read_position()
    after = LogPosition(max(notice.position for notice in notices))
    await desk.book.follow(before, after, notices, now_ms=NOON)


async def test_the_log_is_passed_by_while_no_account_has_a_way(desk: Desk) -> None:
    await desk.log_lines(3)

    before = await desk.book.read_position()
    await desk.open_way()
    await desk.log_lines(1)

    assert (before, await desk.book.read_position()) == (3, 3)


async def test_a_way_waits_in_the_order_of_the_log_for_notices_of_its_own_account(desk: Desk) -> None:
    way, other = await desk.open_way(ADA), await desk.open_way(BOB)

    await store(desk, notice_of(ADA, 7), notice_of(ADA, 5), notice_of(BOB, 6))

    assert await desk.list_waiting(way) == [5, 7]
    assert await desk.list_waiting(other) == [6]
    assert await desk.book.find_reached([ADA]) == {ADA}


async def test_lines_from_before_a_way_are_not_told_on_it(desk: Desk) -> None:
    earlier = await desk.open_way()
    await desk.log_lines(3)
    later = await desk.open_way()

    await store(desk, notice_of(ADA, 3), notice_of(ADA, 4))

    assert await desk.list_waiting(earlier) == [3, 4]
    assert await desk.list_waiting(later) == [4]


async def test_a_step_from_another_bookmark_is_refused_whole(desk: Desk) -> None:
    way = await desk.open_way()

    with pytest.raises(BookMoved):
        await desk.book.follow(LogPosition(9), LogPosition(10), [notice_of(ADA, 10)], now_ms=NOON)

    assert await desk.list_waiting(way) == []
    assert await desk.book.read_position() == START


async def test_a_way_is_due_until_its_last_notice_is_settled(desk: Desk) -> None:
    way = await desk.open_way()
    first, second = notice_of(ADA, 1), notice_of(ADA, 2)
    await store(desk, first, second)

    due = [await desk.list_due()]
    for notice in (first, second):
        await desk.outbox.settle(way, notice.id, now_ms=NOON)
        due.append(await desk.list_due())

    assert due == [[way], [way], []]


async def test_a_way_that_fails_rests_twice_as_long_each_time(desk: Desk) -> None:
    way = await desk.open_way()
    await store(desk, notice_of(ADA, 1))

    failing_ms = [await desk.outbox.fail(way, "away", now_ms=NOON + at_ms, rest_ms=0) for at_ms in (0, 100)]

    assert failing_ms == [0, 100]
    assert await desk.list_due(NOON + 99 + 2 * FIRST_REST_MS) == []
    assert await desk.list_due(NOON + 100 + 2 * FIRST_REST_MS) == [way]


async def test_a_way_that_worked_is_of_the_proven_ones_until_it_fails(desk: Desk) -> None:
    way = await desk.open_way()
    await store(desk, notice_of(ADA, 1))

    await desk.outbox.recover(way)
    proven = await desk.list_due(is_proven=True)
    await desk.outbox.fail(way, "away", now_ms=NOON, rest_ms=0)

    late_ms = NOON + FIRST_REST_MS
    assert proven == [way]
    assert await desk.list_due(late_ms, is_proven=True) == []
    assert await desk.list_due(late_ms) == [way]


async def test_few_ways_of_one_account_are_served_at_once(desk: Desk) -> None:
    ways = [await desk.open_way() for _ in range(WAYS_OF_ACCOUNT_MAX + 2)]
    await store(desk, notice_of(ADA, 1))

    due = await desk.list_due()
    more = await desk.list_due(without=tuple(due[1:]))

    assert len(due) == WAYS_OF_ACCOUNT_MAX
    assert len(more) == 1
    assert set(due) | set(more) <= set(ways)


async def test_an_ended_way_has_neither_notices_nor_an_address(desk: Desk) -> None:
    way = await desk.open_way()
    await store(desk, notice_of(ADA, 1))

    await desk.outbox.end(way, "gone")
    await desk.outbox.put_off(way, NOON)

    found = await desk.ways.find(way)
    assert (found.sealed_box, found.end_reason) == (None, "gone")
    assert await desk.list_due() == []
    assert await desk.list_waiting(way) == []
    assert await desk.book.find_reached([ADA]) == set()
