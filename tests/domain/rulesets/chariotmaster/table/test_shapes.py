"""Bases and their corners: pivots that can be taken back, and who is level with whom."""

import pytest

from domain.rulesets.chariotmaster.table.shapes import (
    HINGES,
    Hinge,
    Pose,
    Shape,
    hinge_offset,
    is_level,
    opposite,
    pivoted,
    polygons,
    shifted,
    side_edge,
)
from domain.rulesets.chariotmaster.table.sines import FINE
from tests.domain.rulesets.chariotmaster.cases import CHARIOT, CM, DRAGGING, ON_FOOT, SHAPES, TEAM, Cases

HOME = Pose(x_um=0, y_um=0, heading=0)
AXLE = (-CM, -CM)


def test_horses_stand_in_front_of_the_body_and_share_an_edge_with_it() -> None:
    horses, body = polygons(CHARIOT, Pose(x_um=5, y_um=7, heading=37))

    assert horses.corners[1:3] == (body.corners[0], body.corners[3])


def test_a_dragged_driver_is_centred_behind_the_horses() -> None:
    horses, driver = DRAGGING.parts

    assert (horses.front_um, horses.rear_um) == (15_000, -5_000)
    assert (driver.front_um, driver.rear_um, driver.left_um, driver.right_um) == (-5_000, -15_000, 5_000, -5_000)


@pytest.mark.parametrize("hinge", HINGES)
def test_a_pivot_and_its_reverse_restore_the_pose(hinge: Hinge) -> None:
    cases = Cases(seed=30)
    for _ in range(500):
        shape, pose, degrees = cases.shape(), cases.pose(100 * CM), cases.number(-180, 180)

        there = pivoted(shape, pose, hinge, degrees)

        assert pivoted(shape, there, hinge, -degrees) == pose


def test_turning_in_steps_ends_where_turning_at_once_does() -> None:
    cases = Cases(seed=31)
    for _ in range(300):
        pose, first, second = cases.pose(100 * CM), cases.number(-90, 90), cases.number(-90, 90)

        once = pivoted(CHARIOT, pose, "rear_left", first + second)

        assert pivoted(CHARIOT, pivoted(CHARIOT, pose, "rear_left", first), "rear_left", second) == once


@pytest.mark.parametrize("shape", SHAPES)
def test_a_pivot_leaves_its_corner_where_it_was(shape: Shape) -> None:
    cases = Cases(seed=32)
    for hinge in HINGES:
        pose = cases.pose(100 * CM)
        turned = pivoted(shape, pose, hinge, cases.number(-180, 180))
        before, after = hinge_offset(shape, hinge, pose.heading), hinge_offset(shape, hinge, turned.heading)

        assert (pose.x_um + before[0], pose.y_um + before[1]) == (turned.x_um + after[0], turned.y_um + after[1])


def test_a_quarter_turn_about_the_front_left_corner_by_hand() -> None:
    turned = pivoted(CHARIOT, HOME, "front_left", 90)

    assert turned == Pose(x_um=3 * CM, y_um=-CM, heading=90)


def test_a_base_set_down_behind_itself_touches_itself() -> None:
    behind = shifted(Pose(x_um=10, y_um=20, heading=90), ahead_um=-4 * CM, left_um=CM)

    assert behind == Pose(x_um=10 - CM, y_um=20 - 4 * CM, heading=90)
    assert opposite(behind.heading) == 270


@pytest.mark.rule("MO-24")
@pytest.mark.parametrize("x_um", [-CM // 2, -CM, -3 * CM // 2])
def test_an_axle_is_level_with_what_its_line_crosses(x_um: int) -> None:
    driver = polygons(ON_FOOT, Pose(x_um=x_um, y_um=5 * CM, heading=0))[0]

    assert is_level(HOME, AXLE, driver)


@pytest.mark.parametrize("x_um", [-CM // 2 + 1, -3 * CM // 2 - 1])
def test_an_axle_is_not_level_with_what_lies_before_or_behind_its_line(x_um: int) -> None:
    driver = polygons(ON_FOOT, Pose(x_um=x_um, y_um=5 * CM, heading=0))[0]

    assert not is_level(HOME, AXLE, driver)


def test_being_level_does_not_depend_on_where_one_faces() -> None:
    for heading in range(360):
        pose = Pose(x_um=3, y_um=4, heading=heading)
        beside = shifted(pose, ahead_um=-CM, left_um=3 * CM)
        ahead = shifted(pose, ahead_um=2 * CM, left_um=3 * CM)

        assert is_level(pose, AXLE, polygons(TEAM, beside)[0])
        assert not is_level(pose, AXLE, polygons(TEAM, ahead)[0])


def test_side_edges_run_along_the_whole_base() -> None:
    left, front = side_edge(CHARIOT, HOME, "left"), side_edge(CHARIOT, HOME, "front")
    right = side_edge(CHARIOT, HOME, "right")

    assert left.corners == ((-2 * CM * FINE, CM * FINE), (2 * CM * FINE, CM * FINE))
    assert right.corners == ((-2 * CM * FINE, -CM * FINE), (2 * CM * FINE, -CM * FINE))
    assert front.corners == ((2 * CM * FINE, CM * FINE), (2 * CM * FINE, -CM * FINE))


@pytest.mark.parametrize("heading", range(0, 360, 7))
def test_a_base_is_level_with_its_own_ends_and_no_further(heading: int) -> None:
    pose = Pose(x_um=7 * CM, y_um=-9 * CM, heading=heading)
    body = polygons(CHARIOT, pose)[1]

    assert is_level(pose, (-2 * CM, -2 * CM), body)
    assert is_level(pose, (0, 0), body)
    assert not is_level(pose, (-2 * CM - 1, -2 * CM - 1), body)
    assert not is_level(pose, (1, 1), body)
