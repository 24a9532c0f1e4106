"""CM-61, CM-62: how a chariot out of control gets past obstacles, and back to the middle of the track.

It looks only, and moves nothing. Past an obstacle means: a sweep that is free, and then a lane free until it is behind.
"""

from collections.abc import Iterable

from msgspec import Struct

from domain.rulesets.chariotmaster.race.board import Board, PieceId, find_pose, is_fixed, is_wall, team_piece
from domain.rulesets.chariotmaster.race.racetrack import Arena, base_of, object_of, obstacles
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.geometry import Polygon, extent
from domain.rulesets.chariotmaster.table.lane import follow
from domain.rulesets.chariotmaster.table.shapes import Part, Pose, Shape, bounds, polygons
from domain.rulesets.chariotmaster.table.sines import FINE, FULL_TURN, QUARTER_TURN, direction, nearest
from domain.rulesets.chariotmaster.table.travel import Contact, Obstacle, find_contacts, nearby, travel
from domain.rulesets.chariotmaster.turn.lanes import Lane, find_lane, offset_of, start_on

# Nothing further away matters to a move of one turn: 18 cm ahead, some boosts, and a chariot's length to pass.
_SIGHT_UM = 350_000
# In a bend the first guess is a few millimetres short; where it still fails after so many tries there is no room.
_TRIES_MAX = 40


class Swerve(Struct, frozen=True, kw_only=True):
    """A sweep to a side, facing as before."""

    heading: int
    distance_um: int


class Runner(Struct, frozen=True, kw_only=True):
    """A team as it stands, and the obstacles near it."""

    arena: Arena
    board: Board
    chariot: int
    base: Shape
    pose: Pose
    lane: Lane
    others: tuple[Obstacle, ...]


def build_runner(arena: Arena, board: Board, chariot: int) -> Runner | None:
    """Look round from where a team stands, if there is one."""
    piece = team_piece(chariot)
    pose = find_pose(board, piece)
    if pose is None:
        return None
    base = base_of(arena, board, piece)
    others = obstacles(arena, board, without=(piece,))
    return Runner(
        arena=arena,
        board=board,
        chariot=chariot,
        base=base,
        pose=pose,
        lane=find_lane(arena, pose),
        others=tuple(nearby(base, pose, others, way=(0, 0), margin_um=_SIGHT_UM)),
    )


def is_in_middle(runner: Runner) -> bool:
    """Return whether there is nothing to sweep for."""
    return abs(runner.lane.offset_um) <= runner.arena.box.numbers.touching_mm * UM_PER_MM


def find_way_back(runner: Runner, pose: Pose, lane: Lane) -> Swerve | None:
    """CM-125: return the sweep that leads from a lane to the middle, if it is free and leads in front of nothing."""
    heading = (lane.heading + (-QUARTER_TURN if lane.offset_um > 0 else QUARTER_TURN)) % FULL_TURN
    distance_um = abs(lane.offset_um)
    went = travel(runner.base, pose, runner.others, heading=heading, distance_um=distance_um)
    if went.contacts:
        return None
    # Back in front of the same obstacle would be no way back: it must be able to go on there.
    least_um = runner.arena.box.numbers.sub_move_min_mm * UM_PER_MM
    if travel(runner.base, went.pose, runner.others, heading=lane.heading, distance_um=least_um).contacts:
        return None
    return Swerve(heading=heading, distance_um=distance_um)


def find_way_round(runner: Runner, contacts: tuple[Contact, ...]) -> Swerve | None:
    """CM-125: return the shortest sweep past the obstacles, in whole millimetres; of two equal ones the inner."""
    met = frozenset(PieceId(contact.obstacle[0]) for contact in contacts)
    sweeps = [_try_side(runner, met, side) for side in (1, -1)]
    return min((sweep for sweep in sweeps if sweep is not None), key=lambda sweep: sweep.distance_um, default=None)


