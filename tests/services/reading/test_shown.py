"""A game as it is shown: no board shows a decision that is not owed."""

from collections.abc import Callable

import msgspec
import pytest

from domain.ids import Seat, StreamVersion
from services.reading.histories import Knowing
from services.reading.shown import show_game
from tests.domain.game.game_harness import GAME, Table
from tests.services.reading.test_histories import histories_on, store_log

ENDS: tuple[Callable[[Table], object], ...] = (Table.finish, Table.abort)


@pytest.mark.parametrize("end", ENDS, ids=["finished", "aborted"])
@pytest.mark.parametrize("seat", [None, Seat(0), Seat(1)])
async def test_no_board_shows_a_decision_that_is_not_owed(end: Callable[[Table], object], seat: Seat | None) -> None:
    table = Table(seats=2).start()
    end(table)
    histories, last = histories_on(await store_log(table)), StreamVersion(len(table.raws))
    knowing: Knowing = "public" if seat is None else "secret"

    moments = await histories.read_range(GAME, StreamVersion(1), last, knowing)
    shown = [msgspec.to_builtins(show_game(each.state, seat, is_complete=each.is_complete)) for each in moments]

    asked = [{each["id"] for each in (game["board"] or {}).get("decisions", ())} for game in shown]
    assert any(asked)
    assert not shown[-1]["owed"]
    for game, decisions in zip(shown, asked, strict=True):
        assert decisions <= {each["decision"] for each in game["owed"]}
