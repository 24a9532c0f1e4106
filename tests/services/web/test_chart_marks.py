"""The marks at the ends of the chart's lines can all be distinguished, however many end in one place."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.services.web.node import run

APART, TOP, BOTTOM = 24, 20, 308
PART = """
const { partMarks } = await import("./game/chart_marks.js");
console.log(JSON.stringify(given.map((ends) => partMarks(ends, { apart: 24, bottom: 308 }).map(({ x, y }) => [x, y]))));
"""
# Twelve chariots at most, each at the end of the race or where it fell out of it.
RACES = st.lists(
    st.lists(st.tuples(st.sampled_from([500, 900]), st.integers(TOP, BOTTOM)), min_size=1, max_size=12),
    min_size=20,
    max_size=20,
)


@settings(max_examples=5, deadline=None)
@given(RACES)
def test_no_mark_is_over_another_or_outside_the_chart(races: list[list[tuple[int, int]]]) -> None:
    parted = run(PART, [[{"x": x, "y": y} for x, y in ends] for ends in races])

    for ends, marks in zip(races, parted, strict=True):
        assert sorted(x for x, _ in marks) == sorted(x for x, _ in ends)
        for column in (500, 900):
            heights = sorted(y for x, y in marks if x == column)
            assert all(below - above >= APART for above, below in pairwise(heights))
            assert all(TOP <= height <= BOTTOM for height in heights)


def test_marks_that_are_apart_stay_beside_their_lines() -> None:
    parted = run(PART, [[{"x": 900, "y": 40}, {"x": 900, "y": 200}, {"x": 500, "y": 41}]])

    assert sorted(map(tuple, parted[0])) == [(500, 41), (900, 40), (900, 200)]
