"""Objects of a course: what running into one or across it costs, and chariots out of control beside one."""

from typing import Any

import pytest

from domain.rulesets.chariotmaster.offers.course_picture import draw_course
from domain.rulesets.chariotmaster.race.board import object_piece, team_piece
from domain.rulesets.chariotmaster.race.outcomes import PieceMoved, PiecesCollided, PointsLost, TurnEnded
from domain.rulesets.chariotmaster.race.racetrack import Arena, build_arena
from domain.rulesets.chariotmaster.turn.attacks import list_attacks
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade
from domain.rulesets.chariotmaster.turn.runaway import begin_uncontrolled
from tests.domain.rulesets.chariotmaster.after_turns import NO_REINS
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, pose_at, table
from tests.domain.rulesets.chariotmaster.own_components import BOX
from tests.domain.rulesets.chariotmaster.race.test_courses import block, oval

FIRST = object_piece(0)
# The front of the horses is 2 cm before an obstacle of 2 cm.
START = pose_at(160)


def course(*, y_mm: int = 0, wall_dice: int | None = None, **changes: Any) -> Arena:
    return build_arena(BOX, oval(block(210, y_mm, **changes), wall_dice=wall_dice))


def charge(arena: Arena, *faces: int, distance_mm: int = 120, heading: int = 0) -> LoadedScript:
    script = LoadedScript(table(chariot_at(0, START)), faces=faces)
    cascade = begin_cascade(script, arena, name="t1")
    cascade.drive(team_piece(0), heading=heading, distance_um=distance_mm * 1_000, reason="moved")
    script.assert_done()
    return script


def lost(script: LoadedScript) -> list[str]:
    return [loss.kind for loss in script.told(PointsLost)]


def way_mm(script: LoadedScript) -> int:
    return sum(int(moved.distance_um) for moved in script.told(PieceMoved)) // 1_000


@pytest.mark.rule("CM-141", "T3", "T6")
def test_a_big_obstacle_rolls_its_own_dice_and_never_moves() -> None:
    script = charge(course(dice=3), 6, 6, 1, 1, 5)

    (met,) = script.told(PiecesCollided)
    assert (met.target, met.target_part, len(met.target_faces)) == (FIRST, "high_obstacle", 3)
    assert lost(script) == ["stamina"]
    assert way_mm(script) == 20


@pytest.mark.rule("CM-141", "T5")
def test_a_small_obstacle_is_run_across_and_costs_what_its_course_states() -> None:
    script = charge(course(height="low", dice=0, loses="health"), 1, 1)

    assert script.told(PiecesCollided)[0].target_part == "low_obstacle"
    assert lost(script) == ["health"]
    assert way_mm(script) == 120


@pytest.mark.rule("CM-141", "T5")
def test_the_extra_damage_of_running_through_does_nothing_to_an_obstacle() -> None:
    script = charge(course(height="low", dice=0), 6, 6)

    assert script.told(PiecesCollided)[0].bounce == 4
    assert lost(script) == []
    assert way_mm(script) == 120


@pytest.mark.rule("CM-114", "CM-140")
@pytest.mark.parametrize("dice", [0, 5])
def test_walls_roll_the_dice_of_their_course(dice: int) -> None:
    # A die chooses the horses of the two parts that touch at once.
    script = charge(course(y_mm=60, wall_dice=dice), 1, 1, 1, *[1] * dice, heading=270, distance_mm=150)

    assert len(script.told(PiecesCollided)[0].target_faces) == dice


@pytest.mark.rule("CM-62", "CM-141")
def test_a_chariot_out_of_control_goes_round_an_obstacle_for_two_stamina() -> None:
    arena = course(height="low")
    script = LoadedScript(table(chariot_at(0, START, **NO_REINS)))

    begin_uncontrolled(script, arena, chariot=0, token=10)

    assert [moved.reason for moved in script.told(PieceMoved)].count("swerved") == 2
    assert lost(script) == ["stamina", "stamina"]
    assert not script.told(PiecesCollided)


@pytest.mark.rule("CM-62", "CM-141")
@pytest.mark.parametrize(("height", "faces", "end"), [("low", (1, 1, 1, 1), "ran_on"), ("high", (6, 6, 1), "ran_on")])
def test_a_chariot_out_of_control_that_finds_no_way_round_crosses_a_low_fence_and_brakes_at_a_high_one(
    height: str, faces: tuple[int, ...], end: str
) -> None:
    arena = course(height=height, width_mm=198)
    script = LoadedScript(table(chariot_at(0, START, **NO_REINS)), faces=faces)

    begin_uncontrolled(script, arena, chariot=0, token=10)

    script.assert_done()
    assert bool(script.told(PiecesCollided)) == (height == "low")
    assert script.told(TurnEnded)[0].reason == end


@pytest.mark.rule("CM-50", "CM-141")
def test_an_obstacle_beside_the_axle_is_not_attacked() -> None:
    arena = course(y_mm=20, height="low")
    board = table(chariot_at(0, pose_at(210)), chariot_at(1, pose_at(-100)))

    assert list_attacks(arena, LoadedScript(board).board) == ()


@pytest.mark.rule("CM-141")
def test_the_picture_of_a_course_names_its_obstacles_as_outcomes_do() -> None:
    (item,) = draw_course(course(height="low", loses="skill")).objects

    assert (item.piece, item.height, item.dice, item.loses) == (FIRST, "low", 2, "skill")
    assert (item.pose.x_um, item.length_um, item.width_um) == (210_000, 20_000, 20_000)
