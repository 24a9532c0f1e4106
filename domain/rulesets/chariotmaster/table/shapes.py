"""Bases as they stand on the table: rectangles around a reference point, posed by whole micrometres and a whole degree.

A pose states all; corners are worked out from it, never stored, so a pivot and its reverse end where they began.
"""

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from domain.rulesets.chariotmaster.table.geometry import Interval, Polygon, build_polygon, extent
from domain.rulesets.chariotmaster.table.sines import FINE, FULL_TURN, QUARTER_TURN, Vector, direction, nearest

# The last two are objects of a course that never move: at most half as high as a horse, or higher (CM-34, CM-141).
PartName = Literal["horses", "body", "driver", "wreck", "low_obstacle", "high_obstacle"]
Hinge = Literal["centre", "front_left", "rear_left", "rear_right", "front_right"]
HINGES: tuple[Hinge, ...] = ("centre", "front_left", "rear_left", "rear_right", "front_right")
Side = Literal["left", "right", "front"]

# A dozen chariots of two parts, a pose or two each a turn: this remembers some ten turns, in about a megabyte.
_REMEMBERED_POSES_MAX = 2_048
# Every heading of a dozen shapes; a third of a kilobyte each.
_REMEMBERED_HEADINGS_MAX = 4_320


class Pose(Struct, frozen=True, kw_only=True):
    """Where a reference point is and where its base faces: whole degrees counter-clockwise from the x axis."""

    x_um: int
    y_um: int
    heading: int


class Part(Struct, frozen=True, kw_only=True):
    """One rectangle of a base. Front and rear are measured ahead of the reference point, left and right to its left."""

    name: PartName
    rear_um: int
    front_um: int
    right_um: int
    left_um: int


class Shape(Struct, frozen=True, kw_only=True):
    """A base of one or two parts that move as one. Its corners are those of the rectangle around all parts.

    `bounds_um` are rear, front, right and left of that rectangle.
    """

    parts: tuple[Part, ...]
    bounds_um: tuple[int, int, int, int]


def build_shape(*parts: Part) -> Shape:
    """Build a base from parts that stand one behind the other, the first in front, centred on the reference point."""
    length_um = sum(part.front_um - part.rear_um for part in parts)
    front_um, placed = length_um // 2, []
    for part in parts:
        rear_um = front_um - (part.front_um - part.rear_um)
        half_um = (part.left_um - part.right_um) // 2
        placed.append(Part(name=part.name, rear_um=rear_um, front_um=front_um, right_um=-half_um, left_um=half_um))
        front_um = rear_um
    bounds_um = (
        min(part.rear_um for part in placed),
        max(part.front_um for part in placed),
        min(part.right_um for part in placed),
        max(part.left_um for part in placed),
    )
    return Shape(parts=tuple(placed), bounds_um=bounds_um)


def build_part(name: PartName, *, length_um: int, width_um: int) -> Part:
    """Build a rectangle with its middle on the reference point."""
    half_length_um, half_width_um = length_um // 2, width_um // 2
    return Part(
        name=name, rear_um=-half_length_um, front_um=half_length_um, right_um=-half_width_um, left_um=half_width_um
    )


@lru_cache(maxsize=_REMEMBERED_POSES_MAX)
def polygons(shape: Shape, pose: Pose) -> tuple[Polygon, ...]:
    """Return the rectangles of a base that rests somewhere: worked out once, for as long as it is asked about."""
    return draw(shape, pose)


def draw(shape: Shape, pose: Pose) -> tuple[Polygon, ...]:
    """Return the rectangles of a posed base, exact in fine units, in the order of its parts."""
    return tuple([_draw_part(part, pose) for part in shape.parts])


def _draw_part(part: Part, pose: Pose) -> Polygon:
    # This makes up most of the cost of a sweep of pivots, so the corners are added up from their two ways by hand.
    cos, sin = direction(pose.heading)
    x, y = pose.x_um * FINE, pose.y_um * FINE
    front_x, front_y = x + part.front_um * cos, y + part.front_um * sin
    rear_x, rear_y = x + part.rear_um * cos, y + part.rear_um * sin
    left_x, left_y = -part.left_um * sin, part.left_um * cos
    right_x, right_y = -part.right_um * sin, part.right_um * cos
    east = (front_x + left_x, rear_x + left_x, rear_x + right_x, front_x + right_x)
    north = (front_y + left_y, rear_y + left_y, rear_y + right_y, front_y + right_y)
    return Polygon(
        tuple(zip(east, north, strict=True)),
        ((cos, sin), (-sin, cos)),
        (min(east), min(north)),
        (max(east), max(north)),
    )


