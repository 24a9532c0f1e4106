"""The constants of a race: the box, and the course drawn from its plan; and the pieces that stand on it right now.

`standing` is the one place that knows which base a chariot has, whole or in pieces.
"""

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from domain.rulesets.chariotmaster.box.bases import chariot_shape, dragging_shape, driver_shape, team_shape, wreck_shape
from domain.rulesets.chariotmaster.box.component_file import Components
from domain.rulesets.chariotmaster.race.board import (
    Board,
    Chariot,
    PieceId,
    driver_piece,
    is_fixed,
    is_on_foot,
    is_wall,
    is_wreck,
    object_number,
    object_piece,
    team_piece,
    wreck_piece,
)
from domain.rulesets.chariotmaster.race.outcomes import AnyPart
from domain.rulesets.chariotmaster.table.course import UM_PER_MM, Course, build_course, wall_obstacles
from domain.rulesets.chariotmaster.table.course_plan import CoursePlan, ObstaclePlan
from domain.rulesets.chariotmaster.table.grid import build_grid
from domain.rulesets.chariotmaster.table.laps import Line, measure
from domain.rulesets.chariotmaster.table.shapes import PartName, Pose, Shape, build_part, build_shape, polygons
from domain.rulesets.chariotmaster.table.sines import FINE, Vector
from domain.rulesets.chariotmaster.table.travel import Obstacle

# The walls of a bend are a few millimetres a stretch: this many are about as long as a chariot's turn.
_RUN_LENGTH = 16


class FixedRun(Struct, frozen=True, kw_only=True):
    """Stretches of wall that follow each other, or objects, and the box around them, in fine units."""

    parts: tuple[Obstacle, ...]
    low: Vector
    high: Vector


class PlacedObject(Struct, frozen=True, kw_only=True):
    """CM-141: an obstacle of the course where it stands."""

    plan: ObstaclePlan
    shape: Shape
    pose: Pose
    parts: tuple[Obstacle, ...]


class Arena(Struct, frozen=True, kw_only=True):
    """The box on one course: built once for a ruleset. `fixed` are the walls and the objects, which never move."""

    box: Components
    plan: CoursePlan
    course: Course
    chariot: Shape
    dragging: Shape
    team: Shape
    wreck: Shape
    driver: Shape
    middle: Line
    grid: tuple[tuple[Pose, ...], ...]
    walls: tuple[Obstacle, ...]
    objects: tuple[PlacedObject, ...]
    fixed: tuple[Obstacle, ...]
    fixed_runs: tuple[FixedRun, ...]


def build_arena(box: Components, plan: CoursePlan) -> Arena:
    """Draw a course and the bases of checked components; raises UnfitCourse."""
    course = build_course(plan.pieces, width_um=plan.width_mm * UM_PER_MM)
    walls = wall_obstacles(course)
    objects = tuple(_place(number, row) for number, row in enumerate(plan.obstacles))
    fixed = (*walls, *(part for placed in objects for part in placed.parts))
    return Arena(
        box=box,
        plan=plan,
        course=course,
        chariot=chariot_shape(box),
        dragging=dragging_shape(box),
        team=team_shape(box),
        wreck=wreck_shape(box),
        driver=driver_shape(box),
        middle=measure(course.middle),
        grid=build_grid(course, chariot_shape(box), gap_um=plan.grid_gap_mm * UM_PER_MM),
        walls=walls,
        objects=objects,
        fixed=fixed,
        fixed_runs=tuple(_enclose(fixed[first : first + _RUN_LENGTH]) for first in range(0, len(fixed), _RUN_LENGTH)),
    )


def _place(number: int, plan: ObstaclePlan) -> PlacedObject:
    name: PartName = "low_obstacle" if plan.height == "low" else "high_obstacle"
    shape = build_shape(build_part(name, length_um=plan.length_mm * UM_PER_MM, width_um=plan.width_mm * UM_PER_MM))
    pose = Pose(x_um=plan.x_mm * UM_PER_MM, y_um=plan.y_mm * UM_PER_MM, heading=plan.heading)
    parts = tuple(
        Obstacle(key=(object_piece(number), place), heading=pose.heading, polygon=polygon)
        for place, polygon in enumerate(polygons(shape, pose))
    )
    return PlacedObject(plan=plan, shape=shape, pose=pose, parts=parts)


def object_of(arena: Arena, piece: PieceId) -> PlacedObject:
    """Return the obstacle of a course that this piece is."""
    return arena.objects[object_number(piece)]


def team_base(arena: Arena, chariot: Chariot) -> Shape:
    """Return the base of the horses, with the body or the dragged driver behind them."""
    if chariot.has_body:
        return arena.chariot
    return arena.dragging if chariot.driver == "dragged" else arena.team


def base_of(arena: Arena, board: Board, piece: PieceId) -> Shape:
    """Return the base of a piece that is no wall."""
    if is_wreck(piece):
        return arena.wreck
    if is_fixed(piece):
        return object_of(arena, piece).shape
    return arena.driver if is_on_foot(piece) else team_base(arena, board.chariots[piece])


def part_of(arena: Arena, board: Board, piece: PieceId, part: int) -> AnyPart:
    """Return the name of a part of a piece; every stretch of a wall is wall."""
    return "wall" if is_wall(piece) else base_of(arena, board, piece).parts[part].name


def standing(arena: Arena, board: Board) -> Iterator[tuple[PieceId, Shape, Pose]]:
    """List everything on the table that can move, in the order of chariots, then wrecks."""
    for number, chariot in enumerate(board.chariots):
        if chariot.team_pose is not None:
            yield team_piece(number), team_base(arena, chariot), chariot.team_pose
        if chariot.driver_pose is not None:
            yield driver_piece(number), arena.driver, chariot.driver_pose
    for wreck in board.wrecks:
        yield wreck_piece(wreck.chariot), arena.wreck, wreck.pose


def obstacles(arena: Arena, board: Board, *, without: tuple[PieceId, ...]) -> tuple[Obstacle, ...]:
    """Return the walls, the objects and the parts of all pieces on the table except `without`."""
    return (*arena.fixed, *_parts(arena, board, without))


def obstacles_near(
    arena: Arena, board: Board, pose: Pose, *, reach_um: int, without: tuple[PieceId, ...]
) -> tuple[Obstacle, ...]:
    """Return the same, but nothing fixed that is further from a pose than so much, and all in the same order."""
    reach = reach_um * FINE
    west, east = pose.x_um * FINE - reach, pose.x_um * FINE + reach
    south, north = pose.y_um * FINE - reach, pose.y_um * FINE + reach
    runs = (
        run.parts
        for run in arena.fixed_runs
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


def _enclose(parts: tuple[Obstacle, ...]) -> FixedRun:
    lows, highs = [part.polygon.low for part in parts], [part.polygon.high for part in parts]
    return FixedRun(
        parts=parts,
        low=(min(x for x, _ in lows), min(y for _, y in lows)),
        high=(max(x for x, _ in highs), max(y for _, y in highs)),
    )
