"""Phase 6: caltrops behind oneself, javelins all around."""

import pytest

from domain.ids import Seat
from domain.ruleset.chapter import WrongAction
from domain.rulesets.chariot_race.actions import DropCaltrop, Move, Pass, Repair, ThrowJavelin
from domain.rulesets.chariot_race.board import Board, Chariot, chariot_of
from domain.rulesets.chariot_race.choices import AttackChoices, Target
from domain.rulesets.chariot_race.components import Face
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import CaltropDropped, CaltropHit, ChariotWrecked, JavelinThrown, TurnEnded
from domain.rulesets.chariot_race.rejections import JavelinOutOfRange, NoCaltropThere
from tests.domain.rulesets.chariot_race.boards import (
    BASIC,
    RULES,
    SAFE_HOME,
    SIDE_B,
    answer,
    carry_out,
    chariot,
    names,
    owed_question,
    race,
    with_dice,
)

FAR = chariot("red", "inner-31")
# Every space but the first and the last of a move through outer 16 to 19.
MOVED = ("outer-16", "outer-17", "outer-18")


def moved(*others: Chariot, attacks: int = 1, options: RaceOptions = BASIC, caltrops: tuple[str, ...] = ()) -> Board:
    """Move green from outer 15 at speed 4, with some attack faces."""
    board = race(chariot("green", "outer-15", speed=4), *others, options=options, caltrops=caltrops)
    face: Face = "attack"
    return carry_out(with_dice(board, *(face,) * attacks), Move(minuses=0, path="oooo"))[0]


def choices(board: Board) -> AttackChoices:
    offered = RULES.legal_actions(board, RULES.decisions(board)[0])
    assert isinstance(offered, AttackChoices)
    return offered


@pytest.mark.rule("CR-34")
def test_a_caltrop_is_dropped_on_a_space_moved_through_but_not_the_first_or_last() -> None:
    board = moved(FAR)

    after, told = carry_out(board, DropCaltrop(space="outer-17"))

    assert choices(board).spaces == MOVED
    assert told == [CaltropDropped(chariot="green", space="outer-17")]
    assert [after.track.names[space] for space in after.caltrops] == ["outer-17"]
    for space in ("outer-15", "outer-19", "outer-20", "middle-14", "nowhere-1"):
        with pytest.raises(NoCaltropThere, match=f"found {space}"):
            carry_out(board, DropCaltrop(space=space))


@pytest.mark.rule("CR-34", "RO-20")
def test_set_back_neither_the_end_of_the_move_nor_the_space_stood_on_takes_a_caltrop() -> None:
    board = moved(chariot("red", "outer-19"), chariot("blue", "outer-17"), chariot("yellow", "outer-18"))

    # Green ended on outer 19 and stands on outer 16; blue's and yellow's spaces were moved through.
    assert choices(board).spaces == ("outer-17", "outer-18")


@pytest.mark.rule("RO-20")
def test_a_caltrop_under_a_chariot_hurts_nobody_until_somebody_enters() -> None:
    board = moved(chariot("red", "outer-17"))

    after, told = carry_out(board, DropCaltrop(space="outer-17"))

    assert "CaltropHit" not in names(told)
    assert chariot_of(after, "red").damage_left == 10


@pytest.mark.rule("CR-34")
def test_a_space_has_one_caltrop_at_most() -> None:
    once, _ = carry_out(moved(FAR, attacks=2), DropCaltrop(space="outer-17"))

    assert choices(once).spaces == ("outer-16", "outer-18")
    with pytest.raises(NoCaltropThere):
        carry_out(once, DropCaltrop(space="outer-17"))


@pytest.mark.rule("CR-34")
def test_an_empty_supply_allows_no_drop() -> None:
    spaces = tuple(f"inner-{number}" for number in range(1, 21))

    board = moved(FAR, chariot("blue", "outer-20"), caltrops=spaces)

    assert board.caltrops_left == 0
    assert choices(board).spaces == ()
    with pytest.raises(NoCaltropThere, match="expected one of no spaces"):
        carry_out(board, DropCaltrop(space="outer-17"))


@pytest.mark.rule("CR-35")
@pytest.mark.parametrize("path", ["ooo", "oo", "o"])
def test_a_caltrop_costs_one_damage_and_returns_to_the_supply(path: str) -> None:
    board = race(chariot("green", "outer-15", speed=len(path)), FAR, caltrops=("outer-16",))

    after, told = carry_out(with_dice(board, "attack"), Move(minuses=0, path=path))

    assert CaltropHit(chariot="green", space="outer-16", damage=1, damage_left=11) in told
    assert after.caltrops_left == 20


@pytest.mark.rule("CR-35")
def test_a_caltrop_does_not_know_its_owner() -> None:
    dropped, _ = carry_out(moved(FAR, attacks=1), DropCaltrop(space="outer-18"))
    behind = race(chariot("green", "outer-17", speed=1), FAR, caltrops=("outer-18",))

    after, _ = carry_out(with_dice(behind, "attack"), Move(minuses=0, path="o"))

    assert dropped.caltrops == behind.caltrops
    assert chariot_of(after, "green").damage_left == 11


