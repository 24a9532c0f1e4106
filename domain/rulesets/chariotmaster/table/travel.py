"""Moving a base among others: straight until contact, turning as far as there is room. Nothing ends overlapping.

A base that rests free of overlap is set down free of overlap again, wherever it stops.
"""

from collections.abc import Iterable, Iterator
from math import isqrt

from msgspec import Struct

from domain.rulesets.chariotmaster.table.geometry import GRAZE_UM, Meeting, Polygon, find_meeting, overlaps, reaches
from domain.rulesets.chariotmaster.table.shapes import (
    Hinge,
    Pose,
    Shape,
    bounds,
    box,
    draw,
    hinge_offset,
    pivoted,
)
from domain.rulesets.chariotmaster.table.sines import FINE, Vector, direction, smallest_turn, towards_zero

# A base set down on whole micrometres beside another one may bite into it by less than two (its own rounding and the
# other's); a third leaves room where two such edges meet at a corner.
_NUDGE_UM = 3
_NUDGES = tuple(
    sorted(
        (
            (x_um, y_um)
            for x_um in range(-_NUDGE_UM, _NUDGE_UM + 1)
            for y_um in range(-_NUDGE_UM, _NUDGE_UM + 1)
            if x_um * x_um + y_um * y_um <= _NUDGE_UM * _NUDGE_UM
        ),
        key=lambda nudge: (nudge[0] * nudge[0] + nudge[1] * nudge[1], nudge),
    )
)

# An obstacle so far off is not even grazed: grazes are two micrometres deep, a corner is at most half as far again as
# the gap seen along some edge. The rest is to spare.
_SAFE_UM = 10

ObstacleKey = tuple[int, int]


class Obstacle(Struct, frozen=True, kw_only=True):
    """One part of a piece that stands in the way. Keys are unique, and give the order wherever one is needed."""

    key: ObstacleKey
    heading: int  # of its edges, up to quarter turns
    polygon: Polygon


class Contact(Struct, frozen=True, kw_only=True, order=True):
    """A part of the mover (its place in the shape) has come up against an obstacle."""

    obstacle: ObstacleKey
    part: int


class Travel(Struct, frozen=True, kw_only=True):
    """The result of a move: more than one contact if they were met at the same micrometre."""

    pose: Pose
    distance_um: int
    contacts: tuple[Contact, ...]


class Turn(Struct, frozen=True, kw_only=True):
    """The result of a pivot: how far it went, and the contacts that ended it."""

    pose: Pose
    degrees: int
    contacts: tuple[Contact, ...]


def travel(shape: Shape, pose: Pose, obstacles: Iterable[Obstacle], *, heading: int, distance_um: int) -> Travel:
    """CM-112: move straight, facing as before, for that distance or until the first contact.

    The distance is the whole micrometres before the contact; the pose is rounded so that the way is never longer.
    """
    ahead = direction(heading)
    way = (ahead[0] * distance_um, ahead[1] * distance_um)
    near = nearby(shape, pose, obstacles, way=way)
    if not near:
        return Travel(pose=_ahead(pose, ahead, distance_um), distance_um=distance_um, contacts=())
    stops: list[tuple[int, Contact]] = []
    grazes_um: list[int] = []
    for met, contact in _meetings(shape, pose, near, heading=heading, distance_um=distance_um):
        if met.is_graze:
            grazes_um.append(met.distance_um)
        else:
            stops.append((met.distance_um, contact))
    reach_um = min((stop_um for stop_um, _ in stops), default=distance_um)
    contacts = tuple(sorted(contact for stop_um, contact in stops if stop_um == reach_um))
    landing = _land(shape, pose, near, heading=heading, distance_um=reach_um)
    if landing is not None:
        return Travel(pose=landing, distance_um=reach_um, contacts=contacts)
    # A gap too narrow to come to rest in: stop where it begins, or do not move at all, for the start is free.
    in_the_way = find_contacts(shape, _ahead(pose, ahead, reach_um), near)
    for short_um in sorted((graze_um for graze_um in grazes_um if graze_um < reach_um), reverse=True):
        landing = _land(shape, pose, near, heading=heading, distance_um=short_um)
        if landing is not None:
            return Travel(pose=landing, distance_um=short_um, contacts=in_the_way)
    return Travel(pose=pose, distance_um=0, contacts=in_the_way)


