"""The starting grid, and courses that have no room for one."""

from itertools import pairwise

import pytest

from domain.rulesets.chariotmaster.table.course import UnfitCourse, build_course
from domain.rulesets.chariotmaster.table.grid import build_grid
from domain.rulesets.chariotmaster.table.shapes import shifted
from domain.rulesets.chariotmaster.table.travel import is_free
from tests.domain.rulesets.chariotmaster.cases import CHARIOT, CM, MM, obstacles_of
from tests.domain.rulesets.chariotmaster.default_course import COURSE, GRID, OVAL, WALLS


@pytest.mark.rule("CM-111")
def test_seven_chariots_fit_in_each_of_two_rows_with_their_noses_on_the_line() -> None:
    noses = [[shifted(pose, ahead_um=2 * CM, left_um=0).x_um for pose in row] for row in GRID]

    assert noses == [[0] * 7, [-45 * MM] * 7]
    assert {pose.heading for row in GRID for pose in row} == {0}


def test_places_count_outwards_from_the_inner_wall_with_half_a_centimetre_between() -> None:
    middles_um = [pose.y_um for pose in GRID[0]]

    assert middles_um[0] == 10 * CM - 5 * MM - CM
    assert all(inner - outer == 25 * MM for inner, outer in pairwise(middles_um))


def test_nobody_starts_on_anything() -> None:
    places = [pose for row in GRID for pose in row]
    bases = [obstacles_of(number, CHARIOT, pose) for number, pose in enumerate(places)]
    for number, pose in enumerate(places):
        others = [obstacle for other in bases[:number] + bases[number + 1 :] for obstacle in other]

        assert is_free(CHARIOT, pose, [*others, *WALLS])


def test_a_track_too_narrow_for_six_is_refused() -> None:
    with pytest.raises(UnfitCourse) as refusal:
        build_grid(build_course(OVAL, width_um=15 * CM), CHARIOT, gap_um=5 * MM)

    assert refusal.value.found == "room for 5"


def test_a_course_without_a_straight_before_the_line_is_refused() -> None:
    turned = build_course((*OVAL[-1:], *OVAL[:-1]), width_um=20 * CM)

    assert build_grid(COURSE, CHARIOT, gap_um=5 * MM)
    with pytest.raises(UnfitCourse):
        build_grid(turned, CHARIOT, gap_um=5 * MM)