@pytest.mark.rule("CR-34", "RT-14", "RO-18")
@pytest.mark.parametrize(
    ("space", "distance"),
    [
        ("outer-17", 2),  # two behind
        ("outer-18", 1),
        ("outer-21", 2),
        ("middle-17", 1),  # side by side: outer 19 and middle 17 end at 408
        ("middle-18", 1),  # diagonal
        ("middle-16", 1),
        ("middle-19", 2),
        ("inner-15", 2),
        ("inner-14", 2),
    ],
)
def test_a_javelin_reaches_two_spaces_in_any_direction(space: str, distance: int) -> None:
    board = race(chariot("green", "outer-19", speed=0), chariot("red", space))
    board, _ = carry_out(with_dice(board, "attack"), Move(minuses=0, path=""))

    after, told = carry_out(board, ThrowJavelin(chariot="red"))

    assert choices(board).targets == (Target(chariot="red", distance=distance, damage_left=11),)
    assert told == [JavelinThrown(chariot="green", target="red", distance=distance, damage=1, target_damage_left=11)]
    assert chariot_of(after, "red").damage_left == 11


@pytest.mark.rule("CR-34", "RT-14", "RO-18")
@pytest.mark.parametrize("space", ["outer-22", "outer-16", "middle-20", "inner-18", "middle-14"])
def test_a_javelin_does_not_reach_three(space: str) -> None:
    board = race(chariot("green", "outer-19", speed=0), chariot("red", space), chariot("blue", "outer-20"))
    board, _ = carry_out(with_dice(board, "attack"), Move(minuses=0, path=""))

    with pytest.raises(JavelinOutOfRange, match="expected one of blue, found red"):
        carry_out(board, ThrowJavelin(chariot="red"))


@pytest.mark.rule("CR-34")
def test_a_javelin_flies_over_chariots_and_caltrops() -> None:
    board = race(
        chariot("green", "outer-19", speed=0),
        chariot("red", "outer-21"),
        chariot("blue", "outer-20"),
        caltrops=("outer-20", "middle-18"),
    )
    board, _ = carry_out(with_dice(board, "attack"), Move(minuses=0, path=""))

    after, _ = carry_out(board, ThrowJavelin(chariot="red"))

    assert chariot_of(after, "red").damage_left == 11
    assert len(after.caltrops) == 2


@pytest.mark.rule("CR-34", "RO-18")
def test_a_javelin_is_thrown_across_the_line_and_from_where_the_thrower_stands() -> None:
    board = race(
        chariot("green", "outer-39", speed=2),
        chariot("red", "outer-1", lap=1),
        chariot("blue", "outer-38"),
    )
    board, _ = carry_out(with_dice(board, "attack"), Move(minuses=0, path="oo"))

    # Set back to outer 40: red is one space ahead, blue two behind.
    assert [(target.chariot, target.distance) for target in choices(board).targets] == [("blue", 2), ("red", 1)]


@pytest.mark.rule("CR-34", "CR-64")
def test_each_attack_face_attacks_once_and_attacks_mix() -> None:
    board = moved(chariot("red", "outer-21"), attacks=2)

    once, _ = answer(board, ThrowJavelin(chariot="red"))
    twice, told = answer(once, DropCaltrop(space="outer-18"))

    assert (choices(board).attacks_left, choices(once).attacks_left) == (2, 1)
    assert TurnEnded(chariot="green") in told
    assert chariot_of(twice, "red").damage_left == 11


@pytest.mark.rule("CR-34")
def test_attacks_come_only_after_the_whole_move() -> None:
    board = with_dice(race(chariot("green", "outer-15"), chariot("red", "outer-16")), "attack", "steer")

    with pytest.raises(WrongAction):
        carry_out(board, ThrowJavelin(chariot="red"))
    with pytest.raises(WrongAction):
        carry_out(moved(chariot("red", "outer-20")), Repair())


@pytest.mark.rule("CR-34", "XG-05", "CR-65")
def test_no_attack_is_forced_and_who_is_absent_attacks_nobody() -> None:
    board = moved(chariot("red", "outer-21"))

    assert RULES.default_action(board, RULES.decisions(board)[0]) == Pass()
    assert carry_out(board, Pass())[1] == [TurnEnded(chariot="green")]


@pytest.mark.rule("XG-04")
def test_an_attack_face_without_anything_to_attack_is_not_asked_about() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=1, fate=0), FAR), "attack", phase="reroll")

    after, told = answer(board, Pass())

    assert "MoveEnded" in names(told)
    assert owed_question(after) != "attack"
    assert TurnEnded(chariot="green") in told


@pytest.mark.rule("CR-34", "CR-36")
def test_a_javelin_wrecks_and_the_wreck_leaves_a_caltrop() -> None:
    board = moved(chariot("red", "outer-21", damage_left=1), chariot("blue", "inner-1"))

    after, told = carry_out(board, ThrowJavelin(chariot="red"))

    assert told[1] == ChariotWrecked(chariot="red", cause="javelin", space="outer-21", caltrop=True, moment=1)
    assert [after.track.names[space] for space in after.caltrops] == ["outer-21"]


@pytest.mark.rule("CR-34")
def test_ones_own_second_chariot_is_in_range_like_any_other() -> None:
    board = moved(chariot("white", "outer-21", seat=Seat(2)), FAR)

    assert [target.chariot for target in choices(board).targets] == ["white"]


@pytest.mark.rule("CR-50")
def test_no_javelin_hits_who_is_home() -> None:
    home = chariot("red", "outer-21", lap=2, is_home=True)

    safe = moved(home, options=SAFE_HOME)
    unsafe = moved(home)

    assert choices(safe).targets == ()
    assert [target.chariot for target in choices(unsafe).targets] == ["red"]


@pytest.mark.rule("CR-34", "CR-51")
def test_whoever_enters_a_heap_attacks_no_more() -> None:
    board = race(chariot("green", "outer-17", speed=4), FAR, options=SIDE_B)

    after, told = carry_out(with_dice(board, "attack", "attack"), Move(minuses=0, path="ooo"))

    assert told[-1].cause == "heap"
    assert owed_question(after) is None
