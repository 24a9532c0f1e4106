"""CM-140: whether a drawn course can be raced on: start places free, obstacles on the track, a way round past them all.

Its pieces and walls were checked when they were laid. A refusal names the place.
"""

from collections.abc import Iterable

from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.table.course import UM_PER_MM, UnfitCourse
from domain.rulesets.chariotmaster.table.laps import find_place, place_at
from domain.rulesets.chariotmaster.table.shapes import Pose, bounds, shifted
from domain.rulesets.chariotmaster.table.sines import Vector
from domain.rulesets.chariotmaster.table.travel import Obstacle, is_free

# A third of the longest game's way on one lap; two seats race two laps of it. And no circus was shorter than 80 cm.
LAP_MM_MAX = 20_000
LAP_MM_MIN = 800
# Stations along the track, less than a chariot's length apart, and places across it, less than its width apart.
_STEP_UM, _ASIDE_UM = 20_000, 5_000
# An obstacle stands so far from both rows of the grid, so that every start has a first move.
_START_ROOM_MM = 50


def check_course(arena: Arena) -> None:
    """Raise UnfitCourse with the first place at which a race could not be held."""
    lap_mm = arena.middle.length_um // UM_PER_MM
    if not LAP_MM_MIN <= lap_mm <= LAP_MM_MAX:
        raise UnfitCourse(expected=f"a lap of {LAP_MM_MIN} to {LAP_MM_MAX} mm", found=f"{lap_mm} mm")
    for number in range(len(arena.objects)):
        _check_obstacle(arena, number)
    if arena.objects:
        _require_way_round(arena)


def _check_obstacle(arena: Arena, number: int) -> None:
    placed = arena.objects[number]
    point_um = placed.pose.x_um, placed.pose.y_um
    place = find_place(arena.middle, point_um)
    off_um = (point_um[0] - place.point_um[0]) ** 2 + (point_um[1] - place.point_um[1]) ** 2
    if off_um > (arena.course.width_um // 2) ** 2 or not is_free(placed.shape, placed.pose, arena.walls):
        raise UnfitCourse(expected="an obstacle between the walls", found="one on a wall or beyond it",
                          obstacle=number, point_um=point_um)  # fmt: skip
    for other, before in enumerate(arena.objects[:number]):
        if not is_free(placed.shape, placed.pose, before.parts):
            raise UnfitCourse(expected="obstacles that keep apart", found=f"one on obstacle {other + 1}",
                              obstacle=number, point_um=point_um)  # fmt: skip
    starts = [pose for row in arena.grid for pose in row]
    firsts = [shifted(pose, ahead_um=_START_ROOM_MM * UM_PER_MM, left_um=0) for pose in starts]
    if not all(is_free(arena.chariot, pose, placed.parts) for pose in starts + firsts):
        raise UnfitCourse(expected=f"start places free, and {_START_ROOM_MM} mm before them", found="an obstacle there",
                          obstacle=number, point_um=point_um)  # fmt: skip


def _require_way_round(arena: Arena) -> None:
    """Drive all ways at once: ahead from station to station, and sideways wherever there is room beside."""
    rear_um, front_um, right_um, left_um = bounds(arena.chariot)
    limit = (arena.course.width_um // 2 - max(left_um, -right_um) - UM_PER_MM) // _ASIDE_UM
    reach_um = front_um - rear_um + arena.course.width_um
    reached = set(range(-limit, limit + 1))
    for along_um in range(0, arena.middle.length_um, _STEP_UM):
        here = place_at(arena.middle, along_um)
        near = _objects_near(arena, here.point_um, reach_um)
        free = {
            aside
            for aside in range(-limit, limit + 1)
            if not near or is_free(arena.chariot, _posed(here.point_um, here.heading, aside), near)
        }
        reached = _spread(reached & free, free)
        if not reached:
            expected = f"a way {(left_um - right_um) // UM_PER_MM} mm wide past the obstacles"
            raise UnfitCourse(expected=expected, found="none", point_um=here.point_um)


def _objects_near(arena: Arena, point_um: Vector, reach_um: int) -> tuple[Obstacle, ...]:
    return tuple(
        part
        for placed in arena.objects
        if max(abs(placed.pose.x_um - point_um[0]), abs(placed.pose.y_um - point_um[1])) <= reach_um
        for part in placed.parts
    )


def _posed(point_um: Vector, heading: int, aside: int) -> Pose:
    return shifted(Pose(x_um=point_um[0], y_um=point_um[1], heading=heading), ahead_um=0, left_um=aside * _ASIDE_UM)


def _spread(reached: Iterable[int], free: set[int]) -> set[int]:
    """Return the free places that are beside reached ones, over free places alone."""
    spread = set(reached)
    for step in (1, -1):
        for aside in sorted(free, key=lambda place: place * step):
            if aside - step in spread:
                spread.add(aside)
    return spread
