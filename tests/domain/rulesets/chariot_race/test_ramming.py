"""Effects of moving onto an occupied space, and their order."""

import pytest

from domain.ids import Seat
from domain.rulesets.chariot_race.actions import Move
from domain.rulesets.chariot_race.board import chariot_of, front_of
from domain.rulesets.chariot_race.outcomes import (
    ChariotMoved,
    ChariotRammed,
    ChariotSetBack,
    ChariotWrecked,
    LapUndone,
)
from tests.domain.rulesets.chariot_race.boards import (
    SAFE_HOME,
    SIDE_B,
    carry_out,
    chariot,
    names,
    race,
    space_name,
    with_dice,
)


@pytest.mark.rule("CR-31")
def test_moving_through_a_chariot_costs_both_two_damage_and_the_rammer_goes_on() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=3), chariot("red", "outer-17")), "attack")

    after, told = carry_out(board, Move(minuses=0, path="ooo"))

    assert told[1:] == [
        ChariotMoved(chariot="green", path=("outer-16", "outer-17"), front=360),
        ChariotRammed(
            chariot="green",
            rammed="red",
            space="outer-17",
            damage=2,
            damage_left=10,
            rammed_damage=2,
            rammed_damage_left=10,
        ),
        ChariotMoved(chariot="green", path=("outer-18",), front=384),
        told[4],
    ]
    assert (space_name(after, "green"), space_name(after, "red")) == ("outer-18", "outer-17")


@pytest.mark.rule("CR-31")
def test_ones_own_second_chariot_is_rammed_like_any_other() -> None:
    mine = chariot("white", "outer-17", seat=Seat(2))
    board = with_dice(race(chariot("green", "outer-15", speed=3), mine, chariot("red", "inner-9")), "attack")

    after, _ = carry_out(board, Move(minuses=0, path="ooo"))

    assert (chariot_of(after, "green").damage_left, chariot_of(after, "white").damage_left) == (10, 10)


@pytest.mark.rule("CR-32")
def test_ending_on_a_chariot_sets_the_rammer_back_over_others_unhurt() -> None:
    board = with_dice(
        race(chariot("green", "outer-15", speed=4), chariot("red", "outer-19"), chariot("blue", "outer-18")), "attack"
    )

    after, told = carry_out(board, Move(minuses=0, path="oooo"))

    # Blue was rammed on the way, once, and not again by the placement.
    assert chariot_of(after, "blue").damage_left == 10
    assert chariot_of(after, "red").damage_left == 10
    assert chariot_of(after, "green").damage_left == 8
    assert ChariotSetBack(chariot="green", behind="red", space="outer-17", front=360) in told


@pytest.mark.rule("CR-32")
def test_the_rammers_own_starting_space_counts_as_free() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=1), chariot("red", "outer-16")), "attack")

    after, _ = carry_out(board, Move(minuses=0, path="o"))

    assert space_name(after, "green") == "outer-15"


@pytest.mark.rule("CR-32", "RO-19")
def test_a_space_with_a_heap_is_never_free() -> None:
    # Heaps of side B: inner 13. Green comes from the middle lane onto red on inner 14.
    board = with_dice(race(chariot("green", "middle-15", speed=1), chariot("red", "inner-14"), options=SIDE_B), "steer")

    after, _ = carry_out(board, Move(minuses=0, path="i"))

    assert space_name(after, "green") == "inner-12"
    assert chariot_of(after, "green").status == "racing"


@pytest.mark.rule("CR-32", "RO-19")
def test_set_back_across_the_line_the_crossing_does_not_count() -> None:
    # Green has crossed (middle 1, second lap) and steers onto red on outer 2; outer 1 is taken too.
    board = with_dice(
        race(
            chariot("green", "middle-1", lap=1, speed=1),
            chariot("red", "outer-2", lap=1),
            chariot("blue", "outer-1", lap=1),
        ),
        "steer",
    )

    after, told = carry_out(board, Move(minuses=0, path="o"))

    assert space_name(after, "green") == "outer-40"
    assert front_of(after, chariot_of(after, "green")) == 864
    assert LapUndone(chariot="green", laps=0) in told


