"""Seats that leave a running game: their decisions are answered for them, and no seat waits for them."""

from collections.abc import Callable

import pytest

from domain.game.clock import waits_for_seat
from domain.game.custody import hold
from domain.game.kind import GAMES
from domain.game.rejections import SeatDeparted
from domain.game.state import Game
from domain.log.enact import Decided
from domain.log.replay import replay
from tests.domain.game.fake_ruleset_mug import Go, Value
from tests.domain.game.game_harness import CATALOGUE, SECRET, Table, mug_terms, with_clock
from tests.domain.log.redeciding import redecide


@pytest.mark.parametrize("opens_together", [True, False])
@pytest.mark.parametrize("is_own_custody", [True, False])
def test_a_seal_of_a_seat_that_has_left_is_waited_for_by_nobody(*, is_own_custody: bool, opens_together: bool) -> None:
    table = Table(links=0, **mug_terms(opens_together=opens_together)).start()
    for _ in range(2):
        (table.seal if is_own_custody else table.entrust)(0, Value(value=3))
    table.resign(0)
    table.entrust(1, Value(value=2))

    table.entrust(1, Value(value=2))

    while table.game.status == "running":
        table.answer_by_default(table.waiting()[0])
    shown = [entry.event for entry in table.entries if entry.line.type == "action_revealed"]
    assert {getattr(event, "seat", None) for event in shown} == {1}
    assert table.types.count("action_defaulted") >= 2
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game


def test_a_seat_that_leaves_while_a_play_waits_leaves_once_although_the_play_runs_again() -> None:
    table = Table(links=0, **{**mug_terms(), "seats": 3}).start()
    for seat in (0, 0, 1, 1, 2, 2):
        table.entrust(seat, Value(value=1))
    (go,) = table.owed()
    table.play(go.seat, go.id, Go(is_far=True))
    table.resign(go.seat)

    while table.game.status == "running":
        (asked,) = table.owed()
        table.play(asked.seat, asked.id, table.default(asked))

    assert table.types.count("seat_gone") == 1
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET) == table.game
    assert replay(GAMES, table.raws, CATALOGUE, secret=SECRET) == table.game


@pytest.mark.parametrize("late", [Table.resign, Table.remove, lambda table, seat: table.entrust(seat, {})])
def test_a_seat_that_has_left_can_do_nothing_any_more(late: Callable[[Table, int], Decided[Game]]) -> None:
    table = Table().start()
    table.resign(1)

    with pytest.raises(SeatDeparted):
        late(table, 1)


def test_no_clock_runs_for_a_seat_that_has_left() -> None:
    table = Table(**{**mug_terms(), "clock": with_clock()}).start()

    table.resign(0)

    assert [(owed.decision.seat, waits_for_seat(table.game, owed)) for owed in table.game.owed] == [
        (0, False),
        (0, False),
        (1, True),
        (1, True),
    ]


def test_a_seat_that_leaves_while_another_ones_default_waits_leaves_after_it() -> None:
    table = Table(links=0, **{**mug_terms(), "seats": 3}).start()
    for seat in (0, 0, 1, 1, 2, 2):
        table.entrust(seat, Value(value=1))
    first = table.owed()[0].seat
    table.resign(first)
    (asked,) = table.owed()
    third = 3 - first - asked.seat
    table.resign(third)

    table.play(asked.seat, asked.id, table.default(asked))

    assert [fields["seat"] for fields in table.data("seat_gone")] == [first, third]
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET).head == table.game.head
    assert hold(replay(GAMES, table.raws, CATALOGUE, secret=SECRET), table.held) == table.game
