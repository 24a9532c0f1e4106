"""Courses from straights and arcs: closed, in whole degrees, and refused where they do not fit."""

import pytest

from domain.rulesets.chariotmaster.table.course import Arc, Piece, Straight, Stretch, UnfitCourse, build_course
from domain.rulesets.chariotmaster.table.sines import FINE, direction
from tests.domain.rulesets.chariotmaster.cases import CM
from tests.domain.rulesets.chariotmaster.default_course import COURSE, OVAL, TRIAL, WALLS


def stretch_is_off_by(stretch: Stretch) -> int:
    """How far the end of a stretch is beside its own heading, in fine units."""
    ahead = direction(stretch.heading)
    along = stretch.end[0] - stretch.start[0], stretch.end[1] - stretch.start[1]
    return abs(ahead[0] * along[1] - ahead[1] * along[0]) // FINE


@pytest.mark.parametrize("pieces", [OVAL, TRIAL])
def test_every_line_is_closed_and_every_stretch_points_in_its_whole_degree(pieces: tuple[Piece, ...]) -> None:
    course = build_course(pieces, width_um=20 * CM)

    for line in (course.middle, course.left, course.right):
        assert [stretch.start for stretch in line] == [line[-1].end, *(stretch.end for stretch in line[:-1])]
        assert max(map(stretch_is_off_by, line)) < FINE // 10


@pytest.mark.rule("CM-111", "MO-2")
def test_the_default_circus_is_a_stadium() -> None:
    xs = [[stretch.start[0] // FINE for stretch in line] for line in (COURSE.left, COURSE.middle, COURSE.right)]
    ys = [[stretch.start[1] // FINE for stretch in line] for line in (COURSE.left, COURSE.middle, COURSE.right)]

    assert [(min(line), max(line)) for line in xs] == [(-320_000, 320_000), (-420_000, 420_000), (-520_000, 520_000)]
    assert [(min(line), max(line)) for line in ys] == [(100_000, 140_000), (0, 240_000), (-100_000, 340_000)]


@pytest.mark.rule("CM-111")
def test_a_half_circle_has_ninety_chords() -> None:
    headings = [stretch.heading for stretch in COURSE.middle[1:91]]

    assert headings == list(range(1, 181, 2))
    assert len(COURSE.middle) == len(COURSE.left) == len(COURSE.right) == 183
    assert len(WALLS) == 2 * 183


def test_the_finish_line_is_crossed_at_the_origin() -> None:
    assert COURSE.middle[0].start == (0, 0)
    assert (COURSE.left[0].start, COURSE.right[0].start) == ((0, 10 * CM * FINE), (0, -10 * CM * FINE))
    assert COURSE.middle[0].heading == COURSE.middle[-1].heading == 0


def test_walls_have_keys_of_their_own_in_the_order_of_the_race() -> None:
    keys = [wall.key for wall in WALLS]

    assert keys == sorted(set(keys))
    assert keys[0] == (-2, 0)
    assert keys[-1] == (-1, 182)


BENT = Arc(radius_mm=120, degrees=178, turn="left")


@pytest.mark.parametrize(
    ("pieces", "width_um", "expected"),
    [
        ((), 20 * CM, "1 to 64 pieces"),
        ((*OVAL[:1], BENT, *OVAL[2:]), 20 * CM, "arcs that turn 360° to the left in all"),
        ((*OVAL, Straight(length_mm=10)), 20 * CM, "an end at (0, 0), on the line"),
        (OVAL, 24 * CM, "a radius above half the width, 120 mm"),
        (
            tuple(Arc(radius_mm=120, degrees=180, turn="right") for _ in "ab"),
            20 * CM,
            "arcs that turn 360° to the left in all",
        ),
    ],
)
def test_pieces_that_make_no_course_are_refused(pieces: tuple[Piece, ...], width_um: int, expected: str) -> None:
    with pytest.raises(UnfitCourse) as refusal:
        build_course(pieces, width_um=width_um)

    assert refusal.value.expected == expected


def test_a_course_that_runs_into_itself_is_refused() -> None:
    # A hairpin to the right between two left bends brings the way back within the width of the track.
    hairpin: tuple[Piece, ...] = (
        Straight(length_mm=200),
        Arc(radius_mm=120, degrees=180, turn="left"),
        Straight(length_mm=100),
        Arc(radius_mm=120, degrees=90, turn="right"),
        Arc(radius_mm=120, degrees=270, turn="left"),
        Straight(length_mm=100),
    )

    with pytest.raises(UnfitCourse):
        build_course(hairpin, width_um=20 * CM)
