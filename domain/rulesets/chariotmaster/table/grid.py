"""CM-111: the starting grid: noses on the finish line, side by side from the inner wall, then a second row."""

from domain.rulesets.chariotmaster.table.course import UM_PER_MM, Course, UnfitCourse
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape, bounds
from domain.rulesets.chariotmaster.table.sines import FINE

# Twelve chariots at most start in two rows.
PLACES_MIN = 6
_ROWS = 2


def build_grid(course: Course, base: Shape, *, gap_um: int) -> tuple[tuple[Pose, ...], ...]:
    """Return the poses of both rows, each from the innermost place outwards; refuse a course without room for them."""
    rear_um, front_um, right_um, left_um = bounds(base)
    step_um = left_um - right_um + gap_um
    places = (course.width_um - gap_um) // step_um
    if places < PLACES_MIN:
        expected = f"room for {PLACES_MIN} chariots side by side"
        raise UnfitCourse(expected=expected, found=f"room for {places}", point_um=(0, 0))
    length_um = _ROWS * (front_um - rear_um) + (_ROWS - 1) * gap_um
    last = course.middle[-1]
    home_um = (last.end[0] - last.start[0]) // FINE
    if last.heading != 0 or home_um < length_um:
        expected = f"a last piece straight for {length_um // UM_PER_MM} mm before the line"
        raise UnfitCourse(expected=expected, found=f"{max(home_um, 0) // UM_PER_MM} mm", point_um=(0, 0))
    innermost_um = course.width_um // 2 - gap_um - left_um
    return tuple(
        tuple(
            Pose(
                x_um=-front_um - row * (front_um - rear_um + gap_um),
                y_um=innermost_um - place * step_um,
                heading=0,
            )
            for place in range(places)
        )
        for row in range(_ROWS)
    )
