"""A chariot without damage left is out, and a caltrop marks the place."""

import pytest

from domain.rulesets.chariot_race.actions import Move
from domain.rulesets.chariot_race.board import chariot_of
from domain.rulesets.chariot_race.outcomes import ChariotWrecked
from tests.domain.rulesets.chariot_race.boards import answer, carry_out, chariot, names, race, with_dice

RED = chariot("red", "inner-31")


@pytest.mark.rule("CR-36")
def test_a_wreck_leaves_the_track_at_once_and_its_caltrop_is_like_any_other() -> None:
    wrecked, _ = carry_out(
        with_dice(race(chariot("green", "outer-15", speed=3, damage_left=1), RED), "sprint"), Move(minuses=0, path="")
    )
    blue = race(chariot("blue", "outer-14", speed=2), RED, caltrops=("outer-15",))

    after, _ = carry_out(with_dice(blue, "attack"), Move(minuses=0, path="oo"))

    assert chariot_of(wrecked, "green").status == "wrecked"
    assert wrecked.caltrops == blue.caltrops
    assert chariot_of(after, "blue").damage_left == 11
    assert after.caltrops == ()


@pytest.mark.rule("CR-36", "CR-34")
def test_with_an_empty_supply_a_wreck_leaves_nothing() -> None:
    spaces = tuple(f"inner-{number}" for number in range(1, 21))
    board = race(chariot("green", "outer-15", speed=3, damage_left=1), RED, caltrops=spaces)

    after, told = carry_out(with_dice(board, "sprint"), Move(minuses=0, path=""))

    assert told[-1] == ChariotWrecked(chariot="green", cause="sprint", space="outer-15", caltrop=False, moment=1)
    assert len(after.caltrops) == 20


@pytest.mark.rule("CR-36")
def test_wrecked_by_the_last_caltrop_it_goes_back_and_marks_the_place_again() -> None:
    spaces = ("outer-16", *(f"inner-{number}" for number in range(1, 20)))
    board = race(chariot("green", "outer-15", speed=3, damage_left=1), RED, caltrops=spaces)

    after, told = carry_out(with_dice(board, "attack"), Move(minuses=0, path="o"))

    assert told[-1].cause == "caltrop"
    assert after.caltrops == board.caltrops


@pytest.mark.rule("CR-36")
def test_a_space_never_holds_two_caltrops() -> None:
    board = race(chariot("green", "outer-15", speed=3, damage_left=1), RED, caltrops=("outer-15",))

    after, told = carry_out(with_dice(board, "sprint"), Move(minuses=0, path=""))

    assert told[-1].caltrop is False
    assert len(after.caltrops) == 1


@pytest.mark.rule("CR-36", "CR-10")
def test_a_wrecked_chariot_has_no_more_turns() -> None:
    blue = chariot("blue", "outer-16", damage_left=1)
    board = with_dice(race(chariot("green", "outer-15", speed=2), blue, RED), "fortuna")

    after, told = answer(board, Move(minuses=0, path="oo"))

    assert "ChariotWrecked" in names(told)
    assert after.turn is not None
    assert after.turn.chariot == "red"