def turn(shape: Shape, pose: Pose, obstacles: Iterable[Obstacle], *, hinge: Hinge, degrees: int) -> Turn:
    """CM-112: pivot by whole degrees as far as nothing is in the way, each degree of the way being tried."""
    point = hinge_offset(shape, hinge, pose.heading)
    pivot = (pose.x_um + point[0]) * FINE, (pose.y_um + point[1]) * FINE
    reach_um = _reach_um(shape, hinge)
    # Nothing that stays outside the circle of the furthest corner is ever touched: most pivots have all the room.
    within = around(shape, pose, obstacles)
    near = [obstacle for obstacle in within if reaches(obstacle.polygon, pivot, limit_um=reach_um)]
    if not near:
        turned = pivoted(shape, pose, hinge, degrees)
        return Turn(pose=turned, degrees=smallest_turn(pose.heading, turned.heading), contacts=())
    step = 1 if degrees > 0 else -1
    way = (pivoted(shape, pose, hinge, step * count) for count in range(1, abs(degrees) + 1))
    return turn_through(shape, pose, near, way)


def turn_through(shape: Shape, pose: Pose, obstacles: Iterable[Obstacle], way: Iterable[Pose]) -> Turn:
    """Go through poses a degree apart until one is not free; rest on the last one where there is room."""
    near = around(shape, pose, obstacles)
    contacts: tuple[Contact, ...] = ()
    passed: list[Pose] = []
    for tried in way:
        contacts = find_contacts(shape, tried, near, slack_um=GRAZE_UM)
        if contacts:
            break
        passed.append(tried)
    for last in reversed(passed):
        landing = settle(shape, last, near)
        if landing is not None:
            return Turn(pose=landing, degrees=smallest_turn(pose.heading, landing.heading), contacts=contacts)
        contacts = find_contacts(shape, last, near)
    return Turn(pose=pose, degrees=0, contacts=contacts)


def _reach_um(shape: Shape, hinge: Hinge) -> int:
    """Return how far the furthest corner is from a hinge, and some micrometres for corners set down on whole ones."""
    rear_um, front_um, right_um, left_um = bounds(shape)
    length_um, width_um = front_um - rear_um, left_um - right_um
    if hinge == "centre":
        length_um, width_um = max(front_um, -rear_um), max(left_um, -right_um)
    return isqrt(length_um * length_um + width_um * width_um) + _SAFE_UM


def around(shape: Shape, pose: Pose, obstacles: Iterable[Obstacle]) -> list[Obstacle]:
    """Pick the obstacles near a base that turns about a point of its own: none is further off than its diagonal.

    Length and width together are more than that, and than the few micrometres by which a point of contact may be off.
    """
    rear_um, front_um, right_um, left_um = bounds(shape)
    return nearby(shape, pose, obstacles, way=(0, 0), margin_um=front_um - rear_um + left_um - right_um)


def settle(shape: Shape, pose: Pose, obstacles: Iterable[Obstacle]) -> Pose | None:
    """Return the nearest pose within a few micrometres that overlaps nothing, if there is one."""
    near = nearby(shape, pose, obstacles, way=(0, 0))
    if not near:
        return pose
    if find_contacts(shape, pose, near, slack_um=2 * _NUDGE_UM):
        return None  # too deep for any nudge
    return next((nudged for nudged in _nudged(pose) if is_free(shape, nudged, near)), None)


def is_free(shape: Shape, pose: Pose, obstacles: Iterable[Obstacle]) -> bool:
    """Return whether a base would overlap nothing here."""
    return not find_contacts(shape, pose, obstacles)


def find_contacts(shape: Shape, pose: Pose, obstacles: Iterable[Obstacle], *, slack_um: int = 0) -> tuple[Contact, ...]:
    """Return everything a base would overlap here, by more than the slack."""
    (west, south), (east, north) = box(shape, pose)
    # Most of the near obstacles are still beside the box, and a call for each would be most of the cost.
    near = [
        obstacle
        for obstacle in obstacles
        if (other := obstacle.polygon).low[0] <= east
        and other.high[0] >= west
        and other.low[1] <= north
        and other.high[1] >= south
    ]
    if not near:
        return ()
    parts = draw(shape, pose)
    found = [
        Contact(obstacle=obstacle.key, part=place)
        for obstacle in near
        for place, part in enumerate(parts)
        if overlaps(part, obstacle.polygon, slack_um=slack_um)
    ]
    return tuple(sorted(found))


