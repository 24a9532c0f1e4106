"""CM-128: finding room: a piece that is put on the table is put where it overlaps no other and inside the walls."""

from collections.abc import Sequence

from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.laps import find_place
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape
from domain.rulesets.chariotmaster.table.sines import FINE, FULL_TURN, QUARTER_TURN, direction, towards_zero
from domain.rulesets.chariotmaster.table.travel import Obstacle, settle

# No table is wider; the wall ends the search much sooner.
_STEPS_MAX = 1_000
# Nothing is put down further beyond a wall than a base is long; a spina is not thicker than twice that.
_ASTRAY_STEPS_MAX = 40


class NoRoom(AssertionError):
    """There is no free spot in any direction: more is on the table than fits."""


def find_room(arena: Arena, shape: Shape, pose: Pose, others: Sequence[Obstacle], *, heading: int) -> Pose:
    """CM-128: return the first free spot from a pose on, by millimetres; towards a wall in vain, then to the left.

    A spot beyond a wall is looked for from there back onto the track.
    """
    is_astray = not is_inside(arena, x_um=pose.x_um, y_um=pose.y_um)
    first = _inwards(arena, pose) if is_astray else heading
    for turn in range(0, FULL_TURN, QUARTER_TURN):
        found = _find_along(arena, shape, pose, others, heading=first + turn)
        if found is not None:
            return found
    raise NoRoom(pose)


def find_nearest_room(arena: Arena, shape: Shape, pose: Pose, others: Sequence[Obstacle], *, heading: int) -> Pose:
    """CM-70: return the nearest free spot ahead, to the left, behind or to the right of a pose, in this order."""
    turns = range(0, FULL_TURN, QUARTER_TURN)
    found = [_find_along(arena, shape, pose, others, heading=heading + turn) for turn in turns]
    spots = [spot for spot in found if spot is not None]
    if not spots:
        raise NoRoom(pose)
    return min(spots, key=lambda spot: (spot.x_um - pose.x_um) ** 2 + (spot.y_um - pose.y_um) ** 2)


def _find_along(arena: Arena, shape: Shape, pose: Pose, others: Sequence[Obstacle], *, heading: int) -> Pose | None:
    ahead = direction(heading)
    was_inside = False
    for step in range(_STEPS_MAX):
        x_um = pose.x_um + towards_zero(ahead[0] * step * UM_PER_MM, FINE)
        y_um = pose.y_um + towards_zero(ahead[1] * step * UM_PER_MM, FINE)
        if is_inside(arena, x_um=x_um, y_um=y_um):
            was_inside = True
            found = settle(shape, Pose(x_um=x_um, y_um=y_um, heading=pose.heading), others)
            if found is not None:
                return found
        elif was_inside or step > _ASTRAY_STEPS_MAX:
            return None
    return None


def _inwards(arena: Arena, pose: Pose) -> int:
    """Return the heading square to the middle of the track, towards it."""
    place = find_place(arena.middle, (pose.x_um, pose.y_um))
    ahead = direction(place.heading)
    is_left = ahead[0] * (pose.y_um - place.point_um[1]) > ahead[1] * (pose.x_um - place.point_um[0])
    return place.heading + (-QUARTER_TURN if is_left else QUARTER_TURN)


def is_inside(arena: Arena, *, x_um: int, y_um: int) -> bool:
    """Return whether a point is on the track: no further from its middle than half its width."""
    place = find_place(arena.middle, (x_um, y_um))
    half_um = arena.course.width_um // 2
    return (x_um - place.point_um[0]) ** 2 + (y_um - place.point_um[1]) ** 2 <= half_um * half_um