@pytest.mark.rule("CR-32")
def test_a_crossing_that_ends_set_back_behind_the_line_completes_no_lap() -> None:
    board = with_dice(race(chariot("green", "outer-39", speed=2), chariot("red", "outer-1", lap=1)), "attack")

    after, told = carry_out(board, Move(minuses=0, path="oo"))

    assert space_name(after, "green") == "outer-40"
    assert "LapCompleted" not in names(told)


@pytest.mark.rule("CR-33", "CR-62")
def test_the_rammer_is_placed_before_the_wreck_is_removed() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=2), chariot("red", "outer-17", damage_left=2)), "attack")

    after, told = carry_out(board, Move(minuses=0, path="oo"))

    assert names(told)[2:5] == ["ChariotRammed", "ChariotSetBack", "ChariotWrecked"]
    assert told[4] == ChariotWrecked(chariot="red", cause="ram", space="outer-17", caltrop=True, moment=1)
    assert space_name(after, "green") == "outer-16"
    assert [after.track.names[space] for space in after.caltrops] == ["outer-17"]


@pytest.mark.rule("CR-62", "RO-16")
def test_a_caltrop_where_the_rammer_is_placed_acts_last() -> None:
    board = with_dice(
        race(
            chariot("green", "middle-15", speed=1),
            chariot("red", "inner-14", damage_left=1),
            caltrops=("inner-13",),
        ),
        "steer",
    )

    after, told = carry_out(board, Move(minuses=0, path="i"))

    assert names(told)[2:6] == ["ChariotRammed", "ChariotSetBack", "ChariotWrecked", "CaltropHit"]
    assert chariot_of(after, "green").damage_left == 9
    assert [after.track.names[space] for space in after.caltrops] == ["inner-14"]


@pytest.mark.rule("RO-16", "CR-30")
def test_the_limit_of_a_corner_does_not_hold_for_the_placement() -> None:
    # Through the middle corner (8 above 5), then onto red in the outer one; outer 7, at most 7, lies behind red.
    board = with_dice(race(chariot("green", "middle-36", lap=-1, speed=8), chariot("red", "outer-8")), "steer")

    after, told = carry_out(board, Move(minuses=0, path="mmmmmmmo"))

    assert space_name(after, "green") == "outer-7"
    assert names(told).count("CornerTaken") == 1
    assert chariot_of(after, "green").damage_left == 12 - 3 - 2


@pytest.mark.rule("CR-62", "CR-67")
def test_a_double_wreck_is_one_moment_and_leaves_one_caltrop() -> None:
    board = with_dice(
        race(chariot("green", "outer-15", speed=2, damage_left=1), chariot("red", "outer-17", damage_left=2)), "attack"
    )

    after, told = carry_out(board, Move(minuses=0, path="oo"))

    wrecks = [sentence for sentence in told if isinstance(sentence, ChariotWrecked)]
    assert [(wreck.chariot, wreck.space, wreck.caltrop, wreck.moment) for wreck in wrecks] == [
        ("red", "outer-17", True, 1),
        ("green", "outer-17", False, 1),
    ]
    assert "ChariotSetBack" not in names(told)
    assert len(after.caltrops) == 1


@pytest.mark.rule("RO-17")
def test_passing_a_chariot_wrecked_by_the_ram_does_not_trigger_its_caltrop() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=3), chariot("red", "outer-17", damage_left=1)), "attack")

    after, told = carry_out(board, Move(minuses=0, path="ooo"))

    assert "CaltropHit" not in names(told)
    assert chariot_of(after, "green").damage_left == 10
    assert [after.track.names[space] for space in after.caltrops] == ["outer-17"]


@pytest.mark.rule("CR-62", "RO-16")
def test_placed_where_it_has_just_wrecked_another_the_rammer_meets_that_caltrop() -> None:
    board = with_dice(
        race(
            chariot("green", "outer-15", speed=3),
            chariot("red", "outer-17", damage_left=1),
            chariot("blue", "outer-18"),
        ),
        "attack",
    )

    after, told = carry_out(board, Move(minuses=0, path="ooo"))

    assert space_name(after, "green") == "outer-17"
    assert names(told)[-2:] == ["CaltropHit", "MoveEnded"]
    assert chariot_of(after, "green").damage_left == 12 - 2 - 2 - 1
    assert after.caltrops == ()


