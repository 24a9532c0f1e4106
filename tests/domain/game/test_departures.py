"""Seats that leave a running game: what they still owed is answered for them, and nobody waits for them."""

import pytest

from domain.game.rejections import SeatDeparted
from domain.game.replay import redecide
from tests.domain.game.mug import Value
from tests.domain.game.table import CATALOGUE, SECRET, Table, mug_terms
from tests.domain.rulesets.torches import Bid


@pytest.mark.parametrize("is_own_custody", [True, False])
def test_a_seal_of_a_seat_that_has_left_is_waited_for_by_nobody(*, is_own_custody: bool) -> None:
    table = Table(links=0, **mug_terms()).start()
    for _ in range(2):
        (table.seal if is_own_custody else table.entrust)(0, Value(value=3))
    table.resign(0)
    table.entrust(1, Value(value=2))

    table.entrust(1, Value(value=2))

    while table.game.status == "running":
        table.answer_by_default(table.waiting()[0])
    shown = [entry.event for entry in table.entries if entry.line.type == "action_revealed"]
    assert {getattr(each, "seat", None) for each in shown} == {1}
    assert table.types.count("action_defaulted") >= 2
    assert redecide(table.raws, CATALOGUE, SECRET) == table.game


def test_a_seat_that_has_left_can_do_nothing_any_more() -> None:
    table = Table().start()
    table.resign(1)

    for late in (
        lambda: table.resign(1),
        lambda: table.entrust(1, Bid(card=3, drop=None), decision="r1/bid/1"),
        lambda: table.remove(1),
    ):
        with pytest.raises(SeatDeparted):
            late()
