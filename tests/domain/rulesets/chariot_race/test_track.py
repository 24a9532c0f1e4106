"""Lanes in whole units: where spaces end, where a lane change leads, which spaces are near."""

import pytest

from domain.rulesets.chariot_race.components import read_components
from domain.rulesets.chariot_race.options import Side
from domain.rulesets.chariot_race.track import Track, build_track
from tests.domain.rulesets.chariot_race.boards import DATA

BOX = read_components(DATA)
TRACK = build_track(BOX, first="A", second="A")
INNER, MIDDLE, OUTER = range(3)


@pytest.mark.rule("CR-60", "RO-4", "RO-7", "RO-8")
def test_a_lap_is_864_units_in_32_36_and_40_spaces() -> None:
    assert TRACK.lap_units == 864
    assert TRACK.sizes == (32, 36, 40)
    assert [fronts[-1] for fronts in TRACK.fronts] == [864, 864, 864]


@pytest.mark.rule("CR-60", "RO-5", "RO-6")
def test_the_first_space_of_each_corner_is_numbered_in_each_lane() -> None:
    numbered = {
        (TRACK.lane(space), TRACK.fronts[TRACK.lane(space)][space - TRACK.bases[TRACK.lane(space)]], limit)
        for space, limit in enumerate(TRACK.limits)
        if limit
    }

    assert numbered == {(0, 180, 3), (0, 612, 3), (1, 168, 5), (1, 600, 5), (2, 162, 7), (2, 594, 7)}


def test_a_step_and_its_front_border_tell_each_other() -> None:
    for lane, size in enumerate(TRACK.sizes):
        for step in range(-size, 3 * size):
            space, front = TRACK.space(lane=lane, step=step), TRACK.front(lane=lane, step=step)

            assert TRACK.step(space, front=front) == step
            assert TRACK.front(lane=lane, step=step + 1) > front


@pytest.mark.rule("CR-12", "CR-32")
@pytest.mark.parametrize(("front", "laps"), [(-24, 0), (0, 0), (24, 0), (864, 0), (882, 1), (1728, 1), (1752, 2)])
def test_a_lap_is_complete_beyond_the_line_and_not_on_it(front: int, laps: int) -> None:
    assert TRACK.laps(front) == laps


@pytest.mark.rule("CR-29")
@pytest.mark.parametrize(
    ("lane", "space", "expected"),
    [
        (INNER, 0, {(MIDDLE, 1)}),  # straights are aligned: the diagonal space
        (MIDDLE, 0, {(INNER, 1), (OUTER, 1)}),
        (OUTER, 6, {(MIDDLE, 6)}),  # front 162: middle 168 is just ahead
        (MIDDLE, 6, {(INNER, 6), (OUTER, 7)}),  # front 168: inner 180, outer 180
        (INNER, 6, {(MIDDLE, 7)}),  # front 180: middle 192
        (OUTER, 39, {(MIDDLE, 36)}),  # across the line
    ],
)
def test_a_lane_change_leads_to_the_first_space_that_is_ahead(
    lane: int, space: int, expected: set[tuple[int, int]]
) -> None:
    assert {(aside.lane, aside.step) for aside in TRACK.aside[lane][space]} == expected


@pytest.mark.rule("CR-29")
def test_every_lane_change_leads_strictly_ahead_and_skips_nothing() -> None:
    for lane, size in enumerate(TRACK.sizes):
        for index in range(size):
            for aside in TRACK.aside[lane][index]:
                front = TRACK.front(lane=lane, step=index)

                assert abs(aside.lane - lane) == 1
                assert (
                    TRACK.front(lane=aside.lane, step=aside.step - 1)
                    <= front
                    < TRACK.front(lane=aside.lane, step=aside.step)
                )


@pytest.mark.rule("RO-18")
def test_side_by_side_and_diagonal_are_both_one_step_apart() -> None:
    near = TRACK.distances(TRACK.spaces["middle-3"], farthest=1)

    names = sorted(TRACK.names[space] for space in near)

    assert names == ["inner-2", "inner-3", "inner-4", "middle-2", "middle-4", "outer-2", "outer-3", "outer-4"]


@pytest.mark.rule("RO-18")
def test_nearness_is_mutual_and_goes_across_the_line() -> None:
    for space in range(len(TRACK.names)):
        for near in TRACK.neighbours[space]:
            assert space in TRACK.neighbours[near]

    assert TRACK.spaces["outer-40"] in TRACK.neighbours[TRACK.spaces["middle-1"]]
    assert TRACK.distances(TRACK.spaces["inner-1"], farthest=2)[TRACK.spaces["inner-31"]] == 2


@pytest.mark.rule("CR-51", "CR-70", "RO-11")
@pytest.mark.parametrize(
    ("first", "second", "heaps"),
    [
        ("A", "A", []),
        ("B", "A", ["inner-13", "outer-20"]),
        ("A", "B", ["middle-22"]),
        ("B", "B", ["inner-13", "middle-22", "outer-20"]),
    ],
)
def test_halves_of_both_sides_mix_and_bring_their_heaps(first: Side, second: Side, heaps: list[str]) -> None:
    track = build_track(BOX, first=first, second=second)

    assert _heaps(track) == heaps


@pytest.mark.rule("CR-70")
def test_the_heaps_lie_on_the_back_straight() -> None:
    track = build_track(BOX, first="B", second="B")

    for space in (track.spaces[name] for name in _heaps(track)):
        lane = track.lane(space)
        front = track.fronts[lane][space - track.bases[lane]]

        # 3rd, 6th and 10th space of the straight that begins at 288.
        assert front == 288 + 24 * {INNER: 3, OUTER: 6, MIDDLE: 10}[lane]


def _heaps(track: Track) -> list[str]:
    return [name for name, has_heap in zip(track.names, track.heaps, strict=True) if has_heap]
