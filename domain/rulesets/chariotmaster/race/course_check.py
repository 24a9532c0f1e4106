"""CM-140: whether a drawn course can be raced on: start places free, obstacles on the track, a way round past them all.

Its pieces and walls were checked when they were laid. A refusal names the place.
"""

from collections.abc import Iterator
from itertools import pairwise

from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.table.course import UM_PER_MM, UnfitCourse
from domain.rulesets.chariotmaster.table.geometry import Interval
from domain.rulesets.chariotmaster.table.laps import Place, find_place, place_at
from domain.rulesets.chariotmaster.table.shapes import bounds, shifted
from domain.rulesets.chariotmaster.table.sines import FINE, Vector, direction, nearest
from domain.rulesets.chariotmaster.table.travel import is_free

# A third of the longest game's way on one lap; two seats race two laps of it. And no circus was shorter than 80 cm.
LAP_MM_MAX = 20_000
LAP_MM_MIN = 800
# Stations along the track, less than a chariot's length apart.
_STEP_UM = 20_000
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
    _, _, right_um, left_um = bounds(arena.chariot)
    reached: list[Interval] = [(-arena.course.width_um, arena.course.width_um)]
    for along_um in range(0, arena.middle.length_um, _STEP_UM):
        here = place_at(arena.middle, along_um)
        # A stretch of free places is reached as a whole, if any of it is.
        reached = [
            (low, high)
            for low, high in _free_places(arena, here)
            if any(low <= end and begin <= high for begin, end in reached)
        ]
        if not reached:
            expected = f"a way {(left_um - right_um) // UM_PER_MM} mm wide past the obstacles"
            raise UnfitCourse(expected=expected, found="none", point_um=here.point_um)


def _free_places(arena: Arena, here: Place) -> list[Interval]:
    """Return the places across the track where a chariot along it meets no obstacle, from the right to the left."""
    _, _, right_um, left_um = bounds(arena.chariot)
    half_um = arena.course.width_um // 2
    begin = -half_um - right_um
    free = []
    for low, high in sorted(_shadows(arena, here)):
        if low - left_um >= begin:
            free.append((begin, low - left_um))
        begin = max(begin, high - right_um)
    return [*free, (begin, half_um - left_um)] if begin <= half_um - left_um else free


def _shadows(arena: Arena, here: Place) -> Iterator[Interval]:
    """Yield how far to the left of the middle the obstacles beside a chariot reach, in micrometres."""
    rear_um, front_um, _, _ = bounds(arena.chariot)
    ahead = direction(here.heading)
    for placed in arena.objects:
        x_um, y_um = placed.pose.x_um - here.point_um[0], placed.pose.y_um - here.point_um[1]
        if max(abs(x_um), abs(y_um)) > placed.plan.length_mm * UM_PER_MM + arena.course.width_um + front_um:
            continue
        corners = [
            (nearest(x * ahead[0] + y * ahead[1], FINE * FINE), nearest(y * ahead[0] - x * ahead[1], FINE * FINE))
            for x, y in _seen_from(here.point_um, placed.parts[0].polygon.corners)
        ]
        beside = [aside for along, aside in corners if rear_um <= along <= front_um]
        for (along, aside), (end_along, end_aside) in pairwise([*corners, corners[0]]):
            beside += [
                aside + (end_aside - aside) * (edge - along) // (end_along - along)
                for edge in (rear_um, front_um)
                if min(along, end_along) < edge < max(along, end_along)
            ]
        if beside:
            yield min(beside), max(beside)


def _seen_from(point_um: Vector, corners: tuple[Vector, ...]) -> list[Vector]:
    return [(x - point_um[0] * FINE, y - point_um[1] * FINE) for x, y in corners]
