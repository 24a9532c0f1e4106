"""The fast geometry against the slow one, and the cases one can see without either."""

from fractions import Fraction

import pytest

from domain.rulesets.chariotmaster.table.geometry import build_segment, find_meeting, is_within, overlaps
from domain.rulesets.chariotmaster.table.shapes import Pose, polygons
from domain.rulesets.chariotmaster.table.sines import FINE
from tests.domain.rulesets.chariotmaster.cases import CM, MM, ON_FOOT, TEAM, WRECK, Cases
from tests.domain.rulesets.chariotmaster.slow_geometry import area_shared, first_overlap, rectangle, squared_gap

HOME = Pose(x_um=0, y_um=0, heading=0)


def test_overlaps_gaps_and_meetings_agree_with_the_oracle(poses: int) -> None:
    cases = Cases(seed=20)
    met = 0
    for _ in range(poses):
        pose, other = cases.pose(3 * CM), cases.pose(3 * CM)
        if cases.number(0, 3) == 0:
            other = Pose(x_um=other.x_um, y_um=other.y_um, heading=pose.heading)
        heading = pose.heading if cases.number(0, 2) else cases.number(0, 359)
        mover, target = polygons(TEAM, pose)[0], polygons(ON_FOOT, other)[0]
        slow, slow_target = rectangle(TEAM.parts[0], pose), rectangle(ON_FOOT.parts[0], other)

        shared = area_shared(slow, slow_target) > 0
        assert overlaps(mover, target) == shared
        limit_um = cases.number(0, CM)
        assert is_within(mover, target, limit_um=limit_um) == (squared_gap(slow, slow_target) <= limit_um**2)
        if shared:
            continue
        distance_um = cases.number(CM, 9 * CM)
        found = find_meeting(mover, target, heading=heading, distance_um=distance_um)
        expected = first_overlap(slow, slow_target, heading=heading, distance_um=distance_um)
        assert (Fraction(found.over, found.under) if found else None) == expected
        met += found is not None
    assert met > poses // 10


def test_a_step_before_a_meeting_nothing_overlaps_and_a_step_after_it_does() -> None:
    cases = Cases(seed=21)
    met = 0
    while met < 200:
        pose, other = Pose(x_um=-8 * CM, y_um=0, heading=cases.number(0, 359)), cases.pose(2 * CM)
        target = polygons(WRECK, other)[0]
        found = find_meeting(polygons(TEAM, pose)[0], target, heading=0, distance_um=15 * CM)
        if found is None:
            continue
        met += 1

        before = Pose(x_um=pose.x_um + found.distance_um, y_um=0, heading=pose.heading)
        after = Pose(x_um=before.x_um + 1, y_um=0, heading=pose.heading)
        assert not overlaps(polygons(TEAM, before)[0], target)
        assert overlaps(polygons(TEAM, after)[0], target)


def test_bases_that_touch_do_not_overlap() -> None:
    beside = Pose(x_um=0, y_um=2 * CM, heading=0)
    closer = Pose(x_um=0, y_um=2 * CM - 1, heading=0)

    assert not overlaps(polygons(TEAM, HOME)[0], polygons(TEAM, beside)[0])
    assert overlaps(polygons(TEAM, HOME)[0], polygons(TEAM, closer)[0])


def test_slack_forgives_an_overlap_of_just_its_depth() -> None:
    by_two, by_three = Pose(x_um=0, y_um=2 * CM - 2, heading=0), Pose(x_um=0, y_um=2 * CM - 3, heading=0)

    assert not overlaps(polygons(TEAM, HOME)[0], polygons(TEAM, by_two)[0], slack_um=2)
    assert overlaps(polygons(TEAM, HOME)[0], polygons(TEAM, by_three)[0], slack_um=2)


@pytest.mark.rule("CM-112")
@pytest.mark.parametrize("gap_um", [0, MM - 1, MM])
def test_touching_means_a_gap_of_a_millimetre_at_most(gap_um: int) -> None:
    beside = Pose(x_um=0, y_um=2 * CM + gap_um, heading=0)
    beyond = Pose(x_um=0, y_um=2 * CM + MM + 1, heading=0)

    assert is_within(polygons(TEAM, HOME)[0], polygons(TEAM, beside)[0], limit_um=MM)
    assert not is_within(polygons(TEAM, HOME)[0], polygons(TEAM, beyond)[0], limit_um=MM)


def test_a_wall_is_met_where_it_stands_and_not_from_beyond_its_end() -> None:
    wall = build_segment((5 * CM * FINE, -CM * FINE), (5 * CM * FINE, CM * FINE))
    high = Pose(x_um=0, y_um=2 * CM, heading=0)

    met = find_meeting(polygons(TEAM, HOME)[0], wall, heading=0, distance_um=10 * CM)
    past = find_meeting(polygons(TEAM, high)[0], wall, heading=0, distance_um=10 * CM)

    assert met is not None
    assert met.distance_um == 4 * CM
    assert past is not None
    assert past.is_graze


def test_walls_agree_with_the_oracle_as_the_thinnest_of_bases(poses: int) -> None:
    cases = Cases(seed=22)
    met = 0
    for _ in range(poses // 2):
        pose, heading = cases.pose(2 * CM), cases.number(0, 359)
        start = cases.number(-6 * CM, 6 * CM), cases.number(-6 * CM, 6 * CM)
        end = start[0] + cases.number(1, 4 * CM), start[1] + cases.number(-4 * CM, 4 * CM)
        wall = build_segment((start[0] * FINE, start[1] * FINE), (end[0] * FINE, end[1] * FINE))
        mover = polygons(TEAM, pose)[0]
        if overlaps(mover, wall):
            continue
        # A sliver a thousandth of a micrometre thick stands in for the wall: contacts differ by less than a micrometre
        # or two, or one of the two only just passes the end.
        sliver = Fraction(1, 1_000)
        thin = [(Fraction(x), Fraction(y)) for x, y in (start, end)]
        thin += [(thin[1][0] - sliver, thin[1][1] + sliver), (thin[0][0] - sliver, thin[0][1] + sliver)]
        if (end[0] - start[0]) + (end[1] - start[1]) <= 0:
            thin = thin[::-1]
        found = find_meeting(mover, wall, heading=heading, distance_um=9 * CM)
        expected = first_overlap(rectangle(TEAM.parts[0], pose), thin, heading=heading, distance_um=9 * CM)

        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert abs(Fraction(found.over, found.under) - expected) < 1
            met += 1
    assert met > poses // 30
