"""The server's absence: given back to all alike, never more than was lost, and no instant twice."""

import msgspec
import pytest

from domain.game.absence import Absence, count_lost_ms, list_playing
from domain.game.clock import find_deadline_ms
from domain.game.commands import GameCommand
from domain.game.events import CLOCK_MS_MAX, ClockExtended
from domain.game.kind import GAMES
from domain.game.rejections import GameOver, NoClock
from domain.ids import Seat
from domain.log.rejections import NotAllowed, UnfitEvent
from domain.log.replay import replay
from tests.domain.game.game_harness import CATALOGUE, CLOCK, NOON, OPERATOR, SECRET, Table, with_clock
from tests.domain.log.redeciding import redecide

SECOND = 1_000


def waiting(after_s: int) -> Table:
    """Return a started game whose decisions were created at NOON, so many seconds later."""
    table = Table(clock=with_clock()).start()
    table.now = NOON + after_s * SECOND
    return table


def away(from_s: int, to_s: int) -> Absence:
    return Absence(from_ms=NOON + from_s * SECOND, to_ms=NOON + to_s * SECOND)


@pytest.mark.parametrize(
    ("absences", "lost_s"),
    [
        ([away(10, 30)], 20),
        ([away(-50, 30)], 30),
        ([away(-50, -10)], 0),
        ([away(-50, 0)], 0),
        ([away(10, 20), away(25, 30)], 15),
        ([away(10, 90)], 60),
        ([], 0),
    ],
)
def test_a_game_has_lost_what_it_waited_through_since_its_oldest_decision(absences: list[Absence], lost_s: int) -> None:
    table = waiting(60)

    lost_ms = count_lost_ms(table.game, absences, table.now)

    assert lost_ms == lost_s * SECOND


def test_no_absence_gives_back_more_than_a_clock_may_have() -> None:
    table = waiting(60)
    late_ms = NOON + 2 * CLOCK_MS_MAX

    lost_ms = count_lost_ms(table.game, [Absence(from_ms=NOON, to_ms=late_ms)], late_ms)

    assert lost_ms == CLOCK_MS_MAX


def test_a_game_in_which_no_clock_runs_has_lost_nothing() -> None:
    unclocked, unstarted = Table().start(), Table(clock=with_clock())

    lost = [count_lost_ms(table.game, [away(0, 100)], NOON + 100 * SECOND) for table in (unclocked, unstarted)]

    assert lost == [0, 0]


def test_what_was_given_back_moves_every_deadline_that_runs() -> None:
    table = waiting(300)

    table.extend(0, 1, 2, ms=300 * SECOND, actor=CLOCK)

    assert {find_deadline_ms(table.game, owed) for owed in table.game.owed} == {NOON + 480 * SECOND}


def test_an_instant_is_given_back_once() -> None:
    table = waiting(100)
    table.extend(0, 1, 2, ms=40 * SECOND, actor=CLOCK)

    lost_ms = count_lost_ms(table.game, [away(10, 50), away(90, 130)], NOON + 130 * SECOND)

    assert lost_ms == 30 * SECOND
    table.now = NOON + 130 * SECOND
    with pytest.raises(UnfitEvent):
        table.extend(0, 1, 2, ms=30 * SECOND + 1, actor=CLOCK)
    table.extend(0, 1, 2, ms=30 * SECOND, actor=CLOCK)


@pytest.mark.parametrize(("more_ms", "is_admitted"), [(0, True), (1, False)])
def test_the_clock_gives_back_no_millisecond_that_the_game_has_not_waited(more_ms: int, *, is_admitted: bool) -> None:
    table = waiting(100)

    if is_admitted:
        table.extend(0, 1, 2, ms=100 * SECOND + more_ms, actor=CLOCK)
        assert table.entries[-1].line.by == "clock"
    else:
        with pytest.raises(UnfitEvent):
            table.extend(0, 1, 2, ms=100 * SECOND + more_ms, actor=CLOCK)


@pytest.mark.parametrize("seats", [(0,), (0, 1), (1, 2)])
def test_the_clock_favours_nobody(seats: tuple[int, ...]) -> None:
    table = waiting(100)

    with pytest.raises(UnfitEvent):
        table.extend(*seats, ms=SECOND, actor=CLOCK)


def test_whoever_has_left_gets_nothing_back() -> None:
    table = waiting(100)
    table.resign(1)

    table.extend(0, 2, ms=SECOND, actor=CLOCK)

    assert list_playing(table.game) == (0, 2)


def test_an_organiser_may_give_what_the_clock_may_not() -> None:
    table = waiting(1)

    table.extend(0, ms=600 * SECOND)

    assert table.game.given_back_to_ms == 0


def test_the_clock_alone_beside_organisers_extends() -> None:
    table = waiting(100)

    with pytest.raises(NotAllowed):
        table.extend(0, 1, 2, ms=SECOND, actor=OPERATOR)


def test_the_clock_gives_nothing_where_there_is_none_or_the_game_is_over() -> None:
    unclocked, over = Table().start(), waiting(100)
    over.abort()

    with pytest.raises(NoClock):
        unclocked.extend(0, 1, 2, actor=CLOCK)
    with pytest.raises(GameOver):
        over.extend(0, 1, 2, actor=CLOCK)


def test_folding_and_deciding_again_know_what_was_given_back() -> None:
    table = waiting(100)
    seats = tuple(Seat(seat) for seat in range(3))
    command = GameCommand(
        event=ClockExtended(seats=seats, ms=90 * SECOND, reason="the server was away"), **table.meta(CLOCK)
    )
    table.put(command)
    table.finish()

    folded, decided = (
        replay(GAMES, table.raws, CATALOGUE, secret=SECRET),
        redecide(GAMES, table.raws, CATALOGUE, SECRET),
    )

    assert folded.given_back_to_ms == decided.given_back_to_ms == NOON + 100 * SECOND
    assert msgspec.structs.replace(folded, choices={}) == msgspec.structs.replace(table.game, choices={})
