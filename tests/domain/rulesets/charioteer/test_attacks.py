"""Attacks, cubes, shields: who is hit, and which shields keep cubes out."""

import pytest

from domain.rulesets.charioteer.outcomes import BoxesClosed, ChariotCalmed, DamageTaken
from tests.domain.rulesets.charioteer.boards import ADA, BOB, CAI, DOT, Turn, board, driver, fan, move, reset

RED = ("red-5 red-5 green-2", "red-5 red-5 yellow-4", "red-5 red-5 black-2")
OTHER_RED = ("red-3 red-3 green-2", "red-3 red-3 yellow-4", "red-3 red-3 black-2")
ALONE = 30


def attacks(turn: Turn) -> list[DamageTaken]:
    return [event for event in turn.tell(DamageTaken) if event.attacker is not None]


@pytest.mark.rule("CH-41", "XG-03")
def test_three_red_cards_put_one_cube_on_every_rival_in_seat_order() -> None:
    on = board(driver(CAI, *RED, progress=ALONE), driver(DOT), driver(BOB), driver(ADA))

    turn = Turn(on, {CAI: move("red-5", 20, 21, 22)})

    assert [(event.seat, event.cubes, event.cause) for event in attacks(turn)] == [
        (ADA, 1, "minor_attack"),
        (BOB, 1, "minor_attack"),
        (DOT, 1, "minor_attack"),
    ]


@pytest.mark.rule("CH-41")
def test_an_attack_strikes_also_when_damage_keeps_the_attacker_where_it_is() -> None:
    on = board(driver(ADA, *RED, progress=ALONE, damage=40), driver(BOB))

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2)})

    assert turn.driver(ADA).progress == ALONE
    assert [event.cubes for event in attacks(turn)] == [1]


@pytest.mark.rule("CH-41", "CO-17")
def test_the_crowd_card_counts_toward_an_attack() -> None:
    on = board(driver(ADA, *RED, progress=ALONE), driver(BOB), crowd="red-5 red-5 yellow-0")

    turn = Turn(on, {ADA: move("red-5", 0, 1, crowd=True)})

    assert [event.cause for event in attacks(turn)] == ["minor_attack"]


@pytest.mark.rule("CH-65")
def test_a_chariot_takes_three_new_cubes_a_turn_and_the_rest_is_ignored() -> None:
    on = board(
        driver(ADA, *RED, progress=ALONE),
        driver(BOB, *OTHER_RED),
        driver(CAI, attacked=1),
        crowd="red-5 red-5 yellow-0",
    )

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2, crowd=True), BOB: move("red-3", 10, 11, 12)})

    struck = [(event.cubes, event.ignored, event.ignored_because) for event in attacks(turn) if event.seat == CAI]
    assert struck == [(2, 0, None), (0, 1, "boxes_full")]
    assert turn.driver(CAI).damage == 3


@pytest.mark.rule("CH-66", "CH-67")
def test_new_cubes_do_not_slow_the_turn_they_arrive_in_but_the_next() -> None:
    on = board(driver(ADA, *RED, progress=ALONE), driver(BOB, *OTHER_RED, progress=20))

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2), BOB: move("red-3", 10, 11)})

    assert turn.driver(BOB).progress == 20 + 7
    assert (turn.driver(BOB).damage, turn.driver(BOB).attacked) == (1, 0)


@pytest.mark.rule("CH-45", "CH-67", "CH-91")
def test_a_reset_clears_everything_and_takes_nothing_before_or_after() -> None:
    on = board(driver(ADA, *RED, progress=ALONE), driver(BOB, *OTHER_RED, progress=40, damage=4, attacked=2))

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2), BOB: reset(10, 11)})

    assert turn.one(BoxesClosed) == BoxesClosed(seat=BOB, reason="reset", removed=2)
    assert turn.one(ChariotCalmed) == ChariotCalmed(seat=BOB, removed=4)
    assert [(event.ignored, event.ignored_because) for event in attacks(turn)] == [(1, "reset")]
    assert (turn.driver(BOB).damage, turn.driver(BOB).progress) == (0, 40)


@pytest.mark.rule("CH-70", "CH-61")
def test_a_shield_takes_back_what_the_emperor_gave_and_leaves_the_damage_box() -> None:
    on = board(driver(ADA, *RED, progress=ALONE, damage=2, attacked=2, fan=("shield",)), driver(BOB, attacked=2))

    turn = Turn(on, {ADA: move("red-5", 0, 1, token=fan(0))})

    assert turn.one(BoxesClosed) == BoxesClosed(seat=ADA, reason="shield", removed=2)
    assert (turn.driver(ADA).damage, turn.driver(BOB).damage) == (2, 2)


@pytest.mark.rule("CH-70", "CO-15")
def test_a_shield_on_the_crowd_card_protects_each_who_uses_it_and_nobody_else() -> None:
    hand = ("red-1 red-1 green-2", "red-1 red-1 yellow-4")
    on = board(driver(ADA, *RED, progress=ALONE), driver(BOB, *hand), driver(CAI), crowd="red-1 red-1 shield")

    turn = Turn(on, {ADA: move("red-5", 0, 1, 2), BOB: move("red-1", 10, crowd=True)})

    assert [(event.seat, event.cubes) for event in attacks(turn)] == [(BOB, 0), (CAI, 1)]


@pytest.mark.rule("CH-70")
def test_several_shields_are_one_and_the_protection_ends_with_the_turn() -> None:
    hand = ("red-1 red-1 shield", "red-1 red-1 yellow-4")
    on = board(driver(ADA, *hand, fan=("shield",)), driver(BOB))

    turn = Turn(on, {ADA: move("red-1", 0, 1, token=fan(0))})

    assert len(turn.tell(BoxesClosed)) == 1
    assert not turn.driver(ADA).is_closed
