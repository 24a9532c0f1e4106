"""Absences of the server: noted, given back to all alike and once, and no clock runs through one."""

import pytest

from domain.game.commands import GameCommand
from domain.game.rejections import ClockRanOut
from domain.ids import GameId
from infra.clock_book import ABSENCE_MIN_MS
from infra.store_faults import StoreUnavailable
from simulate.stores.clock_book import MemoryClockBook
from simulate.stores.event_store import MemoryEventStore
from tests.services.commands.test_arena import BreakingStore
from tests.services.workers.timekeeper_harness import SECOND, Hall, new_hall, no_bank


@pytest.mark.parametrize("away_s", [4, 100, 3_600])
async def test_nobody_expires_for_the_servers_own_absence(away_s: int) -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(40)

    hall.wait(away_s)
    hall.restart()
    await hall.work(19)

    assert await hall.expiries(game) == []
    (extension,) = await hall.lines(game, "clock_extended")
    assert (extension.by, extension.data["seats"], extension.data["ms"]) == ("clock", [0, 1], away_s * SECOND)
    assert await hall.book.beat(hall.now_ms) == []
    await hall.work(2)
    assert len(await hall.expiries(game)) == 2


async def test_an_answer_is_accepted_again_once_the_absence_was_given_back() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(40)
    hall.wait(100)

    with pytest.raises(ClockRanOut):
        await hall.entrust(game, 0)
    await hall.work()
    await hall.entrust(game, 0)

    assert await hall.expiries(game) == []


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_no_clock_runs_through_an_absence_that_was_given_back_before_its_line(*, is_restarted: bool) -> None:
    hall = new_hall()
    game, late = await begin_late(hall)
    hall.wait(100)
    await hall.work()

    await hall.arena.handle(late)
    if is_restarted:
        hall.restart()
    await hall.work(59)
    early = await hall.expiries(game)
    await hall.work(2)

    assert early == []
    assert await hall.expiries(game) == [(0, "02:45"), (1, "02:45")]


async def test_a_late_line_gets_its_time_from_the_next_session_where_the_one_that_read_it_ends() -> None:
    store = BreakingStore()
    hall = new_hall(store)
    game, late = await begin_late(hall)
    hall.wait(100)
    await hall.work()
    await hall.arena.handle(late)

    store.is_breaking = True
    with pytest.raises(StoreUnavailable):
        await hall.step()
    hall.restart()
    await hall.work(59)

    assert await hall.expiries(game) == []


async def test_no_clock_runs_through_an_absence_where_its_line_comes_while_the_games_are_looked_at() -> None:
    store = MemoryEventStore()
    hall = new_hall(store)
    hall.book = book = LineAfterGivingBack(store, hall)
    game, book.late = await begin_late(hall, seconds=10)
    hall.wait(12)
    hall.restart()

    await hall.work(9)
    early = await hall.expiries(game)
    await hall.work(2)

    assert early == []
    assert await hall.expiries(game) == [(0, "00:27"), (1, "00:27")]


async def begin_late(hall: Hall, seconds: int = 60) -> tuple[GameId, GameCommand]:
    """Return a game, and the command that begins it, received just before an absence and not stored yet."""
    game = await hall.seat(clock=no_bank(seconds))
    await hall.arena.handle(hall.readiness(game, 0))
    await hall.work(5)
    return game, hall.readiness(game, 1)


class LineAfterGivingBack(MemoryClockBook):
    """A book beside which a line is stored as soon as absences count as given back."""

    late: GameCommand

    def __init__(self, store: MemoryEventStore, hall: Hall) -> None:
        super().__init__(store)
        self._hall = hall

    async def note_given_back(self, *, through: int) -> None:
        await super().note_given_back(through=through)
        await self._hall.arena.handle(self.late)


async def test_a_process_that_was_suspended_was_away() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(30)

    hall.wait(1_000)
    await hall.work(29)

    assert await hall.expiries(game) == []


async def test_a_moment_without_anybody_is_no_absence() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(10)

    hall.now_ms += ABSENCE_MIN_MS - SECOND
    hall.restart()
    await hall.work(10)

    assert await hall.lines(game, "clock_extended") == []


async def test_who_sat_down_after_an_absence_gets_nothing_for_it() -> None:
    hall = new_hall()
    before = await hall.open()
    await hall.work(1)
    hall.wait(100)
    after = await hall.open()

    await hall.work(1)

    assert len(await hall.lines(before, "clock_extended")) == 1
    assert await hall.lines(after, "clock_extended") == []


async def test_a_clock_moved_back_makes_nobody_late_and_its_leap_forward_is_given_back() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(30)

    hall.wait(-3_600)
    await hall.work(29)
    hall.wait(3_600)
    await hall.work(29)

    assert await hall.expiries(game) == []
    await hall.work(60)
    assert len(await hall.expiries(game)) == 2


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_an_absence_by_a_clock_that_was_ahead_holds_up_no_expiry_by_the_right_one(*, is_restarted: bool) -> None:
    hall = new_hall()
    await hall.work(5)
    hall.wait(3_600)
    await hall.work(2)
    hall.wait(-3_600)
    if is_restarted:
        hall.restart()
    game = await hall.open(clock=no_bank())

    await hall.work(61)
    in_time = await hall.expiries(game)
    await hall.work(3_640)

    assert [seat for seat, _ in in_time] == [0, 1]
    assert await hall.lines(game, "clock_extended") == []


async def test_an_absence_that_ends_later_than_a_clock_moved_back_is_waited_for() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(40)
    hall.wait(100)
    await hall.book.beat(hall.now_ms)
    hall.wait(-50)
    hall.restart()

    await hall.work(40)
    early = await hall.expiries(game)
    await hall.work(10 + 19)

    assert early == await hall.expiries(game) == []
    assert len(await hall.lines(game, "clock_extended")) == 1
