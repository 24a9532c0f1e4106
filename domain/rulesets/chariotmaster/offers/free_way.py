"""Looking ahead: how far the way is free, how far there is room to turn, where the track leads. Measuring is free."""

from collections.abc import Sequence

from domain.rulesets.chariotmaster.race.board import Board, team_piece
from domain.rulesets.chariotmaster.race.racetrack import Arena, obstacles, team_base
from domain.rulesets.chariotmaster.table.laps import find_place
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape, pivoted
from domain.rulesets.chariotmaster.table.sines import smallest_turn
from domain.rulesets.chariotmaster.table.travel import Obstacle, nearby, settle, travel, turn


def others_around(arena: Arena, board: Board, chariot: int, pose: Pose, *, within_um: int) -> tuple[Obstacle, ...]:
    """Return every obstacle that a chariot standing there could run into on the next stretch, in any direction."""
    base = team_base(arena, board.chariots[chariot])
    others = obstacles(arena, board, without=(team_piece(chariot),))
    return narrowed(base, pose, others, within_um=within_um)


def narrowed(base: Shape, pose: Pose, others: Sequence[Obstacle], *, within_um: int) -> tuple[Obstacle, ...]:
    """Leave out the obstacles out of a base's reach on the next stretch, in any direction."""
    rear_um, front_um, right_um, left_um = base.bounds_um
    margin_um = within_um + front_um - rear_um + left_um - right_um
    return tuple(nearby(base, pose, others, way=(0, 0), margin_um=margin_um))


def free_way_um(base: Shape, pose: Pose, others: Sequence[Obstacle], *, limit_um: int) -> int:
    """Return how far a base could go straight ahead from a pose, up to a limit."""
    return travel(base, pose, others, heading=pose.heading, distance_um=limit_um).distance_um


def room_about_centre(base: Shape, pose: Pose, others: Sequence[Obstacle], *, right: int, left: int) -> range:
    """Return the pivots about the centre that there is room for, from the right to the left."""
    reach_left = turn(base, pose, others, hinge="centre", degrees=left).degrees if left else 0
    reach_right = turn(base, pose, others, hinge="centre", degrees=-right).degrees if right else 0
    return range(-abs(reach_right), abs(reach_left) + 1)


def turned_about_centre(base: Shape, pose: Pose, others: Sequence[Obstacle], *, degrees: int) -> Pose | None:
    """Return where a base rests after a pivot that there is room for; None where it could not come to rest."""
    return settle(base, pivoted(base, pose, "centre", degrees), others) if degrees else pose


def off_track_degrees(arena: Arena, pose: Pose) -> int:
    """Return by how much a pose is turned away from where the track leads; left is positive."""
    place = find_place(arena.middle, (pose.x_um, pose.y_um))
    return smallest_turn(place.heading, pose.heading)
