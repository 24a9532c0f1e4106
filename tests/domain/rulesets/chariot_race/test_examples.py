"""The worked examples of the rulebook that show a whole turn. The smaller ones stand beside their rules."""

import pytest

from domain.rulesets.chariot_race.actions import Move
from domain.rulesets.chariot_race.board import chariot_of
from domain.rulesets.chariot_race.choices import Incident, MoveChoices
from domain.rulesets.chariot_race.outcomes import (
    ChariotMoved,
    ChariotRammed,
    ChariotSetBack,
    ChariotWrecked,
    CornerTaken,
    MoveEnded,
    SpeedSet,
)
from domain.rulesets.chariot_race.rounds import order_of_turns
from tests.domain.rulesets.chariot_race.boards import (
    RULES,
    carry_out,
    chariot,
    race,
    space_name,
    with_dice,
)

# Seven steps before the outer numbered space; Diana on the middle numbered one, Alma directly behind her.
CAESAR = chariot("green", "outer-20", speed=6, damage_left=11)
DIANA = chariot("yellow", "middle-25", damage_left=2)
ALMA = chariot("blue", "middle-24")
CAESARS_TURN = with_dice(race(CAESAR, DIANA, ALMA), "plus_minus", "plus_minus", "sprint", "steer")
CAESARS_MOVE = Move(minuses=1, path="ooooooom")


@pytest.mark.rule("RT-1", "CR-10")
def test_caesar_benedict_diana_and_alma_act_in_the_order_of_the_track() -> None:
    board = race(
        chariot("blue", "outer-12"),
        chariot("red", "inner-16"),
        chariot("green", "middle-20"),
        chariot("yellow", "outer-16"),
    )

    assert [turn.colour for turn in order_of_turns(board)] == ["green", "red", "yellow", "blue"]


@pytest.mark.rule("RT-4", "CR-27", "CR-29", "CR-30", "CR-31", "CR-32", "CR-33")
def test_caesars_turn_is_told_as_in_the_rulebook() -> None:
    after, told = carry_out(CAESARS_TURN, CAESARS_MOVE)

    assert told == [
        SpeedSet(chariot="green", speed_before=6, pluses=1, minuses=1, sprints=1, speed=8, damage=1, damage_left=10),
        ChariotMoved(chariot="green", path=tuple(f"outer-{number}" for number in range(21, 28)), front=594),
        CornerTaken(chariot="green", space="outer-27", limit=7, speed=8, damage=1, damage_left=9),
        ChariotMoved(chariot="green", path=("middle-25",), front=600),
        CornerTaken(chariot="green", space="middle-25", limit=5, speed=8, damage=3, damage_left=6),
        ChariotRammed(
            chariot="green",
            rammed="yellow",
            space="middle-25",
            damage=2,
            damage_left=4,
            rammed_damage=2,
            rammed_damage_left=0,
        ),
        ChariotSetBack(chariot="green", behind="yellow", space="middle-23", front=552),
        ChariotWrecked(chariot="yellow", cause="ram", space="middle-25", caltrop=True, moment=1),
        MoveEnded(chariot="green", space="middle-23", attacks=0),
    ]
    assert (space_name(after, "green"), space_name(after, "blue")) == ("middle-23", "middle-24")
    assert (chariot_of(after, "green").speed, chariot_of(after, "green").damage_left) == (8, 4)
    assert chariot_of(after, "blue").damage_left == 12
    assert [after.track.names[space] for space in after.caltrops] == ["middle-25"]


@pytest.mark.rule("RT-4", "CR-64")
def test_caesars_move_is_offered_with_all_its_consequences() -> None:
    choices = RULES.legal_actions(CAESARS_TURN, RULES.decisions(CAESARS_TURN)[0])
    assert isinstance(choices, MoveChoices)

    offered = next(speed for speed in choices.speeds if speed.minuses == (1,))
    [offer] = [move for move in offered.moves if move.path == CAESARS_MOVE.path]

    assert (offered.speed, offer.space, offer.damage, offer.damage_left) == (8, "middle-23", 7, 4)
    assert offer.incidents == (
        Incident("sprint", 0, "outer-20", 1, 10),
        Incident("corner", 7, "outer-27", 1, 9),
        Incident("corner", 8, "middle-25", 3, 6),
        Incident("ram", 8, "middle-25", 2, 4, "yellow", 0),
        Incident("set_back", 8, "middle-23", 0, 4, "yellow"),
    )


@pytest.mark.rule("RT-4")
def test_a_preview_foresees_the_same() -> None:
    foreseen = RULES.preview(CAESARS_TURN, RULES.decisions(CAESARS_TURN)[0], CAESARS_MOVE)

    assert (foreseen.speed, foreseen.damage_left, foreseen.fate) == (8, 4, 3)
    assert foreseen.move is not None
    assert (foreseen.move.space, foreseen.move.front) == ("middle-23", 552)
