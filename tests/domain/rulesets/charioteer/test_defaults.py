"""The default action of a seat that did not choose in time."""

import pytest
from hypothesis import given, settings

from domain.rulesets.charioteer.actions import Move, Reset
from domain.rulesets.charioteer.board import Board
from tests.domain.rulesets.charioteer.boards import ADA, BOB, RULES, board, check, decision_for, driver
from tests.domain.rulesets.charioteer.test_choices import boards


def default(*hand: str, crowd: str = "whip", damage: int = 0, fan: tuple[str, ...] = ()) -> Move | Reset:
    on = board(driver(ADA, *hand, damage=damage, fan=fan), driver(BOB), crowd=crowd)
    return RULES.default_action(on, decision_for(on, ADA))


def plain(symbol: str, *cards: int, crowd: bool = False) -> Move:
    return Move(cards=cards, changed=None, crowd=crowd, discard=None, symbol=symbol, token=None)


@pytest.mark.rule("CH-94", "XG-05")
def test_the_longest_move_is_played_without_tokens_and_whips() -> None:
    hand = ("green-6 green-6 red-1", "green-6 green-6 red-3", "whip", "black-2 black-2 red-1")

    assert default(*hand, fan=("plus-3-green", "discard-2")) == plain("green-6", 0, 1)


@pytest.mark.rule("CH-94")
def test_the_crowd_card_is_used_where_it_makes_the_move_longer() -> None:
    hand = ("green-6 green-6 red-1", "green-6 green-6 red-3")

    assert default(*hand, crowd="green-6 green-6 black-0") == plain("green-6", 0, 1, crowd=True)


@pytest.mark.rule("CH-94")
def test_it_attacks_nobody_and_plays_a_part_of_an_attack_instead() -> None:
    hand = ("red-5 red-5 green-2", "red-5 red-5 yellow-4", "black-2 black-2 red-5")

    assert default(*hand) == plain("red-5", 0, 1)


@pytest.mark.rule("CH-94")
@pytest.mark.parametrize(
    ("hand", "chosen"),
    [
        # Seven points each, but with three cards and with two.
        (
            (
                "yellow-2 yellow-2 red-1",
                "black-1 black-1 yellow-2",
                "red-3 red-3 yellow-2",
                "red-1 red-1 green-4",
                "green-4 green-4 red-5",
            ),
            plain("green-4", 3, 4),
        ),
        # Then the colour: green before yellow, black and red.
        (
            ("yellow-4 yellow-4 red-1", "red-1 red-1 yellow-4", "green-4 green-4 red-3", "red-3 red-3 green-4"),
            plain("green-4", 2, 3),
        ),
        # Then the higher number.
        (
            ("green-4 green-4 red-1", "green-4 green-4 red-3", "red-1 red-1 green-6", "red-3 red-3 green-6"),
            plain("green-6", 2, 3),
        ),
        # Then the lowest draws.
        (
            (
                "green-4 green-4 red-1",
                "green-4 green-4 red-3",
                "green-4 green-4 yellow-0",
                "green-4 green-4 black-0",
            ),
            plain("green-4", 0, 1, 2),
        ),
    ],
)
def test_equally_long_moves_are_told_apart_in_a_fixed_order(hand: tuple[str, ...], chosen: Move) -> None:
    assert default(*hand) == chosen


@pytest.mark.rule("CH-94")
@pytest.mark.parametrize(("damage", "expected"), [(4, plain("green-4", 0, 1)), (5, Reset(cards=(0,), discard=None))])
def test_a_reset_is_played_when_damage_outweighs_the_move(damage: int, expected: Move | Reset) -> None:
    hand = ("green-4 green-4 red-1", "green-4 green-4 red-3")

    assert default(*hand, damage=damage) == expected


@pytest.mark.rule("CH-94", "CH-47")
def test_without_a_legal_move_the_card_of_the_lowest_draw_is_reset() -> None:
    assert default("green-2 green-2 red-1", "yellow-0 yellow-0 black-1") == Reset(cards=(0,), discard=None)


@pytest.mark.rule("CH-94", "XG-05")
@settings(deadline=None, max_examples=60)
@given(boards)
def test_the_default_is_legal_on_every_board(on: Board) -> None:
    chosen = RULES.default_action(on, decision_for(on, ADA))

    check(on, ADA, chosen)
    assert chosen.discard is None
    assert isinstance(chosen, Reset) or (chosen.token is None and chosen.changed is None)
