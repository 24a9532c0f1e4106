"""Phase 5: the sum of the speed changes, the path, lane changes, corners and laps."""

import pytest

from domain.ruleset.chapter import WrongAction
from domain.rulesets.chariot_race.actions import Move, Pass
from domain.rulesets.chariot_race.board import chariot_of
from domain.rulesets.chariot_race.choices import MoveChoices
from domain.rulesets.chariot_race.components import Face
from domain.rulesets.chariot_race.outcomes import (
    ChariotMoved,
    CornerTaken,
    LapCompleted,
    MoveEnded,
    SpeedSet,
)
from domain.rulesets.chariot_race.rejections import IllegalPath, TooManyMinuses
from tests.domain.rulesets.chariot_race.boards import (
    RULES,
    answer,
    carry_out,
    chariot,
    names,
    race,
    space_name,
    with_dice,
)

RED = chariot("red", "inner-31")


@pytest.mark.rule("CR-27", "RT-3")
def test_a_sprint_at_speed_11_gives_12_and_still_one_damage() -> None:
    board = with_dice(race(chariot("green", "outer-35", lap=-1, speed=11), RED), "sprint")

    _, told = carry_out(board, Move(minuses=0, path="o" * 12))

    assert told[0] == SpeedSet(
        chariot="green",
        speed_before=11,
        pluses=0,
        minuses=0,
        sprints=1,
        speed=12,
        damage=1,
        damage_left=11,
    )


@pytest.mark.rule("CR-27", "RO-13", "RO-14")
@pytest.mark.parametrize(
    ("speed", "dice", "minuses", "expected"),
    [
        (12, ("plus_minus", "plus_minus"), 1, 12),  # the sum first, the cap then
        (12, ("plus_minus",), 0, 12),
        (4, ("plus_minus", "plus_minus", "plus_minus"), 2, 3),
        (1, ("plus_minus", "plus_minus", "plus_minus"), 3, 0),
        (1, ("plus_minus", "plus_minus", "sprint"), 2, 1),  # -1 and +2 in one sum: nothing is lost at 0
        (0, ("plus_minus",), 1, 0),
    ],
)
def test_all_changes_are_summed_before_the_pointer_moves(
    speed: int, dice: tuple[Face, ...], minuses: int, expected: int
) -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=speed), RED), *dice)

    after, _ = carry_out(board, Move(minuses=minuses, path="o" * expected))

    assert chariot_of(after, "green").speed == expected


@pytest.mark.rule("CR-27")
def test_every_plus_minus_die_counts_and_their_number_bounds_the_minuses() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=3), RED), "plus_minus", "plus_minus")
    choices = RULES.legal_actions(board, RULES.decisions(board)[0])

    with pytest.raises(TooManyMinuses, match="at most 2 minuses"):
        carry_out(board, Move(minuses=3, path="o"))

    assert isinstance(choices, MoveChoices)
    assert [(offered.minuses, offered.speed) for offered in choices.speeds] == [((0,), 5), ((1,), 3), ((2,), 1)]


@pytest.mark.rule("CR-27", "XG-04")
def test_minuses_that_lead_to_the_same_speed_are_offered_together() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=12), RED), "plus_minus", "sprint")

    choices = RULES.legal_actions(board, RULES.decisions(board)[0])

    assert isinstance(choices, MoveChoices)
    assert [(offered.minuses, offered.speed) for offered in choices.speeds] == [((0, 1), 12)]


@pytest.mark.rule("CR-27")
def test_sprint_damage_is_taken_at_once_and_its_wreck_neither_moves_nor_attacks() -> None:
    green = chariot("green", "outer-15", speed=3, damage_left=2)
    board = with_dice(race(green, RED), "sprint", "sprint", "attack")

    after, told = carry_out(board, Move(minuses=0, path=""))

    assert names(told) == ["SpeedSet", "ChariotWrecked"]
    assert (told[0].damage, told[0].damage_left) == (2, 0)
    assert (told[1].cause, told[1].space) == ("sprint", "outer-15")
    assert chariot_of(after, "green").status == "wrecked"
    with pytest.raises(IllegalPath, match="the path to end where the chariot is wrecked"):
        carry_out(board, Move(minuses=0, path="o"))


@pytest.mark.rule("CR-28")
def test_a_chariot_advances_exactly_its_speed() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=4), RED), "attack")

    _, told = carry_out(board, Move(minuses=0, path="oooo"))

    assert told[1] == ChariotMoved(chariot="green", path=("outer-16", "outer-17", "outer-18", "outer-19"), front=408)
    assert told[2] == MoveEnded(chariot="green", space="outer-19", attacks=1)
    for path in ("", "ooo", "ooooo"):
        with pytest.raises(IllegalPath):
            carry_out(board, Move(minuses=0, path=path))


