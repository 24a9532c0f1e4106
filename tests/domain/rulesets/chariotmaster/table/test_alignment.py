"""Turning flush after a contact, as far as there is room."""

import pytest

from domain.rulesets.chariotmaster.table.alignment import align, contact_point, flush_turn, squared_gap
from domain.rulesets.chariotmaster.table.geometry import is_within
from domain.rulesets.chariotmaster.table.shapes import Pose, polygons
from domain.rulesets.chariotmaster.table.travel import is_free, travel
from tests.domain.rulesets.chariotmaster.cases import CHARIOT, CM, MM, ON_FOOT, TEAM, Cases, obstacles_of
from tests.domain.rulesets.chariotmaster.default_course import WALLS

HOME = Pose(x_um=0, y_um=0, heading=0)
# Poses are whole micrometres on both sides: flush bases may be three of them apart.
HAIR_UM = 3


@pytest.mark.parametrize(
    ("heading", "target", "degrees"),
    [(0, 30, 30), (0, 44, 44), (0, 45, 45), (0, 46, -44), (10, 350, -20), (0, 270, 0), (359, 91, 2), (45, 0, 45)],
)
@pytest.mark.rule("CM-47")
def test_the_smaller_turn_is_chosen_and_of_equal_ones_the_left(heading: int, target: int, degrees: int) -> None:
    assert flush_turn(heading, target) == degrees


def test_a_chariot_that_ran_into_another_turns_flush_with_it_about_the_point_of_contact() -> None:
    cases = Cases(seed=50)
    aligned = 0
    while aligned < 300:
        pose = Pose(x_um=-12 * CM, y_um=0, heading=cases.number(-20, 20) % 360)
        target = obstacles_of(1, TEAM, cases.pose(2 * CM))
        met = travel(CHARIOT, pose, target, heading=pose.heading, distance_um=18 * CM)
        if len(met.contacts) != 1:
            continue
        aligned += 1
        part = met.contacts[0].part
        point = contact_point(polygons(CHARIOT, met.pose)[part], target[0].polygon)

        turned = align(CHARIOT, met.pose, target, part=part, target=target[0])

        assert turned.degrees == flush_turn(met.pose.heading, target[0].heading)
        assert (turned.pose.heading - target[0].heading) % 90 == 0
        assert is_free(CHARIOT, turned.pose, target)
        # The point of contact stays on both edges.
        fine = point[0] * 10**9, point[1] * 10**9
        bases = (polygons(CHARIOT, turned.pose)[part], target[0].polygon)
        assert all(squared_gap(fine, base) <= (2 * HAIR_UM * 10**9) ** 2 for base in bases)


def test_no_turn_is_smaller_than_the_one_that_aligns() -> None:
    for heading in range(90):
        degrees = flush_turn(0, heading)

        smaller = [turn for turn in range(-45, 46) if abs(turn) < abs(degrees) and (heading - turn) % 90 == 0]

        assert (heading - degrees) % 90 == 0
        assert not smaller


def test_alignment_by_hand() -> None:
    target = obstacles_of(1, TEAM, Pose(x_um=6 * CM, y_um=0, heading=30))
    met = travel(TEAM, HOME, target, heading=0, distance_um=9 * CM)

    turned = align(TEAM, met.pose, target, part=0, target=target[0])

    assert turned.degrees == 30
    assert is_within(polygons(TEAM, turned.pose)[0], target[0].polygon, limit_um=HAIR_UM)
    assert is_free(TEAM, turned.pose, target)


@pytest.mark.rule("CM-47")
def test_a_third_thing_in_the_way_ends_the_turn_short_of_it() -> None:
    target = obstacles_of(1, TEAM, Pose(x_um=6 * CM, y_um=0, heading=30))
    met = travel(TEAM, HOME, target, heading=0, distance_um=9 * CM)
    third = obstacles_of(2, ON_FOOT, Pose(x_um=met.pose.x_um + 5 * MM, y_um=17 * MM, heading=0))
    third += obstacles_of(3, ON_FOOT, Pose(x_um=met.pose.x_um - 5 * MM, y_um=-17 * MM, heading=0))

    turned = align(TEAM, met.pose, target + third, part=0, target=target[0])

    assert 0 < turned.degrees < 30
    assert {contact.obstacle[0] for contact in turned.contacts} <= {2, 3}
    assert is_free(TEAM, turned.pose, target + third)


def test_a_chariot_turns_flush_with_a_straight_wall() -> None:
    pose = Pose(x_um=0, y_um=0, heading=340)
    met = travel(CHARIOT, pose, WALLS, heading=340, distance_um=60 * CM)
    contact = met.contacts[0]
    wall = next(obstacle for obstacle in WALLS if obstacle.key == contact.obstacle)

    turned = align(CHARIOT, met.pose, WALLS, part=contact.part, target=wall)

    assert (turned.degrees, turned.pose.heading) == (20, 0)
    assert -10 * CM <= turned.pose.y_um - CM <= -10 * CM + HAIR_UM
    assert is_free(CHARIOT, turned.pose, WALLS)


def test_what_is_flush_already_is_left_alone() -> None:
    target = obstacles_of(1, TEAM, Pose(x_um=6 * CM, y_um=CM, heading=90))
    met = travel(CHARIOT, HOME, target, heading=0, distance_um=9 * CM)

    turned = align(CHARIOT, met.pose, target, part=0, target=target[0])

    assert (turned.pose, turned.degrees, turned.contacts) == (met.pose, 0, ())