@pytest.mark.rule("RO-15")
def test_wrecked_on_an_occupied_space_the_rammer_leaves_its_caltrop_there() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=3, damage_left=2), chariot("red", "outer-17")), "attack")

    after, told = carry_out(board, Move(minuses=0, path="oo"))

    assert told[-1] == ChariotWrecked(chariot="green", cause="ram", space="outer-17", caltrop=True, moment=1)
    assert chariot_of(after, "red").damage_left == 10
    assert [after.track.names[space] for space in after.caltrops] == ["outer-17"]


@pytest.mark.rule("CR-61")
def test_a_space_is_entered_corner_first_then_caltrop_then_ram() -> None:
    board = with_dice(
        race(chariot("green", "outer-25", speed=8), chariot("red", "outer-27"), caltrops=("outer-27",)), "attack"
    )

    _, told = carry_out(board, Move(minuses=0, path="o" * 8))

    assert names(told)[1:6] == ["ChariotMoved", "CornerTaken", "CaltropHit", "ChariotRammed", "ChariotMoved"]


@pytest.mark.rule("CR-61")
def test_a_chariot_wrecked_before_the_ram_rams_nobody() -> None:
    board = with_dice(
        race(chariot("green", "outer-25", speed=8, damage_left=2), chariot("red", "outer-27"), caltrops=("outer-27",)),
        "attack",
    )

    after, told = carry_out(board, Move(minuses=0, path="oo"))

    assert names(told)[1:] == ["ChariotMoved", "CornerTaken", "CaltropHit", "ChariotWrecked"]
    assert told[-1].cause == "caltrop"
    assert chariot_of(after, "red").damage_left == 12


@pytest.mark.rule("CR-51", "CR-61", "RT-15", "CR-70")
def test_a_stone_heap_wrecks_at_once_and_its_caltrop_stands() -> None:
    board = with_dice(race(chariot("green", "inner-11", speed=3), chariot("red", "outer-9"), options=SIDE_B), "attack")

    after, told = carry_out(board, Move(minuses=0, path="ii"))

    assert names(told)[1:] == ["ChariotMoved", "HeapStruck", "ChariotWrecked"]
    assert told[-1] == ChariotWrecked(chariot="green", cause="heap", space="inner-13", caltrop=True, moment=1)
    assert [after.track.names[space] for space in after.caltrops] == ["inner-13"]


@pytest.mark.rule("CR-50")
def test_who_is_home_takes_nothing_from_a_ram_but_the_rammer_does() -> None:
    home = chariot("red", "outer-3", lap=2, is_home=True)
    board = with_dice(race(chariot("green", "outer-1", lap=2, speed=2), home, options=SAFE_HOME), "attack")

    after, told = carry_out(board, Move(minuses=0, path="oo"))

    [rammed] = [sentence for sentence in told if isinstance(sentence, ChariotRammed)]
    assert (rammed.damage, rammed.rammed_damage, rammed.rammed_damage_left) == (2, 0, 12)
    assert chariot_of(after, "green").damage_left == 10
    assert space_name(after, "green") == "outer-2"


@pytest.mark.rule("CR-50", "CR-42")
def test_without_the_variant_who_is_home_can_still_be_rammed() -> None:
    home = chariot("red", "outer-3", lap=2, is_home=True)
    board = with_dice(race(chariot("green", "outer-1", lap=2, speed=2), home), "attack")

    after, _ = carry_out(board, Move(minuses=0, path="oo"))

    assert chariot_of(after, "red").damage_left == 10


@pytest.mark.rule("CR-31")
def test_a_chariot_a_lap_ahead_stands_in_the_way_like_any_other() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=3), chariot("red", "outer-17", lap=1)), "attack")

    after, _ = carry_out(board, Move(minuses=0, path="ooo"))

    assert chariot_of(after, "red").damage_left == 10


@pytest.mark.rule("CR-61", "CR-36")
def test_a_chariot_wrecked_in_a_corner_leaves_the_caltrop_that_lies_there() -> None:
    green = chariot("green", "outer-25", speed=8, damage_left=1)
    board = with_dice(race(green, chariot("red", "inner-9"), caltrops=("outer-27",)), "attack")

    after, told = carry_out(board, Move(minuses=0, path="oo"))

    assert names(told)[1:] == ["ChariotMoved", "CornerTaken", "ChariotWrecked"]
    assert (told[-1].cause, told[-1].caltrop) == ("corner", False)
    assert [after.track.names[space] for space in after.caltrops] == ["outer-27"]
