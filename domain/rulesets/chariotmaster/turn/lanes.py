"""CM-125: lanes beside the middle of the track: how far aside a point is, and the line that runs as far aside."""

from functools import lru_cache
from math import isqrt

from msgspec import Struct

from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.table.course import Piece, parallel_line
from domain.rulesets.chariotmaster.table.lane import Following
from domain.rulesets.chariotmaster.table.laps import Line, find_place, measure
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.table.sines import FINE, Vector, direction, nearest

# Sweeps lead in whole degrees and stretches meet at angles, so a sweep to the middle ends this far from it at worst:
# 10 cm aside, at a vertex of 2°. A base as near as that is set on the line at the next vertex.
_ON_THE_LINE_UM = 100
# The lanes of a few turns: a chariot stays on its lane, and comes back to the middle.
_REMEMBERED_LANES_MAX = 64


class Lane(Struct, frozen=True, kw_only=True):
    """The line a base is on: so far to the left of the middle, and on which of its stretches."""

    offset_um: int
    line: Line
    stretch: int

    @property
    def heading(self) -> int:
        return self.line.stretches[self.stretch].heading


def find_lane(arena: Arena, pose: Pose) -> Lane:
    """Return the lane of a base's reference point; at a vertex it is already on the stretch that begins there."""
    offset_um = offset_of(arena, (pose.x_um, pose.y_um))
    line = _line(arena.plan.pieces, offset_um) if abs(offset_um) > _ON_THE_LINE_UM else arena.middle
    stretch = find_place(line, (pose.x_um, pose.y_um)).stretch
    end = line.stretches[stretch].end
    x_um, y_um = nearest(end[0], FINE) - pose.x_um, nearest(end[1], FINE) - pose.y_um
    if x_um * x_um + y_um * y_um <= _ON_THE_LINE_UM * _ON_THE_LINE_UM:
        stretch = (stretch + 1) % len(line.stretches)
    return Lane(offset_um=offset_um, line=line, stretch=stretch)


def offset_of(arena: Arena, point_um: Vector) -> int:
    """Return how far to the left of the middle a point is, in whole micrometres; to the right is negative."""
    place = find_place(arena.middle, point_um)
    x_um, y_um = point_um[0] - place.point_um[0], point_um[1] - place.point_um[1]
    ahead = direction(place.heading)
    side = 1 if ahead[0] * y_um - ahead[1] * x_um > 0 else -1
    return side * isqrt(x_um * x_um + y_um * y_um)


def start_on(lane: Lane, pose: Pose) -> Following:
    """Begin to follow a lane."""
    return Following(pose=pose, stretch=lane.stretch, distance_um=0, contacts=())


@lru_cache(maxsize=_REMEMBERED_LANES_MAX)
def _line(pieces: tuple[Piece, ...], left_um: int) -> Line:
    return measure(parallel_line(pieces, left_um=left_um))
