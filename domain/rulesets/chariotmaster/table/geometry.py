"""Convex bases on the table: whether they overlap, how near they are, and when a travelling one meets another.

Everything is whole numbers in fine units (`sines.FINE` to the micrometre); nothing is rounded before the answer.
"""

from msgspec import Struct

from domain.rulesets.chariotmaster.table.sines import FINE, Vector, direction

# Poses are whole micrometres, so two bases that lie flush may bite into each other by about one. Up to this depth it is
# a graze: a base sliding along another one is not stopped by it, and is put straight when it comes to rest.
GRAZE_UM = 2

# Travel and edges point in whole degrees. An edge less than half a degree off the travel is meant to be parallel to it;
# this is 1 / sin²(0.5°), rounded down.
_PARALLEL = 13_131

Interval = tuple[int, int]


class Polygon(Struct, frozen=True):
    """A convex base, or a stretch of wall: two corners, no width.

    `axes` are normals of its edges, one for each direction that its edges have; they need not be of unit length.
    """

    corners: tuple[Vector, ...]
    axes: tuple[Vector, ...]
    low: Vector
    high: Vector


class Meeting(Struct, frozen=True):
    """Where on its way a base begins to overlap another one: after `over / under` micrometres."""

    over: int
    under: int
    is_graze: bool

    @property
    def distance_um(self) -> int:
        """Whole micrometres that can be travelled before the meeting."""
        return self.over // self.under


def build_polygon(corners: tuple[Vector, ...], axes: tuple[Vector, ...]) -> Polygon:
    """Build a polygon, with the box around it."""
    low = min(x for x, _ in corners), min(y for _, y in corners)
    high = max(x for x, _ in corners), max(y for _, y in corners)
    return Polygon(corners=corners, axes=axes, low=low, high=high)


def build_segment(start: Vector, end: Vector) -> Polygon:
    """Build a stretch of wall."""
    return build_polygon((start, end), ((start[1] - end[1], end[0] - start[0]),))


def extent(polygon: Polygon, axis: Vector) -> Interval:
    """Return the shadow of a polygon on an axis."""
    east, north = axis
    values = [x * east + y * north for x, y in polygon.corners]
    return min(values), max(values)


def overlaps(first: Polygon, second: Polygon, *, slack_um: int = 0) -> bool:
    """Return whether one lies on the other; edges that only touch do not count.

    With a slack, an overlap that some shift of at most that length would undo does not count either.
    """
    if not _boxes_overlap(first, second):
        return False
    # Walls come second, and have one axis, which settles most cases.
    for axis in second.axes + first.axes:
        # The two shadows (`extent`), without the calls: races ask this more often than anything.
        east, north = axis
        own = [x * east + y * north for x, y in first.corners]
        others = [x * east + y * north for x, y in second.corners]
        depth = min(max(own) - min(others), max(others) - min(own))
        if depth <= 0 or (slack_um and not _is_deeper(depth, axis, slack_um)):
            return False
    return True


def is_within(first: Polygon, second: Polygon, *, limit_um: int) -> bool:
    """Return whether the gap between two polygons is at most so wide."""
    if not _boxes_overlap(first, second, margin=limit_um * FINE):
        return False
    limit = limit_um * FINE
    return (
        overlaps(first, second)
        or any(_is_near_edge(corner, second, limit) for corner in first.corners)
        or any(_is_near_edge(corner, first, limit) for corner in second.corners)
    )


def reaches(polygon: Polygon, point: Vector, *, limit_um: int) -> bool:
    """Return whether an edge of a polygon comes so near to a point."""
    return _is_near_edge(point, polygon, limit_um * FINE)