@pytest.mark.rule("CR-28", "RO-13")
def test_at_speed_0_a_chariot_stays() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=0), RED), "steer", "attack")

    after, told = carry_out(board, Move(minuses=0, path=""))

    assert names(told) == ["SpeedSet", "MoveEnded"]
    assert space_name(after, "green") == "outer-15"


@pytest.mark.rule("CR-29")
def test_a_lane_change_costs_a_point_of_speed_and_a_steer_each() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=3), RED), "steer", "steer")

    _, told = carry_out(board, Move(minuses=0, path="moo"))

    # Outer 15 ends at 312, as middle 13 does: the next ones ahead are middle 14, then outer 17 and 18.
    assert told[1].path == ("middle-14", "outer-17", "outer-18")


@pytest.mark.rule("CR-29")
@pytest.mark.parametrize(
    ("dice", "path", "said"),
    [
        (("attack",), "mmm", 'expected one of o, found m after ""'),
        (("steer",), "mom", 'expected one of m, found o after "m"'),
        (("steer", "steer"), "ioo", 'expected one of o, m, found i after ""'),
        (("steer",), "oomo", 'expected the path to end with the speed, found o after "oom"'),
    ],
)
def test_a_path_leads_only_where_steers_allow(dice: tuple[Face, ...], path: str, said: str) -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=3), RED), *dice)

    with pytest.raises(IllegalPath, match=said):
        carry_out(board, Move(minuses=0, path=path))


@pytest.mark.rule("CR-29", "RT-17")
def test_no_steer_has_to_be_used() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=3), RED), "steer", "steer", "steer")

    after, _ = carry_out(board, Move(minuses=0, path="ooo"))

    assert space_name(after, "green") == "outer-18"


@pytest.mark.rule("CR-30", "RO-5")
@pytest.mark.parametrize(("space", "lane", "limit"), [("inner-4", "i", 3), ("middle-4", "m", 5), ("outer-4", "o", 7)])
@pytest.mark.parametrize("speed", [3, 4, 9])
def test_a_corner_costs_a_damage_for_each_point_above_its_number(space: str, lane: str, limit: int, speed: int) -> None:
    board = with_dice(race(chariot("green", space, speed=speed), RED), "fortuna")

    after, told = carry_out(board, Move(minuses=0, path=lane * speed))

    damage = max(0, speed - limit)
    assert chariot_of(after, "green").damage_left == 12 - damage
    assert [sentence.damage for sentence in told if isinstance(sentence, CornerTaken)] == [damage] * (damage > 0)


@pytest.mark.rule("CR-30")
def test_ending_in_the_corner_counts_and_starting_in_it_does_not() -> None:
    ending = with_dice(race(chariot("green", "outer-20", speed=7), RED), "sprint")
    starting = with_dice(race(chariot("green", "outer-27", speed=7), RED), "sprint")

    ended, _ = carry_out(
        with_dice(race(chariot("green", "outer-18", speed=9), RED), "fortuna"), Move(minuses=0, path="o" * 9)
    )
    passed, _ = carry_out(ending, Move(minuses=0, path="o" * 9))
    left, _ = carry_out(starting, Move(minuses=0, path="o" * 9))

    assert space_name(ended, "green") == "outer-27"
    assert chariot_of(ended, "green").damage_left == 10
    assert chariot_of(passed, "green").damage_left == 12 - 1 - 2
    assert chariot_of(left, "green").damage_left == 12 - 1


@pytest.mark.rule("CR-30")
def test_every_numbered_space_counts_anew_by_the_speed_of_the_turn() -> None:
    board = with_dice(race(chariot("green", "outer-20", speed=8), RED), "steer")

    _, told = carry_out(board, Move(minuses=0, path="ooooooom"))

    corners = [
        (sentence.space, sentence.damage, sentence.speed) for sentence in told if isinstance(sentence, CornerTaken)
    ]
    assert corners == [("outer-27", 1, 8), ("middle-25", 3, 8)]


@pytest.mark.rule("CR-61", "CR-36")
def test_a_path_ends_where_the_chariot_is_wrecked() -> None:
    board = with_dice(race(chariot("green", "inner-4", speed=9, damage_left=6), RED), "steer")

    after, told = carry_out(board, Move(minuses=0, path="iii"))

    assert names(told) == ["SpeedSet", "ChariotMoved", "CornerTaken", "ChariotWrecked"]
    assert (told[3].cause, told[3].space) == ("corner", "inner-7")
    assert [after.track.names[space] for space in after.caltrops] == ["inner-7"]
    with pytest.raises(IllegalPath, match="the path to end where the chariot is wrecked"):
        carry_out(board, Move(minuses=0, path="i" * 9))


