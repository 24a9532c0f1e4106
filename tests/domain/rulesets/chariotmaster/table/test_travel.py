"""Moves among others: no overlap at rest, no way too long, a stop at the first contact."""

from hashlib import sha256

import pytest

from domain.rulesets.chariotmaster.table.shapes import HINGES, Hinge, Pose, Shape, pivoted, polygons, shifted
from domain.rulesets.chariotmaster.table.travel import Contact, Obstacle, is_free, settle, travel, turn
from tests.domain.rulesets.chariotmaster.cases import CHARIOT, CM, MM, ON_FOOT, TEAM, Cases, crowd, obstacles_of
from tests.domain.rulesets.chariotmaster.default_course import GRID, WALLS
from tests.domain.rulesets.chariotmaster.slow_geometry import area_shared, first_overlap, rectangle

HOME = Pose(x_um=0, y_um=0, heading=0)
# The digest of 400 moves on crowded tables: the same on every version of Python and on every machine.
GOLDEN = "ec73171f958c2612e602c6b48a2363cdaab328b89488ce1424588ba015ff3769"

Stood = list[tuple[Shape, Pose]]


def others_of(stood: Stood, mover: int) -> tuple[Obstacle, ...]:
    return tuple(
        obstacle
        for number, (shape, pose) in enumerate(stood)
        if number != mover
        for obstacle in obstacles_of(number, shape, pose)
    )


def first_stop(stood: Stood, mover: int, *, heading: int, distance_um: int) -> int | None:
    """Ask the oracle for the whole micrometres before the first contact with any part of any other base."""
    shape, pose = stood[mover]
    meetings = [
        first_overlap(
            rectangle(part, pose), rectangle(other_part, other_pose), heading=heading, distance_um=distance_um
        )
        for number, (other_shape, other_pose) in enumerate(stood)
        if number != mover
        for part in shape.parts
        for other_part in other_shape.parts
    ]
    return min((int(met) for met in meetings if met is not None), default=None)


def shares_area(stood: Stood) -> bool:
    return any(
        area_shared(rectangle(part, pose), rectangle(other_part, other_pose))
        for number, (shape, pose) in enumerate(stood)
        for other_shape, other_pose in stood[:number]
        for part in shape.parts
        for other_part in other_shape.parts
    )


def beside_heading(cases: Cases, pose: Pose) -> int:
    """Return a heading: ahead, to a side or back three times in four, as chariots drive."""
    return (pose.heading + 90 * cases.number(0, 3)) % 360 if cases.number(0, 3) else cases.number(0, 359)


