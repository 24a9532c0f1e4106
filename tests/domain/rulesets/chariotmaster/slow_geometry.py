"""The geometry again, slow and obviously right: fractions, clipping, trying every moment at which something can change.

It shares nothing with the code it judges but the table of sines.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from domain.rulesets.chariotmaster.table.shapes import Part, Pose
from domain.rulesets.chariotmaster.table.sines import FINE, sine

Point = tuple[Fraction, Fraction]
Number = Fraction | int


def rectangle(part: Part, pose: Pose) -> list[Point]:
    """Return the corners, in micrometres, going round."""
    cos, sin = Fraction(sine(pose.heading + 90), FINE), Fraction(sine(pose.heading), FINE)
    local = (
        (part.front_um, part.left_um),
        (part.rear_um, part.left_um),
        (part.rear_um, part.right_um),
        (part.front_um, part.right_um),
    )
    return [(pose.x_um + a * cos - b * sin, pose.y_um + a * sin + b * cos) for a, b in local]


def area_shared(first: Sequence[tuple[Number, Number]], second: Sequence[tuple[Number, Number]]) -> Fraction:
    """Return twice the common area of two convex polygons, by cutting one along each edge of the other."""
    rest = [(Fraction(x), Fraction(y)) for x, y in first]
    for place, end in enumerate(second):
        rest = _cut(rest, second[place - 1], end)
        if not rest:
            return Fraction(0)
    return abs(sum((_cross(rest[place - 1], point) for place, point in enumerate(rest)), Fraction(0)))


def first_overlap(mover: list[Point], other: list[Point], *, heading: int, distance_um: int) -> Fraction | None:
    """Return the distance after which a travelling polygon begins to share area with another.

    The shared area can only begin where a corner of one crosses the line of an edge of the other: all those moments
    are found, and the time between every two of them is tried in its middle.
    """
    cos, sin = Fraction(sine(heading + 90), FINE), Fraction(sine(heading), FINE)
    moments = {Fraction(0), Fraction(distance_um)}
    moments |= set(_crossings(mover, other, (cos, sin))) | set(_crossings(other, mover, (-cos, -sin)))
    ordered = sorted(moment for moment in moments if 0 <= moment <= distance_um)
    for start, end in pairwise(ordered):
        middle = (start + end) / 2
        moved = [(x + middle * cos, y + middle * sin) for x, y in mover]
        if area_shared(moved, other):
            return start
    return None


def squared_gap(first: list[Point], second: list[Point]) -> Fraction:
    """Return the square of the gap between two polygons."""
    if area_shared(first, second):
        return Fraction(0)
    return min(
        _squared_distance(point, end, others[place - 1])
        for points, others in ((first, second), (second, first))
        for point in points
        for place, end in enumerate(others)
    )


def _squared_distance(point: Point, start: Point, end: Point) -> Fraction:
    length = (end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2
    along = (point[0] - start[0]) * (end[0] - start[0]) + (point[1] - start[1]) * (end[1] - start[1])
    share = min(max(along / length, Fraction(0)), Fraction(1))
    nearest = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
    return (point[0] - nearest[0]) ** 2 + (point[1] - nearest[1]) ** 2


def _cut(points: list[Point], start: tuple[Number, Number], end: tuple[Number, Number]) -> list[Point]:
    """Keep the part on the left of a line."""
    kept: list[Point] = []
    sides = [(end[0] - start[0]) * (y - start[1]) - (end[1] - start[1]) * (x - start[0]) for x, y in points]
    for place, point in enumerate(points):
        before, here = sides[place - 1], sides[place]
        if before * here < 0:
            share = before / (before - here)
            last = points[place - 1]
            kept.append((last[0] + share * (point[0] - last[0]), last[1] + share * (point[1] - last[1])))
        if here >= 0:
            kept.append(point)
    return kept


def _crossings(corners: list[Point], edges: list[Point], speed: Point) -> list[Fraction]:
    found = []
    for place, end in enumerate(edges):
        start = edges[place - 1]
        along = end[0] - start[0], end[1] - start[1]
        closing = _cross(along, speed)
        if closing:
            found += [_cross(along, (start[0] - x, start[1] - y)) / closing for x, y in corners]
    return found


def _cross(first: Point, second: Point) -> Fraction:
    return first[0] * second[1] - first[1] * second[0]
