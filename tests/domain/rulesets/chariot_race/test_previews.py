"""Previews: the certain effects of an action before it is taken."""

import pytest

from domain.rulesets.chariot_race.actions import (
    Action,
    ChooseBoard,
    ChoosePlace,
    DropCaltrop,
    Move,
    Pass,
    Repair,
    Reroll,
    ThrowJavelin,
    TurnDie,
)
from domain.rulesets.chariot_race.board import Board
from domain.rulesets.chariot_race.choices import Foreseen
from domain.rulesets.chariot_race.rejections import FateTooLow
from tests.domain.rulesets.chariot_race.boards import (
    ALTERNATE,
    RULES,
    carry_out,
    chariot,
    play_out,
    race,
    with_dice,
)

GREEN = chariot("green", "outer-15", speed=2, damage_left=7, fate=3)
BOARD = race(GREEN, chariot("red", "outer-18", damage_left=4))
MOVED, _ = carry_out(with_dice(BOARD, "attack"), Move(minuses=0, path="oo"))


def foresee(board: Board, action: Action) -> Foreseen:
    return RULES.preview(board, RULES.decisions(board)[0], action)


def values(foreseen: Foreseen) -> tuple[str, int, int, int]:
    return (foreseen.chariot, foreseen.damage_left, foreseen.speed, foreseen.fate)


@pytest.mark.rule("CR-64")
@pytest.mark.parametrize(
    ("board", "action", "expected"),
    [
        (BOARD, Repair(), ("green", 10, 2, 0)),
        (BOARD, Pass(), ("green", 7, 2, 3)),
        (with_dice(BOARD, "steer", phase="reroll"), Reroll(dice=(0,)), ("green", 7, 2, 3)),
        (with_dice(BOARD, "steer", phase="manipulation"), Reroll(dice=(0,)), ("green", 7, 2, 1)),
        (with_dice(BOARD, "steer", phase="manipulation"), TurnDie(die=0, face="sprint"), ("green", 7, 2, 1)),
        (with_dice(BOARD, "plus_minus", "sprint"), Move(minuses=0, path="ooooo"), ("green", 4, 5, 3)),
        (MOVED, DropCaltrop(space="outer-16"), ("green", 7, 2, 3)),
        (MOVED, ThrowJavelin(chariot="red"), ("green", 7, 2, 3)),
    ],
)
def test_what_is_certain_of_an_action_is_foreseen(
    board: Board, action: Action, expected: tuple[str, int, int, int]
) -> None:
    assert values(foresee(board, action)) == expected


@pytest.mark.rule("CR-34")
def test_a_javelin_is_foreseen_with_what_its_target_has_left() -> None:
    foreseen = foresee(MOVED, ThrowJavelin(chariot="red"))

    assert (foreseen.target, foreseen.target_damage_left) == ("red", 3)


@pytest.mark.rule("CR-54")
def test_the_draft_is_foreseen_with_the_values_of_the_board() -> None:
    playout = play_out(6, ALTERNATE)
    chosen = foresee(playout.board, ChooseBoard(colour="purple"))
    while RULES.decisions(playout.board)[0].id.endswith("/board/1"):
        [decision] = playout.owed()
        playout.answer(decision, RULES.default_action(playout.board, decision))

    placed = foresee(playout.board, ChoosePlace(place=2))

    assert values(chosen) == ("purple", 9, 7, 6)
    assert values(placed) == ("white", 12, 4, 3)


def test_what_is_not_legal_is_not_foreseen() -> None:
    board = with_dice(race(chariot("green", "outer-15", fate=1), chariot("red", "outer-18")), "steer")

    with pytest.raises(FateTooLow):
        foresee(with_dice(board, "steer", phase="manipulation"), Reroll(dice=(0,)))
