"""CM-116: how far along the course a point is: its nearest place on the middle line, and the laps behind it.

Progress counts micrometres from the finish line; a line that was never crossed forwards cannot count as a lap.
"""

from math import isqrt

from msgspec import Struct

from domain.rulesets.chariotmaster.table.course import Stretch
from domain.rulesets.chariotmaster.table.sines import FINE, Vector, nearest

# With chords of two degrees some 16 degrees of an arc: of a whole oval a point has two or three runs to look at.
_RUN_STRETCHES = 8


class Place(Struct, frozen=True, kw_only=True):
    """The nearest place on a closed line: on which stretch, how far along the whole line, where, and how it points."""

    stretch: int
    along_um: int
    point_um: Vector
    heading: int


class Run(Struct, frozen=True, kw_only=True):
    """Some stretches that follow each other, and the box around them: a point far from it is far from all of them."""

    first: int
    low: Vector
    high: Vector


class Line(Struct, frozen=True, kw_only=True):
    """A closed line, measured. `starts_um` states how far along each stretch begins."""

    stretches: tuple[Stretch, ...]
    starts_um: tuple[int, ...]
    length_um: int
    runs: tuple[Run, ...]


def measure(stretches: tuple[Stretch, ...]) -> Line:
    """Measure a line; the way to each vertex is rounded to the micrometre, so that errors do not add up."""
    ends_um, total = [0], 0
    for stretch in stretches:
        along = stretch.end[0] - stretch.start[0], stretch.end[1] - stretch.start[1]
        total += isqrt(along[0] * along[0] + along[1] * along[1])
        ends_um.append(nearest(total, FINE))
    runs = tuple(_enclose(stretches, first) for first in range(0, len(stretches), _RUN_STRETCHES))
    return Line(stretches=stretches, starts_um=tuple(ends_um[:-1]), length_um=ends_um[-1], runs=runs)


def find_place(line: Line, point_um: Vector) -> Place:
    """Project a point on a line. Of places equally near, the first from the finish line counts."""
    point = point_um[0] * FINE, point_um[1] * FINE
    best, best_over, best_under = len(line.stretches), -1, 1
    for squared, first in _squared_gaps(line.runs, point):
        if best_over >= 0 and squared * best_under > best_over:
            break
        for number in range(first, min(first + _RUN_STRETCHES, len(line.stretches))):
            over, under = _squared_gap(line.stretches[number], point)
            lead = over * best_under - best_over * under
            if best_over < 0 or lead < 0 or (lead == 0 and number < best):
                best, best_over, best_under = number, over, under
    return _place_on(line, best, point)


def place_at(line: Line, along_um: int) -> Place:
    """Return the place so far along a line."""
    along_um %= line.length_um
    number = max(place for place, start_um in enumerate(line.starts_um) if start_um <= along_um)
    stretch = line.stretches[number]
    point_um = _point_um(stretch, over=along_um - line.starts_um[number], under=_length_um(line, number))
    return Place(stretch=number, along_um=along_um, point_um=point_um, heading=stretch.heading)


def unwrapped(line: Line, *, progress_um: int, along_um: int) -> int:
    """Count on from the last progress to a new place, the shorter way round: forwards up, backwards down."""
    step_um = (along_um - progress_um) % line.length_um
    return progress_um + (step_um if 2 * step_um <= line.length_um else step_um - line.length_um)


def _enclose(stretches: tuple[Stretch, ...], first: int) -> Run:
    points = [point for stretch in stretches[first : first + _RUN_STRETCHES] for point in (stretch.start, stretch.end)]
    return Run(
        first=first,
        low=(min(x for x, _ in points), min(y for _, y in points)),
        high=(max(x for x, _ in points), max(y for _, y in points)),
    )


def _squared_gaps(runs: tuple[Run, ...], point: Vector) -> list[tuple[int, int]]:
    """Return how far a point is from the box of each run, squared, with the run's first stretch; the nearest first."""
    x, y = point
    gaps = []
    for run in runs:
        (west, south), (east, north) = run.low, run.high
        across = west - x if x < west else x - east if x > east else 0
        along = south - y if y < south else y - north if y > north else 0
        gaps.append((across * across + along * along, run.first))
    gaps.sort()
    return gaps


def _squared_gap(stretch: Stretch, point: Vector) -> tuple[int, int]:
    (start_x, start_y), (end_x, end_y) = stretch.start, stretch.end
    along_x, along_y = end_x - start_x, end_y - start_y
    away_x, away_y = point[0] - start_x, point[1] - start_y
    reach = away_x * along_x + away_y * along_y
    if reach <= 0:
        return away_x * away_x + away_y * away_y, 1
    length_squared = along_x * along_x + along_y * along_y
    if reach >= length_squared:
        return (point[0] - end_x) ** 2 + (point[1] - end_y) ** 2, 1
    aside = away_x * along_y - away_y * along_x
    return aside * aside, length_squared


def _place_on(line: Line, number: int, point: Vector) -> Place:
    stretch = line.stretches[number]
    along = stretch.end[0] - stretch.start[0], stretch.end[1] - stretch.start[1]
    reach = (point[0] - stretch.start[0]) * along[0] + (point[1] - stretch.start[1]) * along[1]
    under = along[0] * along[0] + along[1] * along[1]
    over = min(max(reach, 0), under)
    along_um = line.starts_um[number] + over * _length_um(line, number) // under
    return Place(
        stretch=number,
        along_um=along_um % line.length_um,
        point_um=_point_um(stretch, over=over, under=under),
        heading=stretch.heading,
    )


def _point_um(stretch: Stretch, *, over: int, under: int) -> Vector:
    """Return the point that is so large a share of a stretch away from its start, to the nearest micrometre."""
    x = stretch.start[0] * under + over * (stretch.end[0] - stretch.start[0])
    y = stretch.start[1] * under + over * (stretch.end[1] - stretch.start[1])
    return nearest(x, FINE * under), nearest(y, FINE * under)


def _length_um(line: Line, number: int) -> int:
    end_um = line.starts_um[number + 1] if number + 1 < len(line.starts_um) else line.length_um
    return end_um - line.starts_um[number]
