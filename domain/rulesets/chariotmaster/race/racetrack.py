"""The constants of a race: the box and the course drawn from it; and the pieces that stand on it right now.

`standing` is the one place that knows which base a chariot has, whole or in pieces.
"""

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from domain.rulesets.chariotmaster.box.bases import chariot_shape, dragging_shape, driver_shape, team_shape, wreck_shape
from domain.rulesets.chariotmaster.box.component_file import Components, CourseRow
from domain.rulesets.chariotmaster.race.board import (
    Board,
    Chariot,
    PieceId,
    driver_piece,
    is_on_foot,
    is_wall,
    is_wreck,
    team_piece,
    wreck_piece,
)
from domain.rulesets.chariotmaster.race.outcomes import AnyPart
from domain.rulesets.chariotmaster.table.course import UM_PER_MM, Course, build_course, wall_obstacles
from domain.rulesets.chariotmaster.table.grid import build_grid
from domain.rulesets.chariotmaster.table.laps import Line, measure
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape, polygons
from domain.rulesets.chariotmaster.table.sines import FINE, Vector
from domain.rulesets.chariotmaster.table.travel import Obstacle

# The walls of a bend are a few millimetres a stretch: this many are about as long as a chariot's turn.
_RUN_WALLS = 16


class WallRun(Struct, frozen=True, kw_only=True):
    """Stretches of wall that follow each other, and the box around them, in fine units."""

    walls: tuple[Obstacle, ...]
    low: Vector
    high: Vector


class Arena(Struct, frozen=True, kw_only=True):
    """The box on one of its courses: built once for a ruleset."""

    box: Components
    row: CourseRow
    course: Course
    chariot: Shape
    dragging: Shape
    team: Shape
    wreck: Shape
    driver: Shape
    middle: Line
    grid: tuple[tuple[Pose, ...], ...]
    walls: tuple[Obstacle, ...]
    wall_runs: tuple[WallRun, ...]


def build_arena(box: Components, row: CourseRow) -> Arena:
    """Draw a course and the bases of checked components."""
    course = build_course(row.pieces, width_um=row.width_mm * UM_PER_MM)
    walls = wall_obstacles(course)
    return Arena(
        box=box,
        row=row,
        course=course,
        chariot=chariot_shape(box),
        dragging=dragging_shape(box),
        team=team_shape(box),
        wreck=wreck_shape(box),
        driver=driver_shape(box),
        middle=measure(course.middle),
        grid=build_grid(course, chariot_shape(box), gap_um=row.grid_gap_mm * UM_PER_MM),
        walls=walls,
        wall_runs=tuple(_enclose(walls[first : first + _RUN_WALLS]) for first in range(0, len(walls), _RUN_WALLS)),
    )


def team_base(arena: Arena, chariot: Chariot) -> Shape:
    """Return the base of the horses, with the body or the dragged driver behind them."""
    if chariot.has_body:
        return arena.chariot
    return arena.dragging if chariot.driver == "dragged" else arena.team


def base_of(arena: Arena, board: Board, piece: PieceId) -> Shape:
    """Return the base of a piece that is no wall."""
    if is_wreck(piece):
        return arena.wreck
    return arena.driver if is_on_foot(piece) else team_base(arena, board.chariots[piece])


def part_of(arena: Arena, board: Board, piece: PieceId, part: int) -> AnyPart:
    """Return the name of a part of a piece; every stretch of a wall is wall."""
    return "wall" if is_wall(piece) else base_of(arena, board, piece).parts[part].name


def standing(arena: Arena, board: Board) -> Iterator[tuple[PieceId, Shape, Pose]]:
    """List everything on the table but the walls, in the order of chariots, then wrecks."""
    for number, chariot in enumerate(board.chariots):
        if chariot.team_pose is not None:
            yield team_piece(number), team_base(arena, chariot), chariot.team_pose
        if chariot.driver_pose is not None:
            yield driver_piece(number), arena.driver, chariot.driver_pose
    for wreck in board.wrecks:
        yield wreck_piece(wreck.chariot), arena.wreck, wreck.pose


def obstacles(arena: Arena, board: Board, *, without: tuple[PieceId, ...]) -> tuple[Obstacle, ...]:
    """Return the walls and the parts of all pieces on the table except `without`."""
    return (*arena.walls, *_parts(arena, board, without))


def obstacles_near(
    arena: Arena, board: Board, pose: Pose, *, reach_um: int, without: tuple[PieceId, ...]
) -> tuple[Obstacle, ...]:
    """Return the same, but no walls that are further from a pose than so much, and all in the same order."""
    reach = reach_um * FINE
    west, east = pose.x_um * FINE - reach, pose.x_um * FINE + reach
    south, north = pose.y_um * FINE - reach, pose.y_um * FINE + reach
    runs = (
        run.walls
        for run in arena.wall_runs
        if run.low[0] <= east and run.high[0] >= west and run.low[1] <= north and run.high[1] >= south
    )
    return (*chain.from_iterable(runs), *_parts(arena, board, without))


def _parts(arena: Arena, board: Board, without: tuple[PieceId, ...]) -> list[Obstacle]:
    return [
        Obstacle(key=(piece, place), heading=pose.heading, polygon=polygon)
        for piece, shape, pose in standing(arena, board)
        if piece not in without
        for place, polygon in enumerate(polygons(shape, pose))
    ]


def _enclose(walls: tuple[Obstacle, ...]) -> WallRun:
    lows, highs = [wall.polygon.low for wall in walls], [wall.polygon.high for wall in walls]
    return WallRun(
        walls=walls,
        low=(min(x for x, _ in lows), min(y for _, y in lows)),
        high=(max(x for x, _ in highs), max(y for _, y in highs)),
    )