def box(shape: Shape, pose: Pose) -> tuple[Vector, Vector]:
    """Return the corners, least and greatest, of the box around a posed base; nothing is drawn for it."""
    (west, south), (east, north) = _box_of_heading(shape, pose.heading)
    x, y = pose.x_um * FINE, pose.y_um * FINE
    return (x + west, y + south), (x + east, y + north)


@lru_cache(maxsize=_REMEMBERED_HEADINGS_MAX)
def _box_of_heading(shape: Shape, heading: int) -> tuple[Vector, Vector]:
    """Return the box around a base whose reference point is the origin."""
    parts = draw(shape, Pose(x_um=0, y_um=0, heading=heading))
    return (
        (min(part.low[0] for part in parts), min(part.low[1] for part in parts)),
        (max(part.high[0] for part in parts), max(part.high[1] for part in parts)),
    )


def side_edge(shape: Shape, pose: Pose, side: Side) -> Polygon:
    """Return one edge of the rectangle around a base, for finding the parts that it touches."""
    rear_um, front_um, right_um, left_um = bounds(shape)
    ahead = direction(pose.heading)
    match side:
        case "left":
            ends, axis = ((rear_um, left_um), (front_um, left_um)), (-ahead[1], ahead[0])
        case "right":
            ends, axis = ((rear_um, right_um), (front_um, right_um)), (-ahead[1], ahead[0])
        case "front":
            ends, axis = ((front_um, left_um), (front_um, right_um)), ahead
    return build_polygon(tuple(_place(pose, *end) for end in ends), (axis,))


def bounds(shape: Shape) -> tuple[int, int, int, int]:
    """Return rear, front, right and left of the rectangle around all parts."""
    return shape.bounds_um


def pivoted(shape: Shape, pose: Pose, hinge: Hinge, degrees: int) -> Pose:
    """Turn a base about one of its corners or its reference point; left is positive.

    A corner's offset is rounded for each heading by itself. So turns add up, and the reverse restores the pose exactly.
    """
    heading = (pose.heading + degrees) % FULL_TURN
    before = hinge_offset(shape, hinge, pose.heading)
    after = hinge_offset(shape, hinge, heading)
    return Pose(x_um=pose.x_um + before[0] - after[0], y_um=pose.y_um + before[1] - after[1], heading=heading)


def hinge_offset(shape: Shape, hinge: Hinge, heading: int) -> Vector:
    """Return where a hinge is, seen from the reference point, to the nearest micrometre."""
    rear_um, front_um, right_um, left_um = bounds(shape)
    match hinge:
        case "centre":
            return 0, 0
        case "front_left":
            return offset(front_um, left_um, heading)
        case "rear_left":
            return offset(rear_um, left_um, heading)
        case "rear_right":
            return offset(rear_um, right_um, heading)
        case "front_right":
            return offset(front_um, right_um, heading)


def offset(ahead_um: int, left_um: int, heading: int) -> Vector:
    """Return the vector to a point so far ahead and so far to the left, to the nearest micrometre."""
    cos, sin = direction(heading)
    return nearest(ahead_um * cos - left_um * sin, FINE), nearest(ahead_um * sin + left_um * cos, FINE)


def shifted(pose: Pose, *, ahead_um: int, left_um: int) -> Pose:
    """Set a base down elsewhere, by its own axes, facing as before."""
    x_um, y_um = offset(ahead_um, left_um, pose.heading)
    return Pose(x_um=pose.x_um + x_um, y_um=pose.y_um + y_um, heading=pose.heading)


def is_level(pose: Pose, stretch: Interval, other: Polygon) -> bool:
    """Return whether a stretch of a base's own length (rear, front) is beside some part of another base.

    An axle is a stretch of no length. Level means: seen square to the base's own axis; how far away does not matter.
    """
    ahead = direction(pose.heading)
    low, high = extent(other, ahead)
    here = (pose.x_um * ahead[0] + pose.y_um * ahead[1]) * FINE
    # The table's cosine² + sine² is a hair below 1: a length ahead is measured with the same hair.
    unit = ahead[0] * ahead[0] + ahead[1] * ahead[1]
    return low <= here + stretch[1] * unit and here + stretch[0] * unit <= high


def opposite(heading: int) -> int:
    """Return the heading that leads back."""
    return (heading + 2 * QUARTER_TURN) % FULL_TURN


def _place(pose: Pose, ahead_um: int, left_um: int) -> Vector:
    cos, sin = direction(pose.heading)
    return (
        pose.x_um * FINE + ahead_um * cos - left_um * sin,
        pose.y_um * FINE + ahead_um * sin + left_um * cos,
    )
