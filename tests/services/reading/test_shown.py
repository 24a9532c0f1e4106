"""A game as it is shown: choices of the decisions for which the game waits for the viewer's seat, and of no others."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.ids import Seat, StreamVersion
from services.reading.histories import Knowledge
from services.reading.shown import show_game
from tests.domain.game.game_harness import GAME, Table, with_clock
from tests.services.reading.test_histories import histories_on, store_log

ENDS: tuple[Callable[[Table], object], ...] = (Table.finish, Table.abort)


def list_choosing(game: dict[str, Any]) -> list[str]:
    """List the decisions that a shown game waits for the viewer's seat to choose."""
    return [
        owed["decision"]
        for owed in game["owed"]
        if owed["seat"] == game["your_seat"] and owed["is_waited_for"] and owed["kind"] != "opening"
    ]


async def show_all(table: Table, seat: Seat | None) -> list[dict[str, Any]]:
    """Show every version of a table's game."""
    histories, last = histories_on(await store_log(table)), StreamVersion(len(table.raws))
    knowledge: Knowledge = "public" if seat is None else "secret"
    moments = await histories.read_range(GAME, StreamVersion(1), last, knowledge)
    return [msgspec.to_builtins(show_game(moment.state, seat, is_complete=moment.is_complete)) for moment in moments]


@pytest.mark.parametrize("end", ENDS, ids=["finished", "aborted"])
@pytest.mark.parametrize("seat", [None, Seat(0), Seat(1)])
async def test_choices_are_of_the_decisions_that_wait_for_the_viewers_seat(
    end: Callable[[Table], object], seat: Seat | None
) -> None:
    table = Table(seats=2).start()
    end(table)

    shown = await show_all(table, seat)

    assert any(game["choices"] for game in shown) == (seat is not None)
    assert not shown[-1]["owed"]
    for game in shown:
        assert game["choices"].keys() == set(list_choosing(game))


async def test_choices_are_the_legal_actions_of_the_rules() -> None:
    table = Table(seats=2).start()

    shown = (await show_all(table, Seat(1)))[-1]

    legal = {decision.id: table.game.ruleset.legal_actions(table.game.board, decision) for decision in table.owed(1)}
    assert legal
    assert shown["choices"] == msgspec.to_builtins(legal)


async def test_a_sealed_action_leaves_no_choice() -> None:
    table = Table(seats=2).start()
    table.answer_by_default(table.owed(1)[0])

    mine, rival = [(await show_all(table, Seat(seat)))[-1] for seat in (1, 0)]

    assert [owed["decision"] for owed in mine["owed"]] == [decision.id for decision in table.owed()]
    assert (len(mine["choices"]), len(rival["choices"])) == (len(table.owed(1)) - 1, len(table.owed(0)))


async def test_a_paused_game_shows_no_choices() -> None:
    table = Table(seats=2, clock=with_clock()).start()
    for seat in (0, 1):
        table.consent(seat, "pause")

    shown = (await show_all(table, Seat(0)))[-1]

    assert shown["paused_until"] is not None
    assert (len(shown["owed"]), shown["choices"]) == (len(table.owed()), {})
