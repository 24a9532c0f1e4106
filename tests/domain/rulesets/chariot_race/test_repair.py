"""Phases 1 and 2: a repair for Fate, and the speed that the damage still allows."""

import pytest

from domain.ruleset.chapter import WrongAction
from domain.rulesets.chariot_race.actions import Move, Pass, Repair, Reroll
from domain.rulesets.chariot_race.board import chariot_of
from domain.rulesets.chariot_race.choices import RepairChoices
from domain.rulesets.chariot_race.outcomes import ChariotRepaired, DiceThrown, SpeedAdjusted
from domain.rulesets.chariot_race.rejections import RepairNotPossible
from tests.domain.rulesets.chariot_race.boards import (
    ALTERNATE,
    RULES,
    answer,
    carry_out,
    chariot,
    owed_question,
    race,
    with_dice,
)

RED = chariot("red", "inner-9")


@pytest.mark.rule("CR-20", "RT-9")
@pytest.mark.parametrize(("damage_left", "repaired"), [(11, 12), (10, 12), (9, 12), (8, 11), (1, 4)])
def test_three_fate_repair_up_to_three_damage(damage_left: int, repaired: int) -> None:
    board = race(chariot("green", "outer-9", damage_left=damage_left, fate=3), RED)

    after, told = carry_out(board, Repair())

    assert told[0] == ChariotRepaired(chariot="green", repaired=repaired - damage_left, damage_left=repaired, fate=0)
    assert chariot_of(after, "green").damage_left == repaired


@pytest.mark.rule("CR-20", "RT-10")
@pytest.mark.parametrize(("damage_left", "fate"), [(11, 2), (1, 0), (12, 3), (12, 6)])
def test_no_repair_without_three_fate_or_without_damage(damage_left: int, fate: int) -> None:
    board = race(chariot("green", "outer-9", damage_left=damage_left, fate=fate), RED)

    with pytest.raises(RepairNotPossible, match=f"found Fate {fate}, Damage {damage_left} of 12"):
        carry_out(board, Repair())


@pytest.mark.rule("CR-20")
def test_a_repair_is_offered_with_what_it_leads_to() -> None:
    board = race(chariot("green", "outer-9", damage_left=10, fate=4), RED)

    choices = RULES.legal_actions(board, RULES.decisions(board)[0])

    assert choices == RepairChoices(damage_left=12, fate=1)


@pytest.mark.rule("CR-20", "CR-64")
def test_a_turn_has_one_repair_at_most_and_the_dice_fall_after_it() -> None:
    board = race(chariot("green", "outer-9", damage_left=3, fate=6), RED)

    after, _ = answer(board, Repair())

    assert owed_question(after) == "reroll"
    with pytest.raises(WrongAction):
        carry_out(after, Repair())


@pytest.mark.rule("CR-20")
def test_only_a_repair_or_none_answers_the_question() -> None:
    board = race(chariot("green", "outer-9", damage_left=3, fate=6), RED)

    with pytest.raises(WrongAction):
        carry_out(board, Reroll(dice=(0,)))


@pytest.mark.rule("CR-21", "CR-22", "RT-2")
def test_speed_9_with_damage_6_becomes_speed_6_with_four_dice() -> None:
    board = race(chariot("blue", "outer-9", damage_left=6, speed=9), RED)

    after, told = carry_out(board, Pass())

    assert told[0] == SpeedAdjusted(chariot="blue", speed_before=9, speed=6, damage_left=6)
    assert told[1] == DiceThrown(chariot="blue", throw="first", dice=(0, 1, 2, 3), fate=3)
    assert chariot_of(after, "blue").speed == 6


@pytest.mark.rule("CR-21")
def test_a_repair_counts_before_the_speed_is_adjusted() -> None:
    board = race(chariot("blue", "outer-9", damage_left=6, speed=9), RED)

    after, _ = carry_out(board, Repair())

    assert chariot_of(after, "blue").speed == 9


@pytest.mark.rule("CR-21")
def test_a_speed_that_the_damage_allows_stays() -> None:
    board = race(chariot("blue", "outer-9", damage_left=6, speed=6), RED)

    _, told = carry_out(board, Pass())

    assert not any(isinstance(sentence, SpeedAdjusted) for sentence in told)


@pytest.mark.rule("CR-55", "RT-5")
@pytest.mark.parametrize(
    ("damage_left", "speed", "adjusted"), [(8, 11, 10), (8, 10, 10), (8, 9, 9), (10, 12, 12), (5, 12, 6)]
)
def test_where_two_speeds_share_a_step_the_higher_one_stays(damage_left: int, speed: int, adjusted: int) -> None:
    green = chariot("green", "outer-9", options=ALTERNATE, damage_left=damage_left, speed=speed)
    board = race(green, RED, options=ALTERNATE)

    after, _ = carry_out(board, Pass())

    assert chariot_of(after, "green").speed == adjusted


@pytest.mark.rule("CR-65")
@pytest.mark.parametrize(("damage_left", "expected"), [(6, Repair()), (7, Pass())])
def test_who_is_absent_repairs_from_damage_6_downwards(damage_left: int, expected: Pass | Repair) -> None:
    board = race(chariot("green", "outer-9", damage_left=damage_left), RED)

    assert RULES.default_action(board, RULES.decisions(board)[0]) == expected


@pytest.mark.rule("XG-04")
def test_a_repair_that_is_not_possible_is_not_asked() -> None:
    board = with_dice(race(RED, chariot("green", "outer-9", damage_left=12, fate=6)), "sprint")

    after, _ = answer(board, Move(minuses=0, path="iiiiiiii"))

    assert after.turn is not None
    assert after.turn.chariot == "green"
    assert owed_question(after) == "reroll"