def test_every_move_stops_where_the_oracle_says(poses: int) -> None:
    cases = Cases(seed=40)
    stopped = 0
    for _ in range(poses // 6):
        stood = crowd(cases, size=4, reach_um=5 * CM)
        shape, pose = stood[0]
        heading, distance_um = beside_heading(cases, pose), cases.number(1, 18 * CM)

        went = travel(shape, pose, others_of(stood, 0), heading=heading, distance_um=distance_um)

        stop_um = first_stop(stood, 0, heading=heading, distance_um=distance_um)
        assert went.distance_um == (distance_um if stop_um is None else stop_um)
        assert bool(went.contacts) == (stop_um is not None)
        stopped += stop_um is not None
    assert stopped > poses // 24


def test_moving_on_and_on_never_leads_onto_anything_nor_too_far() -> None:
    cases = Cases(seed=41)
    for _ in range(40):
        stood = crowd(cases, size=5, reach_um=6 * CM)
        for _ in range(40):
            mover = cases.number(0, 4)
            shape, pose = stood[mover]
            distance_um = cases.number(1, 5 * CM)
            went = travel(
                shape, pose, others_of(stood, mover), heading=beside_heading(cases, pose), distance_um=distance_um
            )
            stood[mover] = (shape, went.pose)

            way_squared = (went.pose.x_um - pose.x_um) ** 2 + (went.pose.y_um - pose.y_um) ** 2
            assert way_squared <= went.distance_um**2 <= distance_um**2
            assert went.pose.heading == pose.heading
            assert is_free(shape, went.pose, others_of(stood, mover))
        assert not shares_area(stood)


def test_a_turn_never_ends_on_anything_and_a_free_one_is_just_a_pivot() -> None:
    cases = Cases(seed=42)
    blocked = 0
    for _ in range(300):
        stood = crowd(cases, size=4, reach_um=4 * CM)
        shape, pose = stood[0]
        hinge, degrees = HINGES[cases.number(0, 4)], cases.number(1, 45) * (1 - 2 * cases.number(0, 1))

        turned = turn(shape, pose, others_of(stood, 0), hinge=hinge, degrees=degrees)

        assert is_free(shape, turned.pose, others_of(stood, 0))
        assert turned.degrees == degrees or turned.contacts
        assert 0 <= turned.degrees * (1 if degrees > 0 else -1) <= abs(degrees)
        plain = pivoted(shape, pose, hinge, turned.degrees)
        assert abs(turned.pose.x_um - plain.x_um) + abs(turned.pose.y_um - plain.y_um) <= 5
        blocked += turned.degrees != degrees
    assert 30 < blocked < 270


def test_the_order_in_which_obstacles_are_listed_does_not_matter() -> None:
    cases = Cases(seed=43)
    for _ in range(60):
        stood = crowd(cases, size=5, reach_um=6 * CM)
        shape, pose = stood[0]
        others = others_of(stood, 0)
        mixed = tuple(sorted(others, key=lambda _: cases.number(0, 10**6)))
        heading, degrees = beside_heading(cases, pose), cases.number(-45, -1)

        assert travel(shape, pose, others, heading=heading, distance_um=9 * CM) == travel(
            shape, pose, mixed, heading=heading, distance_um=9 * CM
        )
        assert turn(shape, pose, others, hinge="centre", degrees=degrees) == turn(
            shape, pose, mixed, hinge="centre", degrees=degrees
        )


@pytest.mark.parametrize("heading", range(360))
def test_a_chariot_slides_along_another_in_every_direction(heading: int) -> None:
    home = Pose(x_um=123, y_um=-456, heading=heading)
    start = shifted(home, ahead_um=-10 * CM, left_um=7 * CM)
    others = obstacles_of(0, CHARIOT, home)
    level = travel(CHARIOT, start, others, heading=heading, distance_um=10 * CM)

    beside = travel(CHARIOT, level.pose, others, heading=heading - 90, distance_um=7 * CM)
    along = travel(CHARIOT, beside.pose, others, heading=heading, distance_um=15 * CM)
    back = travel(CHARIOT, along.pose, others, heading=heading + 180, distance_um=15 * CM)

    # The first way ends a micrometre beside the line by rounding, so that contact comes at 5 cm, give or take two.
    assert abs(beside.distance_um - 5 * CM) <= 2
    assert beside.contacts
    assert (along.distance_um, along.contacts) == (15 * CM, ())
    assert (back.distance_um, back.contacts) == (15 * CM, ())
    assert is_free(CHARIOT, back.pose, others)


def test_a_head_on_move_stops_to_the_micrometre() -> None:
    target = obstacles_of(7, TEAM, Pose(x_um=6 * CM, y_um=0, heading=90))

    went = travel(CHARIOT, HOME, target, heading=0, distance_um=10 * CM)

    assert (went.distance_um, went.pose) == (3 * CM, Pose(x_um=3 * CM, y_um=0, heading=0))
    assert went.contacts == (Contact(obstacle=(7, 0), part=0),)


def test_coming_just_up_to_something_is_no_contact() -> None:
    target = obstacles_of(7, TEAM, Pose(x_um=6 * CM, y_um=0, heading=90))

    went = travel(CHARIOT, HOME, target, heading=0, distance_um=3 * CM)

    assert (went.distance_um, went.contacts) == (3 * CM, ())


def test_two_things_met_at_the_same_micrometre_are_both_named() -> None:
    target = obstacles_of(8, ON_FOOT, Pose(x_um=5 * CM, y_um=CM // 2, heading=0))
    target += obstacles_of(5, ON_FOOT, Pose(x_um=5 * CM, y_um=-CM // 2, heading=180))

    went = travel(CHARIOT, HOME, target, heading=0, distance_um=10 * CM)

    assert [contact.obstacle for contact in went.contacts] == [(5, 0), (8, 0)]


def test_a_side_sweep_touches_with_horses_and_body_at_once() -> None:
    target = obstacles_of(3, CHARIOT, Pose(x_um=CM, y_um=5 * CM, heading=0))

    went = travel(CHARIOT, HOME, target, heading=90, distance_um=6 * CM)

    assert went.distance_um == 3 * CM
    assert [(contact.obstacle, contact.part) for contact in went.contacts] == [((3, 0), 0), ((3, 1), 0), ((3, 1), 1)]


@pytest.mark.parametrize("hinge", HINGES)
def test_a_chariot_flush_between_two_others_cannot_turn(hinge: Hinge) -> None:
    others = obstacles_of(0, CHARIOT, shifted(HOME, ahead_um=0, left_um=2 * CM))
    others += obstacles_of(1, CHARIOT, shifted(HOME, ahead_um=0, left_um=-2 * CM))

    turned = turn(CHARIOT, HOME, others, hinge=hinge, degrees=10)

    assert (turned.pose, turned.degrees) == (HOME, 0)
    assert turned.contacts


def test_a_base_that_bites_into_another_by_a_hair_is_set_straight_and_deeper_ones_are_not() -> None:
    others = obstacles_of(0, TEAM, HOME)
    hair, deep = Pose(x_um=0, y_um=2 * CM - 2, heading=0), Pose(x_um=0, y_um=2 * CM - 20, heading=0)

    assert settle(TEAM, hair, others) == Pose(x_um=0, y_um=2 * CM, heading=0)
    assert settle(TEAM, deep, others) is None


def test_a_gap_a_hair_too_narrow_stops_the_mover_where_it_begins() -> None:
    others = obstacles_of(0, TEAM, Pose(x_um=6 * CM, y_um=2 * CM - 1, heading=0))
    others += obstacles_of(1, TEAM, Pose(x_um=6 * CM, y_um=-2 * CM + 1, heading=0))

    went = travel(TEAM, HOME, others, heading=0, distance_um=6 * CM)

    assert went.distance_um == 4 * CM
    assert {contact.obstacle for contact in went.contacts} == {(0, 0), (1, 0)}
    assert is_free(TEAM, went.pose, others)


def test_nothing_leaves_the_circus() -> None:
    cases = Cases(seed=44)
    pose = GRID[0][3]
    for _ in range(400):
        heading = beside_heading(cases, pose)
        went = travel(CHARIOT, pose, WALLS, heading=heading, distance_um=cases.number(MM, 18 * CM))
        turned = turn(CHARIOT, went.pose, WALLS, hinge=HINGES[cases.number(0, 4)], degrees=cases.number(-45, 44) or 45)
        pose = turned.pose

        assert is_free(CHARIOT, pose, WALLS)
        x_um = max(abs(pose.x_um) - 30 * CM, 0)
        assert (2 * CM) ** 2 < x_um**2 + (pose.y_um - 12 * CM) ** 2 < (22 * CM) ** 2


def test_moves_come_to_the_same_bytes_everywhere() -> None:
    cases = Cases(seed=45)
    digest = sha256()
    for _ in range(20):
        stood = crowd(cases, size=4, reach_um=6 * CM)
        for _ in range(20):
            mover = cases.number(0, 3)
            shape, pose = stood[mover]
            went = travel(
                shape, pose, others_of(stood, mover), heading=cases.number(0, 359), distance_um=cases.number(1, 9 * CM)
            )
            turned = turn(
                shape, went.pose, others_of(stood, mover), hinge=HINGES[cases.number(0, 4)], degrees=cases.number(1, 45)
            )
            stood[mover] = (shape, turned.pose)
            digest.update(f"{went.distance_um},{turned.pose.x_um},{turned.pose.y_um},{turned.degrees};".encode())

    assert digest.hexdigest() == GOLDEN


def test_a_crowd_shares_no_area_by_the_corners_of_its_bases() -> None:
    stood = crowd(Cases(seed=46), size=5, reach_um=6 * CM)
    corners = [part.corners for shape, pose in stood for part in polygons(shape, pose)]

    assert len(corners) >= 5
    assert not shares_area(stood)
