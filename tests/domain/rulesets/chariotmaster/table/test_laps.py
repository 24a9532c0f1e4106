"""Places along the middle line, and counting laps from them."""

from fractions import Fraction
from itertools import pairwise

import pytest

from domain.rulesets.chariotmaster.table.course import build_course
from domain.rulesets.chariotmaster.table.laps import Line, find_place, measure, place_at, unwrapped
from domain.rulesets.chariotmaster.table.sines import FINE
from tests.domain.rulesets.chariotmaster.cases import CM, Cases
from tests.domain.rulesets.chariotmaster.default_course import MIDDLE, TRIAL

TRIAL_MIDDLE = measure(build_course(TRIAL, width_um=20 * CM).middle)


def squared(first: tuple[int, int], second: tuple[int, int]) -> int:
    return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2


def test_a_lap_of_the_default_circus_is_195_centimetres() -> None:
    assert MIDDLE.length_um == 1_953_944


@pytest.mark.parametrize("line", [MIDDLE, TRIAL_MIDDLE])
def test_a_place_on_the_line_projects_on_itself(line: Line) -> None:
    for along_um in range(0, line.length_um, 9_973):
        place = place_at(line, along_um)

        assert abs(find_place(line, place.point_um).along_um - along_um) <= 2


def test_no_place_on_the_line_is_nearer_than_the_projection() -> None:
    cases = Cases(seed=60)
    samples = [place_at(TRIAL_MIDDLE, along_um).point_um for along_um in range(0, TRIAL_MIDDLE.length_um, CM // 2)]
    for _ in range(200):
        point = cases.number(-50 * CM, 100 * CM), cases.number(-20 * CM, 100 * CM)

        found = find_place(TRIAL_MIDDLE, point)

        # The projection is set down on whole micrometres, which makes a way of a metre longer by one at most.
        nearest_sample = min(squared(point, sample) for sample in samples)
        assert squared(point, found.point_um) <= nearest_sample + 4 * 10**6
        assert squared(found.point_um, place_at(TRIAL_MIDDLE, found.along_um).point_um) <= 8


def test_a_point_beside_the_straight_by_hand() -> None:
    place = find_place(MIDDLE, (7 * CM + 3, 9 * CM))

    assert (place.along_um, place.point_um, place.heading, place.stretch) == (7 * CM + 3, (7 * CM + 3, 0), 0, 0)


def test_behind_the_line_a_lap_is_nearly_done() -> None:
    place = find_place(MIDDLE, (-2 * CM, -3 * CM))

    assert place.along_um == MIDDLE.length_um - 2 * CM


def test_progress_counts_laps_forwards_and_backwards() -> None:
    lap_um = MIDDLE.length_um
    forwards, progress_um = [], -2 * CM
    for along_um in (3 * CM, lap_um // 3, 2 * lap_um // 3, lap_um - 1, 1, 0):
        progress_um = unwrapped(MIDDLE, progress_um=progress_um, along_um=along_um)
        forwards.append(progress_um)

    assert forwards == [3 * CM, lap_um // 3, 2 * lap_um // 3, lap_um - 1, lap_um + 1, lap_um]
    assert unwrapped(MIDDLE, progress_um=lap_um, along_um=lap_um - 5) == lap_um - 5


def test_the_second_row_crosses_the_line_without_having_a_lap() -> None:
    behind_um = find_place(MIDDLE, (-45_000, 0)).along_um

    start_um = unwrapped(MIDDLE, progress_um=0, along_um=behind_um)

    assert start_um == -45_000
    assert unwrapped(MIDDLE, progress_um=start_um, along_um=100) == 100


def test_progress_never_jumps_by_more_than_half_a_lap() -> None:
    cases = Cases(seed=61)
    ways = [0]
    for _ in range(500):
        along_um = cases.number(0, MIDDLE.length_um - 1)
        ways.append(unwrapped(MIDDLE, progress_um=ways[-1], along_um=along_um))
        assert ways[-1] % MIDDLE.length_um == along_um

    assert max(abs(after - before) for before, after in pairwise(ways)) * 2 <= MIDDLE.length_um


def squared_gap(line: Line, stretch: int, point_um: tuple[int, int]) -> Fraction:
    """Work out the distance the slow way: along the stretch as a fraction of its length, kept between its ends."""
    (start_x, start_y), (end_x, end_y) = line.stretches[stretch].start, line.stretches[stretch].end
    x, y = point_um[0] * FINE, point_um[1] * FINE
    along = (end_x - start_x, end_y - start_y)
    share = Fraction((x - start_x) * along[0] + (y - start_y) * along[1], along[0] ** 2 + along[1] ** 2)
    share = min(max(share, Fraction(0)), Fraction(1))
    return (start_x + share * along[0] - x) ** 2 + (start_y + share * along[1] - y) ** 2


@pytest.mark.parametrize("line", [MIDDLE, TRIAL_MIDDLE])
def test_the_first_of_the_nearest_stretches_counts_wherever_the_point_is(line: Line) -> None:
    cases = Cases(seed=61)
    points = [(cases.number(-80 * CM, 120 * CM), cases.number(-40 * CM, 100 * CM)) for _ in range(40)]
    # The centres of the bends are equally near to all of a bend, and the ends of stretches to two of them.
    points += [(30 * CM, 12 * CM), (-30 * CM, 12 * CM), *(place_at(line, start).point_um for start in line.starts_um)]
    for point in points:
        gaps = [squared_gap(line, number, point) for number in range(len(line.stretches))]

        assert find_place(line, point).stretch == gaps.index(min(gaps))
