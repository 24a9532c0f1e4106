"""CM-47: turning flush after a contact: about the point of contact, by the smaller angle, as far as there is room."""

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from domain.rulesets.chariotmaster.table.geometry import Polygon
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape, polygons
from domain.rulesets.chariotmaster.table.sines import FINE, FULL_TURN, QUARTER_TURN, Vector, nearest, turned
from domain.rulesets.chariotmaster.table.travel import Obstacle, Turn, turn_through

# Half a quarter turn: from here on the other edge is the nearer one.
_LARGEST_TURN = QUARTER_TURN // 2


class _Nearness(Struct, frozen=True):
    squared: Fraction
    point: Vector


def align(shape: Shape, pose: Pose, obstacles: Iterable[Obstacle], *, part: int, target: Obstacle) -> Turn:
    """CM-47: pivot a base about the point where one of its parts touches the target, until an edge lies flush with it.

    Edges of a base are square to each other, so the smallest turn is the difference of the headings within a quarter
    turn; between two equal turns the left one. Anything else in the way ends the turn short of it.
    """
    degrees = flush_turn(pose.heading, target.heading)
    pivot = contact_point(polygons(shape, pose)[part], target.polygon)
    step = 1 if degrees > 0 else -1
    way = [_turned_about(pose, pivot, step * count) for count in range(1, abs(degrees) + 1)]
    return turn_through(shape, pose, obstacles, way)


def flush_turn(heading: int, target: int) -> int:
    """Return the smallest turn that makes edges parallel, from -44 to 45 degrees."""
    degrees = (target - heading) % QUARTER_TURN
    return degrees if degrees <= _LARGEST_TURN else degrees - QUARTER_TURN


def contact_point(mover: Polygon, target: Polygon) -> Vector:
    """Return where two bases touch, to the nearest micrometre: the corner of one that is nearest to the other.

    The mover's corners come first, then each in the order of the corners, where several are equally near.
    """
    candidates = [_Nearness(squared=squared_gap(corner, target), point=corner) for corner in mover.corners]
    candidates += [_Nearness(squared=squared_gap(corner, mover), point=corner) for corner in target.corners]
    found = min(candidates, key=lambda nearness: nearness.squared)
    return nearest(found.point[0], FINE), nearest(found.point[1], FINE)


def squared_gap(point: Vector, polygon: Polygon) -> Fraction:
    """Return the square of the distance from a point to the edges of a polygon, exact."""
    corners = polygon.corners
    return min(_squared_gap_to_edge(point, corners[place - 1], end) for place, end in enumerate(corners))


def _squared_gap_to_edge(point: Vector, start: Vector, end: Vector) -> Fraction:
    along = end[0] - start[0], end[1] - start[1]
    away = point[0] - start[0], point[1] - start[1]
    reach = away[0] * along[0] + away[1] * along[1]
    length_squared = along[0] * along[0] + along[1] * along[1]
    if reach <= 0:
        return Fraction(away[0] * away[0] + away[1] * away[1])
    if reach >= length_squared:
        return Fraction((point[0] - end[0]) ** 2 + (point[1] - end[1]) ** 2)
    aside = away[0] * along[1] - away[1] * along[0]
    return Fraction(aside * aside, length_squared)


def _turned_about(pose: Pose, pivot: Vector, degrees: int) -> Pose:
    x, y = turned((pose.x_um - pivot[0], pose.y_um - pivot[1]), degrees)
    return Pose(
        x_um=pivot[0] + nearest(x, FINE), y_um=pivot[1] + nearest(y, FINE), heading=(pose.heading + degrees) % FULL_TURN
    )
