"""The preview of a move, before it is played."""

import pytest

from domain.rulesets.charioteer.previews import MovePreview, ResetPreview
from domain.rulesets.charioteer.rejections import TooFewMatchingCards
from tests.domain.rulesets.charioteer.boards import ADA, BOB, RULES, board, decision_for, driver, fan, move, reset


def test_a_preview_says_how_a_distance_is_made_up_and_what_else_is_certain() -> None:
    hand = ("red-1 red-1 shield", "red-1 red-1 green-2", "whip")
    on = board(
        driver(ADA, *hand, damage=3, skills=(0, 4, 1, 2), fan=("recovery",)), driver(BOB), crowd="red-1 red-1 black-0",
        emperor="attack",
    )  # fmt: skip

    shown = RULES.preview(on, decision_for(on, ADA), move("red-1", 0, 1, 2, crowd=True, token=fan(0)))

    assert shown == MovePreview(
        symbols=6,
        number=1,
        token=0,
        skill=1,
        damage=1,
        distance=7,
        recoveries=1,
        damage_removed=2,
        is_shielded=True,
        whip_steps_max=5,
        attack=1,
        skill_place=6,
        earns_fan_token=True,
    )


def test_a_preview_of_a_reset_says_what_it_clears() -> None:
    on = board(driver(ADA, damage=4, attacked=2), driver(BOB))

    shown = RULES.preview(on, decision_for(on, ADA), reset(0))

    assert shown == ResetPreview(damage_removed=4, attack_boxes_emptied=2)


def test_a_preview_of_what_is_not_legal_is_refused_with_the_reason() -> None:
    on = board(driver(ADA, "red-5 red-5 green-2"), driver(BOB))

    with pytest.raises(TooFewMatchingCards):
        RULES.preview(on, decision_for(on, ADA), move("red-5", 0))
