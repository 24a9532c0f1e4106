"""The shortest way round: how far a chariot still has to drive from a point, and in which direction.

Computed once for a course: from the end of the second lap backwards, between points across the track.
"""

from functools import lru_cache
from math import atan2, cos, degrees, hypot, radians, sin

from msgspec import Struct

from domain.rulesets.chariotmaster.offers.course_picture import (
    ArcPicture,
    CoursePicture,
    ObjectPicture,
    StraightPicture,
)
from domain.rulesets.chariotmaster.table.course import UM_PER_MM, Arc, Piece, Straight, build_course
from domain.rulesets.chariotmaster.table.laps import Line, find_place, measure, place_at
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.table.sines import smallest_turn

_STEP_UM, _ASIDE_UM = 40_000, 10_000
# A chariot keeps so far from the walls with the middle of its nose: it has corners, and must turn.
_MARGIN_UM = 30_000
# The nose of a whole chariot is so far ahead of its middle.
_NOSE_UM = 20_000
_LAPS = 2
# The corner of a chariot that turns is this far from its middle, and the same for its nose beside an obstacle.
_CLEARANCE_UM = 24_000
# A point of the way that lies on an obstacle counts as so much more way: as a sweep, or a turn about it.
_BLOCKED_UM = 150_000
# A look ahead leads past so many points.
_SAMPLES = 5

XY = tuple[float, float]
# An object of the course: its middle, the way it faces, and how far from the middle, along and aside, a nose has room.
Block = tuple[float, float, float, float, float, float]


class Sight(Struct, frozen=True, kw_only=True):
    """The rest of the way from a pose, and the turn to its direction; left is positive."""

    to_go_um: float
    turn_degrees: int


class Road(Struct, frozen=True, kw_only=True):
    """Points across the track at every few centimetres, through two laps, with the rest of the way from each."""

    line: Line
    half_um: int
    blocks: tuple[Block, ...]
    points: tuple[tuple[XY, ...], ...]
    to_go_um: tuple[tuple[float, ...], ...]


@lru_cache(maxsize=4)
def build_road(course: CoursePicture) -> Road:
    """Find the shortest way round a course, for a chariot that keeps off the walls."""
    pieces = tuple(_piece_of(picture) for picture in course.pieces)
    line = measure(build_course(pieces, width_um=course.width_um).middle)
    half_um = course.width_um // 2
    limit = (half_um - _MARGIN_UM) // _ASIDE_UM
    blocks = tuple(_block_of(item) for item in course.objects)
    lap = [_across(line, along_um, limit) for along_um in range(0, line.length_um - _STEP_UM // 2, _STEP_UM)]
    points = tuple(lap * _LAPS)
    blocked = [tuple(_BLOCKED_UM * is_blocked(blocks, point) for point in points) for points in lap] * _LAPS
    to_go: list[tuple[float, ...]] = [(0.0,) * len(points[0])]
    for here, ahead, walls in zip(reversed(points[:-1]), reversed(points[1:]), reversed(blocked[:-1]), strict=True):
        rests = tuple(min(_gap(at, to) + rest for to, rest in zip(ahead, to_go[-1], strict=True)) for at in here)
        to_go.append(tuple(rest + wall for rest, wall in zip(rests, walls, strict=True)))
    return Road(line=line, half_um=half_um, blocks=blocks, points=points, to_go_um=tuple(reversed(to_go)))


def is_blocked(blocks: tuple[Block, ...], point: XY) -> bool:
    """Return whether the nose of a chariot has no room at a point, for an object of the course."""
    for middle_x, middle_y, east, north, along, aside in blocks:
        x, y = point[0] - middle_x, point[1] - middle_y
        if abs(x * east + y * north) < along and abs(y * east - x * north) < aside:
            return True
    return False


def _block_of(item: ObjectPicture) -> Block:
    pose, facing = item.pose, radians(item.pose.heading)
    along, aside = item.length_um / 2 + _CLEARANCE_UM, item.width_um / 2 + _CLEARANCE_UM
    return pose.x_um, pose.y_um, cos(facing), sin(facing), along, aside


def look(road: Road, pose: Pose, *, after_um: int = 0) -> Sight:
    """Look from the nose of a chariot along the shortest way; `after_um` is the place of an earlier look."""
    ahead = cos(radians(pose.heading)), sin(radians(pose.heading))
    nose = pose.x_um + ahead[0] * _NOSE_UM, pose.y_um + ahead[1] * _NOSE_UM
    along_um = place_of(road, nose)
    if along_um < after_um - road.line.length_um // 2:
        along_um += road.line.length_um
    station = along_um // _STEP_UM + 2
    rest, aim = min(
        (_gap(nose, to) + _blocked_um(road, nose, to) + rest, to)
        for to, rest in zip(road.points[station], road.to_go_um[station], strict=True)
    )
    heading = round(degrees(atan2(aim[1] - nose[1], aim[0] - nose[0])))
    return Sight(to_go_um=rest, turn_degrees=smallest_turn(pose.heading, heading))


def place_of(road: Road, point: XY) -> int:
    """Return how far along the middle of the track a point is."""
    return find_place(road.line, (round(point[0]), round(point[1]))).along_um


def is_on_track(road: Road, pose: Pose, *, ahead_um: int) -> bool:
    """Return whether the middle of a chariot has room so far ahead of a pose."""
    x_um = round(pose.x_um + cos(radians(pose.heading)) * ahead_um)
    y_um = round(pose.y_um + sin(radians(pose.heading)) * ahead_um)
    place = find_place(road.line, (x_um, y_um))
    return hypot(x_um - place.point_um[0], y_um - place.point_um[1]) <= road.half_um - _ASIDE_UM


def driven(pose: Pose, *, distance_um: int, turn_degrees: int) -> Pose:
    """Return a pose so far ahead, turned there about its middle."""
    return Pose(
        x_um=round(pose.x_um + cos(radians(pose.heading)) * distance_um),
        y_um=round(pose.y_um + sin(radians(pose.heading)) * distance_um),
        heading=(pose.heading + turn_degrees) % 360,
    )


def _across(line: Line, along_um: int, limit: int) -> tuple[XY, ...]:
    place = place_at(line, along_um)
    left = -sin(radians(place.heading)), cos(radians(place.heading))
    return tuple(
        (place.point_um[0] + left[0] * aside * _ASIDE_UM, place.point_um[1] + left[1] * aside * _ASIDE_UM)
        for aside in range(-limit, limit + 1)
    )


def _blocked_um(road: Road, nose: XY, aim: XY) -> int:
    """Return the way that the obstacles between a nose and its aim add."""
    if not road.blocks:
        return 0
    shares = [step / _SAMPLES for step in range(1, _SAMPLES)]
    between = [(nose[0] + (aim[0] - nose[0]) * share, nose[1] + (aim[1] - nose[1]) * share) for share in shares]
    return _BLOCKED_UM * sum(is_blocked(road.blocks, point) for point in between)


def _gap(one: XY, other: XY) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _piece_of(picture: StraightPicture | ArcPicture) -> Piece:
    if isinstance(picture, StraightPicture):
        return Straight(length_mm=picture.length_um // UM_PER_MM, more_um=picture.length_um % UM_PER_MM)
    return Arc(radius_mm=picture.radius_um // UM_PER_MM, degrees=picture.degrees, turn=picture.turn)
