"""Looking ahead: how far the way is free, and where the track leads. Measuring is free, for defaults and for bots."""

from collections.abc import Sequence

from domain.rulesets.chariotmaster.arena import Arena, obstacles, team_base
from domain.rulesets.chariotmaster.board import Board, team_piece
from domain.rulesets.chariotmaster.laps import find_place
from domain.rulesets.chariotmaster.shapes import Pose
from domain.rulesets.chariotmaster.sines import smallest_turn
from domain.rulesets.chariotmaster.travel import Obstacle, travel


def others_around(arena: Arena, board: Board, chariot: int) -> tuple[Obstacle, ...]:
    """Return everything that a chariot could run into."""
    return obstacles(arena, board, without=(team_piece(chariot),))


def free_way_um(
    arena: Arena, board: Board, chariot: int, pose: Pose, others: Sequence[Obstacle], *, limit_um: int
) -> int:
    """Return how far a chariot could go straight ahead from a pose, up to a limit."""
    base = team_base(arena, board.chariots[chariot])
    return travel(base, pose, others, heading=pose.heading, distance_um=limit_um).distance_um


def off_track_degrees(arena: Arena, pose: Pose) -> int:
    """Return by how much a pose is turned away from where the track leads; left is positive."""
    place = find_place(arena.middle, (pose.x_um, pose.y_um))
    return smallest_turn(place.heading, pose.heading)