def find_meeting(mover: Polygon, other: Polygon, *, heading: int, distance_um: int) -> Meeting | None:
    """Find where a base that travels straight begins to overlap another, if it does so short of `distance_um`.

    The two must not overlap at the start. Where an edge parallel to the travel parts them, or all but parts them,
    they do not meet, or only graze.
    """
    ahead = direction(heading)
    if not _may_meet(mover, other, ahead, distance_um):
        return None
    entry, entry_unit, leaving, leaving_unit = 0, 1, distance_um, 1
    parallel: list[tuple[Vector, int, Interval, Interval]] = []
    for axis in mover.axes + other.axes:
        speed = ahead[0] * axis[0] + ahead[1] * axis[1]
        own, others = extent(mover, axis), extent(other, axis)
        if _PARALLEL * speed * speed < FINE * FINE * (axis[0] * axis[0] + axis[1] * axis[1]):
            parallel.append((axis, speed, own, others))
            continue
        gap, way_through = (others[0] - own[1], others[1] - own[0])
        if speed < 0:
            speed, gap, way_through = -speed, -way_through, -gap
        if gap * entry_unit > entry * speed:
            entry, entry_unit = gap, speed
        if way_through * leaving_unit < leaving * speed:
            leaving, leaving_unit = way_through, speed
        if entry * leaving_unit >= leaving * entry_unit:
            return None
    return _meeting_past_parallels(entry, entry_unit, parallel)


def _meeting_past_parallels(
    entry: int, unit: int, parallel: list[tuple[Vector, int, Interval, Interval]]
) -> Meeting | None:
    """Judge the edges parallel to the travel at the moment in which all the others let the bases meet."""
    is_graze = False
    for axis, speed, own, others in parallel:
        shift = speed * entry
        depth = min((own[1] - others[0]) * unit + shift, (others[1] - own[0]) * unit - shift)
        if _is_deeper(depth, axis, GRAZE_UM * unit):
            continue
        if _is_deeper(-depth, axis, GRAZE_UM * unit):
            return None
        is_graze = True
    return Meeting(over=entry, under=unit, is_graze=is_graze)


def _is_deeper(depth: int, axis: Vector, limit_um: int) -> bool:
    """Compare a depth measured along an axis of any length with a length."""
    limit = limit_um * FINE
    return depth > 0 and depth * depth > limit * limit * (axis[0] * axis[0] + axis[1] * axis[1])


def _boxes_overlap(first: Polygon, second: Polygon, *, margin: int = 0) -> bool:
    return (
        first.low[0] - margin <= second.high[0]
        and second.low[0] <= first.high[0] + margin
        and first.low[1] - margin <= second.high[1]
        and second.low[1] <= first.high[1] + margin
    )


def _may_meet(mover: Polygon, other: Polygon, ahead: Vector, distance_um: int) -> bool:
    """Compare the box around the whole way with the other's box: most pairs are settled here."""
    east, north = ahead[0] * distance_um, ahead[1] * distance_um
    return (
        mover.low[0] + min(east, 0) <= other.high[0]
        and other.low[0] <= mover.high[0] + max(east, 0)
        and mover.low[1] + min(north, 0) <= other.high[1]
        and other.low[1] <= mover.high[1] + max(north, 0)
    )


def _is_near_edge(point: Vector, polygon: Polygon, limit: int) -> bool:
    corners = polygon.corners
    if len(corners) == 2:  # noqa: PLR2004  a stretch of wall is one segment, there and back
        return _is_near_segment(point, corners[0], corners[1], limit)
    return any(_is_near_segment(point, corners[place - 1], corner, limit) for place, corner in enumerate(corners))


def _is_near_segment(point: Vector, start: Vector, end: Vector, limit: int) -> bool:
    along = end[0] - start[0], end[1] - start[1]
    away = point[0] - start[0], point[1] - start[1]
    reach = away[0] * along[0] + away[1] * along[1]
    length_squared = along[0] * along[0] + along[1] * along[1]
    if reach <= 0:
        return away[0] * away[0] + away[1] * away[1] <= limit * limit
    if reach >= length_squared:
        return (point[0] - end[0]) ** 2 + (point[1] - end[1]) ** 2 <= limit * limit
    aside = away[0] * along[1] - away[1] * along[0]
    return aside * aside <= limit * limit * length_squared
