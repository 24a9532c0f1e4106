"""Chariotmaster's course in the page: every piece on it is as far along it as the rules state."""

from typing import Any

import msgspec
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from domain.rulesets.chariotmaster.offers.course_picture import draw_course
from domain.rulesets.chariotmaster.race.racetrack import build_arena
from domain.rulesets.chariotmaster.table.laps import find_place, place_at, unwrapped
from domain.rulesets.chariotmaster.table.sines import QUARTER_TURN
from tests.domain.rulesets.chariotmaster.own_components import BOX
from tests.services.web.node import run

ARENA, TRIAL = (build_arena(BOX, row) for row in BOX.courses[:2])
PICTURE: dict[str, Any] = msgspec.to_builtins(draw_course(ARENA))
LAP_UM = ARENA.middle.length_um
# The rules measure along chords, the page along arcs: a lap of two metres differs by a few tenths of a millimetre.
NEAR_UM = 1_000
MEASURE = """
const { measure } = await import("./rulesets/chariotmaster/course.js");
console.log(JSON.stringify(given.points.map((point) => measure(given.course, point))));
"""
COUNT_LAPS = """
const { buildMeasure } = await import("./rulesets/chariotmaster/displays.js");
const measured = buildMeasure({ course: given.course });
console.log(JSON.stringify(given.points.map((pose) => measured({ key: 0, pose }))));
"""


def beside(along_um: int, left_um: int) -> dict[str, int]:
    """Return a point so far along the middle line, and so far to the left of it."""
    place = place_at(ARENA.middle, along_um)
    # A whole quarter turn is exact enough: the point's real place counts, which is measured again.
    across = {0: (0, 1), QUARTER_TURN: (-1, 0)}.get(place.heading % 180, (0, 0))
    side = -1 if place.heading >= 180 else 1
    return {
        "x_um": place.point_um[0] + side * across[0] * left_um,
        "y_um": place.point_um[1] + side * across[1] * left_um,
    }


# The engine's start is most of a try, so each try measures many points.
@settings(max_examples=4, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.lists(st.tuples(st.integers(0, LAP_UM - 1), st.integers(-90_000, 90_000)), min_size=60, max_size=60))
def test_the_page_measures_along_the_course_as_the_rules_do(places: list[tuple[int, int]]) -> None:
    points = [beside(along_um, left_um) for along_um, left_um in places]

    measured = run(MEASURE, {"course": PICTURE, "points": points})

    for point, along_um in zip(points, measured, strict=True):
        place = find_place(ARENA.middle, (point["x_um"], point["y_um"]))
        off_um = (along_um - place.along_um + LAP_UM // 2) % LAP_UM - LAP_UM // 2
        assert abs(off_um) < NEAR_UM, (point, along_um, place.along_um)


def test_the_page_measures_along_a_course_with_a_bend_to_the_right_too() -> None:
    lap_um = TRIAL.middle.length_um
    places = [place_at(TRIAL.middle, along_um) for along_um in range(0, lap_um, 50_000)]
    points = [{"x_um": place.point_um[0], "y_um": place.point_um[1]} for place in places]

    measured = run(MEASURE, {"course": msgspec.to_builtins(draw_course(TRIAL)), "points": points})

    for place, along_um in zip(places, measured, strict=True):
        assert abs((along_um - place.along_um + lap_um // 2) % lap_um - lap_um // 2) < NEAR_UM


def test_laps_are_counted_from_the_grid_behind_the_line() -> None:
    along = [LAP_UM - 20_000, *range(80_000, 3 * LAP_UM, 150_000), 3 * LAP_UM - 60_000]
    points = [beside(distance % LAP_UM, 0) for distance in along]

    counted = run(COUNT_LAPS, {"course": PICTURE, "points": points})

    expected = [-20_000]
    for each in along[1:]:
        expected.append(unwrapped(ARENA.middle, progress_um=expected[-1], along_um=each % LAP_UM))
    assert [abs(one - other) < NEAR_UM for one, other in zip(counted, expected, strict=True)] == [True] * len(expected)
    assert expected[-1] == 3 * LAP_UM - 60_000