def way_past_um(runner: Runner, met: Iterable[PieceId]) -> int:
    """Return how far a base goes straight ahead until all that is met is behind it, a hair to spare."""
    ahead = direction(runner.lane.heading)
    here = (runner.pose.x_um * ahead[0] + runner.pose.y_um * ahead[1]) * FINE
    fars = [extent(polygon, ahead)[1] for piece in met for polygon in _wide(runner, piece)]
    rear_um = bounds(runner.base)[0]
    return max([(far - here) // (FINE * FINE) - rear_um for far in fars], default=0)


def _try_side(runner: Runner, met: frozenset[PieceId], side: int) -> Swerve | None:
    """Widen a sweep to one side until it leads past everything that it would still meet."""
    heading = (runner.lane.heading + side * QUARTER_TURN) % FULL_TURN
    width_um = runner.arena.course.width_um
    free_um = travel(runner.base, runner.pose, runner.others, heading=heading, distance_um=width_um).distance_um
    distance_um = _least_um(runner, met, side)
    for _ in range(_TRIES_MAX):
        if distance_um > free_um:
            return None
        blockers = _find_blockers(runner, met, Swerve(heading=heading, distance_um=distance_um))
        if not blockers:
            return Swerve(heading=heading, distance_um=distance_um)
        met |= blockers
        distance_um = max(distance_um + UM_PER_MM, _least_um(runner, met, side))
    return None


def _least_um(runner: Runner, met: Iterable[PieceId], side: int) -> int:
    """Return the whole millimetres that no sweep past these pieces can do without."""
    half_um = bounds(runner.base)[3]
    least_um = UM_PER_MM
    for piece in met:
        for polygon in _wide(runner, piece):
            for x, y in polygon.corners:
                reach_um = side * offset_of(runner.arena, (nearest(x, FINE), nearest(y, FINE))) + half_um
                least_um = max(least_um, reach_um - side * runner.lane.offset_um)
    return least_um // UM_PER_MM * UM_PER_MM


def _find_blockers(runner: Runner, met: frozenset[PieceId], sweep: Swerve) -> frozenset[PieceId]:
    """Return the pieces that a base would still meet beside those it means to pass, with room to spare for that."""
    pose = travel(runner.base, runner.pose, runner.others, heading=sweep.heading, distance_um=sweep.distance_um).pose
    others = tuple(
        obstacle for obstacle in runner.others if obstacle.key[0] not in met or is_wall(PieceId(obstacle.key[0]))
    )
    wide = tuple(
        Obstacle(key=(piece, place), heading=0, polygon=polygon)
        for piece in sorted(met)
        for place, polygon in enumerate(_wide(runner, piece))
    )
    contacts = find_contacts(runner.base, pose, wide)
    if not contacts:
        lane = find_lane(runner.arena, pose)
        way_um = way_past_um(runner, met)
        contacts = follow(
            runner.base, start_on(lane, pose), others + wide, line=lane.line.stretches, distance_um=way_um
        ).contacts
    return frozenset(PieceId(contact.obstacle[0]) for contact in contacts)


def _wide(runner: Runner, piece: PieceId) -> tuple[Polygon, ...]:
    """Return the base of a piece with the room around it that must be spared; no chariot passes a wall."""
    if is_wall(piece):
        return ()
    pose = object_of(runner.arena, piece).pose if is_fixed(piece) else find_pose(runner.board, piece)
    if pose is None:
        return ()
    spare_um = runner.arena.box.numbers.passing_mm * UM_PER_MM
    return polygons(_widened(base_of(runner.arena, runner.board, piece), spare_um), pose)


def _widened(shape: Shape, by_um: int) -> Shape:
    rear_um, front_um, right_um, left_um = shape.bounds_um
    return Shape(
        bounds_um=(rear_um - by_um, front_um + by_um, right_um - by_um, left_um + by_um),
        parts=tuple(
            Part(
                name=part.name,
                rear_um=part.rear_um - by_um,
                front_um=part.front_um + by_um,
                right_um=part.right_um - by_um,
                left_um=part.left_um + by_um,
            )
            for part in shape.parts
        ),
    )
