"""The course as it is drawn on the table: pieces, walls, finish line, grid. Made once; it never changes in a race.

Lengths are micrometres, headings whole degrees counter-clockwise from the x axis.
"""

from typing import Literal

from msgspec import Struct

from domain.rulesets.chariotmaster.race.board import PieceId, object_piece
from domain.rulesets.chariotmaster.race.racetrack import Arena, PlacedObject
from domain.rulesets.chariotmaster.table.course import CHORD_DEGREES, UM_PER_MM, Arc, Piece, stretches_of
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.table.sines import FINE, FULL_TURN, Vector, nearest


class Point(Struct, frozen=True, kw_only=True):
    x_um: int
    y_um: int


class Starts(Struct, frozen=True, kw_only=True):
    """Where a piece begins on each line, and where it faces there; it ends where the next piece begins."""

    heading: int
    middle: Point
    inner_wall: Point
    outer_wall: Point


class StraightPicture(Struct, frozen=True, kw_only=True, tag_field="kind", tag="straight"):
    length_um: int
    starts: Starts


class ArcPicture(Struct, frozen=True, kw_only=True, tag_field="kind", tag="arc"):
    """The radius is that of the middle line; the walls' are half the width more and less."""

    radius_um: int
    degrees: int
    turn: Literal["left", "right"]
    starts: Starts


class ObjectPicture(Struct, frozen=True, kw_only=True):
    """CM-141: an obstacle that never moves, by the name it has in outcomes: its middle, its size and what it does."""

    piece: PieceId
    pose: Pose
    length_um: int
    width_um: int
    height: Literal["low", "high"]
    dice: int
    loses: str


class CoursePicture(Struct, frozen=True, kw_only=True):
    """Races run along the pieces, with the inner wall on the left. Arcs are chords of so many degrees, and measured so.

    The finish line leads from wall to wall. The grid has a pose for each place, row by row, from the inside.
    """

    name: str
    width_um: int
    lap_um: int
    chord_degrees: int
    low: Point
    high: Point
    pieces: tuple[StraightPicture | ArcPicture, ...]
    finish_line: tuple[Point, Point]
    grid: tuple[tuple[Pose, ...], ...]
    objects: tuple[ObjectPicture, ...]


def draw_course(arena: Arena) -> CoursePicture:
    """Draw the course of an arena."""
    course = arena.course
    outline = [point_of(stretch.start) for line in (course.left, course.right) for stretch in line]
    pieces, stretch = [], 0
    for piece in arena.plan.pieces:
        pieces.append(_draw_piece(arena, piece, stretch))
        stretch += stretches_of(piece)
    return CoursePicture(
        name=arena.plan.name,
        width_um=course.width_um,
        lap_um=arena.middle.length_um,
        chord_degrees=CHORD_DEGREES,
        low=Point(x_um=min(point.x_um for point in outline), y_um=min(point.y_um for point in outline)),
        high=Point(x_um=max(point.x_um for point in outline), y_um=max(point.y_um for point in outline)),
        pieces=tuple(pieces),
        finish_line=(point_of(course.left[0].start), point_of(course.right[0].start)),
        grid=arena.grid,
        objects=tuple(_draw_object(number, placed) for number, placed in enumerate(arena.objects)),
    )


def _draw_object(number: int, placed: PlacedObject) -> ObjectPicture:
    plan = placed.plan
    return ObjectPicture(
        piece=object_piece(number),
        pose=placed.pose,
        length_um=plan.length_mm * UM_PER_MM,
        width_um=plan.width_mm * UM_PER_MM,
        height=plan.height,
        dice=plan.dice,
        loses=plan.loses,
    )


def point_of(fine: Vector) -> Point:
    """Return a point in fine units to the nearest micrometre."""
    return Point(x_um=nearest(fine[0], FINE), y_um=nearest(fine[1], FINE))


def _draw_piece(arena: Arena, piece: Piece, stretch: int) -> StraightPicture | ArcPicture:
    course = arena.course
    # The first chord of an arc points half of itself away from where the arc begins.
    half = CHORD_DEGREES // 2
    back = 0 if not isinstance(piece, Arc) else half if piece.turn == "left" else -half
    starts = Starts(
        heading=(course.middle[stretch].heading - back) % FULL_TURN,
        middle=point_of(course.middle[stretch].start),
        inner_wall=point_of(course.left[stretch].start),
        outer_wall=point_of(course.right[stretch].start),
    )
    if isinstance(piece, Arc):
        radius_um = piece.radius_mm * UM_PER_MM
        return ArcPicture(radius_um=radius_um, degrees=piece.degrees, turn=piece.turn, starts=starts)
    return StraightPicture(length_um=piece.length_um, starts=starts)