def nearby(
    shape: Shape, pose: Pose, obstacles: Iterable[Obstacle], *, way: Vector, margin_um: int = 2 * _NUDGE_UM
) -> list[Obstacle]:
    """Pick the obstacles that a base could come near on its way (in fine units)."""
    margin = margin_um * FINE
    (west, south), (east, north) = box(shape, pose)
    west, east = west + min(way[0], 0) - margin, east + max(way[0], 0) + margin
    south, north = south + min(way[1], 0) - margin, north + max(way[1], 0) + margin
    return [
        obstacle
        for obstacle in obstacles
        if (polygon := obstacle.polygon).low[0] <= east
        and polygon.high[0] >= west
        and polygon.low[1] <= north
        and polygon.high[1] >= south
    ]


def _meetings(
    shape: Shape, pose: Pose, obstacles: Iterable[Obstacle], *, heading: int, distance_um: int
) -> Iterator[tuple[Meeting, Contact]]:
    """Find the contacts up to the first stop; obstacles behind that cannot matter any more."""
    parts = draw(shape, pose)
    unit, ahead = _in_the_way(parts, obstacles, heading=heading, distance_um=distance_um)
    reach_um = distance_um
    for gap, obstacle in ahead:
        if gap > (reach_um + _SAFE_UM) * unit:
            return
        for place, part in enumerate(parts):
            met = find_meeting(part, obstacle.polygon, heading=heading, distance_um=distance_um)
            if met is not None:
                reach_um = reach_um if met.is_graze else min(reach_um, met.distance_um)
                yield met, Contact(obstacle=obstacle.key, part=place)


def _in_the_way(
    parts: tuple[Polygon, ...], obstacles: Iterable[Obstacle], *, heading: int, distance_um: int
) -> tuple[int, list[tuple[int, Obstacle]]]:
    """Pick the obstacles in the lane of a straight move, with a lower bound of the way to each, the nearest first.

    A rectangle and an obstacle further from it than a few micrometres all along the way neither meet nor graze.
    """
    cos, sin = direction(heading)
    unit = cos * cos + sin * sin
    own = [(x * cos + y * sin, y * cos - x * sin) for part in parts for x, y in part.corners]
    safe = _SAFE_UM * unit
    rear, front = min(own)[0] - safe, max(own)[0]
    right, left = min(across for _, across in own) - safe, max(across for _, across in own) + safe
    furthest = front + distance_um * unit + safe
    found = []
    for obstacle in obstacles:
        corners = obstacle.polygon.corners
        along = [x * cos + y * sin for x, y in corners]
        nearest_along = min(along)
        if nearest_along > furthest or max(along) < rear:
            continue
        across = [y * cos - x * sin for x, y in corners]
        if min(across) <= left and max(across) >= right:
            found.append((nearest_along - front, obstacle))
    return unit, sorted(found, key=lambda finding: (finding[0], finding[1].key))


def _land(shape: Shape, pose: Pose, near: list[Obstacle], *, heading: int, distance_um: int) -> Pose | None:
    """Set the base down, free, at the end of a way, at most so far from where it started."""
    for landing in _nudged(_ahead(pose, direction(heading), distance_um)):
        east, north = landing.x_um - pose.x_um, landing.y_um - pose.y_um
        if east * east + north * north <= distance_um * distance_um and is_free(shape, landing, near):
            return landing
    return None


def _ahead(pose: Pose, ahead: Vector, distance_um: int) -> Pose:
    x_um = pose.x_um + towards_zero(ahead[0] * distance_um, FINE)
    y_um = pose.y_um + towards_zero(ahead[1] * distance_um, FINE)
    return Pose(x_um=x_um, y_um=y_um, heading=pose.heading)


def _nudged(pose: Pose) -> Iterator[Pose]:
    for x_um, y_um in _NUDGES:
        yield Pose(x_um=pose.x_um + x_um, y_um=pose.y_um + y_um, heading=pose.heading)
