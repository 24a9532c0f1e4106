"""The track: a lap of spaces from the line on, some of them outer ones in the corners.

Progress counts spaces from the line over the whole race; a space is progress modulo the lap.
"""

from typing import Literal

from msgspec import Struct

SpaceKind = Literal["regular", "outer"]
Point = tuple[int, int]


class Space(Struct, frozen=True, kw_only=True):
    """Corners in the order inside behind, inside ahead, outside ahead, outside behind."""

    kind: SpaceKind
    corners: tuple[Point, Point, Point, Point]


class Track(Struct, frozen=True, kw_only=True):
    """Enough to draw it: a grid whose y points down, and the spaces in the order of a lap, counter-clockwise.

    The line lies between the last space and the first; `start` is the space where all begin.
    """

    width: int
    height: int
    spaces: tuple[Space, ...]
    start: int


def space_at(track: Track, progress: int) -> int:
    return progress % len(track.spaces)


def is_outer(track: Track, progress: int) -> bool:
    return track.spaces[progress % len(track.spaces)].kind == "outer"


def laps_completed(track: Track, progress: int) -> int:
    """Count the laps of a chariot. Start lies before the line, so crossing it first completes none."""
    return max(progress, 0) // len(track.spaces)