@pytest.mark.rule("CR-12")
def test_the_crossing_at_the_start_does_not_count() -> None:
    board = with_dice(race(chariot("green", "outer-40", lap=-1, speed=4), RED), "attack")

    _, told = carry_out(board, Move(minuses=0, path="oooo"))

    assert "LapCompleted" not in names(told)


@pytest.mark.rule("CR-12")
@pytest.mark.parametrize(("lap", "laps"), [(0, 1), (1, 2)])
def test_each_later_crossing_completes_a_lap(lap: int, laps: int) -> None:
    board = with_dice(race(chariot("green", "outer-38", lap=lap, speed=4), RED), "attack")

    _, told = carry_out(board, Move(minuses=0, path="oooo"))

    assert LapCompleted(chariot="green", laps=laps, beyond_line_units=48) in told


@pytest.mark.rule("CR-12")
def test_ending_on_the_last_space_before_the_line_completes_nothing() -> None:
    board = with_dice(race(chariot("green", "outer-38", speed=2), RED), "attack")

    _, told = carry_out(board, Move(minuses=0, path="oo"))

    assert "LapCompleted" not in names(told)


@pytest.mark.rule("CR-64")
def test_only_a_move_answers_the_question() -> None:
    board = with_dice(race(chariot("green", "outer-15"), RED), "attack")

    with pytest.raises(WrongAction):
        carry_out(board, Pass())


@pytest.mark.rule("XG-04")
def test_a_move_without_a_choice_is_not_asked() -> None:
    board = with_dice(race(chariot("green", "outer-15", fate=0), RED), "sprint", phase="reroll")

    after, told = answer(board, Pass())

    assert after.turn is not None
    assert after.turn.chariot == "red"
    assert "ChariotMoved" in names(told)


@pytest.mark.rule("CR-65")
@pytest.mark.parametrize(
    ("space", "speed", "dice", "expected"),
    [
        # Least damage: speed 7 passes the corner of the outer lane only; equal ends, so the first of the alphabet.
        ("middle-4", 7, ("steer",), "mmooooo"),
        # Speed nearest 6, the higher on a tie.
        ("outer-15", 6, ("plus_minus",), "ooooooo"),
        # Equally far, so the fewest lane changes.
        ("outer-15", 6, ("steer",), "oooooo"),
        # Two changes lead back, or to the inner lane, no further ahead.
        ("middle-13", 6, ("steer", "steer"), "mmmmmm"),
        # In the corner the inner lane is further ahead after as many spaces.
        ("middle-8", 2, ("steer",), "ii"),
    ],
)
def test_who_is_absent_drives_with_care(space: str, speed: int, dice: tuple[Face, ...], expected: str) -> None:
    board = with_dice(race(chariot("green", space, speed=speed), RED), *dice)

    assert RULES.default_action(board, RULES.decisions(board)[0]) == Move(minuses=0, path=expected)


@pytest.mark.rule("CR-65")
def test_who_is_absent_would_rather_take_any_damage_than_be_wrecked() -> None:
    # Straight on it rams red, whose two damage wreck it; aside a caltrop costs one of two.
    green = chariot("green", "outer-15", speed=1, damage_left=2)
    board = with_dice(race(green, chariot("red", "outer-16"), caltrops=("middle-14",)), "steer")

    assert RULES.default_action(board, RULES.decisions(board)[0]) == Move(minuses=0, path="m")


@pytest.mark.rule("CR-65")
def test_who_is_absent_rather_takes_the_same_damage_without_a_ram() -> None:
    green = chariot("green", "outer-15", speed=2)
    board = race(green, chariot("red", "outer-16"), caltrops=("middle-14", "middle-15"))

    default = RULES.default_action(with_dice(board, "steer"), RULES.decisions(with_dice(board, "steer"))[0])

    assert default == Move(minuses=0, path="mm")


@pytest.mark.rule("CR-65")
def test_who_is_absent_prefers_the_inner_lane_when_all_else_is_equal() -> None:
    # Straight on lies a caltrop; both lanes aside are clear, and equally far.
    board = with_dice(race(chariot("green", "middle-13", speed=1), RED, caltrops=("middle-14",)), "steer")

    assert RULES.default_action(board, RULES.decisions(board)[0]) == Move(minuses=0, path="i")
