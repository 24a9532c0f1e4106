"""Boards of Chariotmaster that cannot be are noticed."""

import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.rulesets.chariotmaster.kit.kit import find_unsound
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.options import Options
from tests.domain.rulesets.chariotmaster.races import RULES

SPRINT = Options(laps=1, equipment="none")


def start() -> Board:
    seats = tuple(Seat(seat) for seat in range(3))
    board: Board = Playout(RULES, seats=seats, options=SPRINT, secret=bytes(32)).board
    return board


@pytest.mark.parametrize(("name", "value"), [("stamina", -1), ("health", -1), ("modifies", -1)])
def test_a_chariot_that_cannot_be_is_noticed(name: str, value: int) -> None:
    board = start()
    first, *others = board.chariots

    (found,) = find_unsound(RULES, replace(board, chariots=(replace(first, **{name: value}), *others)))

    assert found.startswith("chariot 0 has less than nothing")


def test_pieces_on_each_other_and_outside_are_noticed() -> None:
    board = start()
    first, second, third = board.chariots
    assert first.team_pose is not None
    doubled = replace(second, team_pose=first.team_pose)
    astray = replace(third, team_pose=replace(first.team_pose, y_um=-500_000))

    on_another = find_unsound(RULES, replace(board, chariots=(first, doubled, third)))
    outside = find_unsound(RULES, replace(board, chariots=(first, second, astray)))

    assert [found.split(":")[0] for found in on_another] == [f"piece {piece} stands on something" for piece in (0, 1)]
    assert [found.split(":")[0] for found in outside] == ["piece 2 stands outside the walls"]
