"""Places along the middle line, and counting laps from them."""

from itertools import pairwise

import pytest

from domain.rulesets.chariotmaster.course import build_course
from domain.rulesets.chariotmaster.laps import Line, find_place, measure, place_at, unwrapped
from tests.domain.rulesets.chariotmaster.cases import CM, Cases
from tests.domain.rulesets.chariotmaster.circus import MIDDLE, TRIAL

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
