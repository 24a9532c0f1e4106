"""CM-81: drivers on foot, five centimetres a turn in any direction, round obstacles, and off the track at its edge.

A driver on foot never collides by his own walk: every leg of it must be free.
"""

from collections.abc import Iterator

from msgspec import Struct

from domain.rulesets.chariotmaster.box.tables import read_token
from domain.rulesets.chariotmaster.race.actions import Leg, Walk
from domain.rulesets.chariotmaster.race.aftermath_outcomes import DriverLeft, DriverWalked
from domain.rulesets.chariotmaster.race.board import Board, Chariot, driver_piece
from domain.rulesets.chariotmaster.race.cascade import Cascade
from domain.rulesets.chariotmaster.race.outcomes import PieceMoved
from domain.rulesets.chariotmaster.race.racetrack import Arena, obstacles
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.geometry import is_within
from domain.rulesets.chariotmaster.table.laps import Place, find_place
from domain.rulesets.chariotmaster.table.shapes import Pose, polygons
from domain.rulesets.chariotmaster.table.sines import FULL_TURN, QUARTER_TURN, direction
from domain.rulesets.chariotmaster.table.travel import travel
from domain.rulesets.chariotmaster.turn.sub_moves import BadDistance, WouldCollide


class Went(Struct, frozen=True, kw_only=True):
    """One leg as it goes: from where to where, and how far."""

    before: Pose
    after: Pose
    distance_um: int


def may_walk(chariot: Chariot) -> bool:
    """Return whether a driver is on his feet since before his turn."""
    is_up = not (chariot.fallen_for or chariot.unconscious_for or chariot.is_resting)
    return chariot.driver == "on_foot" and is_up


def check_walk(arena: Arena, board: Board, chariot: int, action: Walk) -> None:
    """CM-81: raise BadDistance or WouldCollide unless all of the walk is free, and no longer than a driver's turn."""
    for _ in legs_of(arena, board, chariot, action):
        pass


def walk(cascade: Cascade, chariot: int, action: Walk) -> None:
    """Go a legal walk, leg by leg."""
    went = list(legs_of(cascade.arena, cascade.board, chariot, action))
    for leg in went:
        cascade.script.emit(
            PieceMoved(
                piece=driver_piece(chariot),
                reason="walked",
                before=leg.before,
                after=leg.after,
                distance_um=leg.distance_um,
            )
        )
    cascade.script.emit(DriverWalked(chariot=chariot, distance_um=sum(leg.distance_um for leg in went)))


def leave_track(cascade: Cascade, chariot: int) -> None:
    """CM-81, MO-19: take a driver off who touches the edge of the track at the end of his turn."""
    pose = cascade.board.chariots[chariot].driver_pose
    if pose is not None and is_at_edge(cascade.arena, pose):
        cascade.script.emit(DriverLeft(chariot=chariot))


def is_at_edge(arena: Arena, pose: Pose) -> bool:
    """Return whether a driver on foot touches a wall."""
    (base,) = polygons(arena.driver, pose)
    limit_um = arena.box.numbers.touching_mm * UM_PER_MM
    return any(is_within(base, wall.polygon, limit_um=limit_um) for wall in arena.walls)


def walk_to_edge(arena: Arena, board: Board, chariot: int) -> Walk:
    """CM-136: choose for a driver whose owner does not answer: straight to the nearest wall, as far as that is free."""
    pose = board.chariots[chariot].driver_pose
    assert pose is not None, "who is on foot stands somewhere"
    place = find_place(arena.middle, (pose.x_um, pose.y_um))
    side = QUARTER_TURN if _is_left(pose, place) else -QUARTER_TURN
    heading = (place.heading + side) % FULL_TURN
    room_um = reach_um(arena, board.chariots[chariot])
    others = obstacles(arena, board, without=(driver_piece(chariot),))
    went = travel(arena.driver, pose, others, heading=heading, distance_um=room_um)
    if went.contacts:
        return Walk(legs=(Leg(heading=heading, distance_mm=None),)) if went.distance_um else Walk(legs=())
    return Walk(legs=(Leg(heading=heading, distance_mm=room_um // UM_PER_MM),))


def reach_um(arena: Arena, chariot: Chariot) -> int:
    """CM-81: return how far a driver goes on foot: as the slowest token states, not by the token of his horses."""
    return read_token(arena.box, 0, chariot.fitting.reading).max_mm * UM_PER_MM


def legs_of(arena: Arena, board: Board, chariot: int, action: Walk) -> Iterator[Went]:
    """Go a walk in mind, leg by leg; raise BadDistance or WouldCollide where it cannot go on."""
    pose = board.chariots[chariot].driver_pose
    assert pose is not None, "who is on foot stands somewhere"
    others = obstacles(arena, board, without=(driver_piece(chariot),))
    room_um = reach_um(arena, board.chariots[chariot])
    for leg in action.legs:
        wanted_um = room_um if leg.distance_mm is None else leg.distance_mm * UM_PER_MM
        if not 0 < wanted_um <= room_um:
            raise BadDistance(expected=f"at most {room_um} µm", found=f"{wanted_um} µm")
        went = travel(arena.driver, pose, others, heading=leg.heading, distance_um=wanted_um)
        if leg.distance_mm is None and not went.contacts:
            raise BadDistance(expected="something to touch on the way", found=f"nothing for {room_um} µm")
        if leg.distance_mm is not None and went.contacts:
            raise WouldCollide(expected=f"at most {went.distance_um} µm", found=f"{wanted_um} µm")
        if went.distance_um == 0:
            raise BadDistance(expected="a way to go", found="contact at once")
        yield Went(before=pose, after=went.pose, distance_um=went.distance_um)
        pose, room_um = went.pose, room_um - went.distance_um


def _is_left(pose: Pose, place: Place) -> bool:
    """Return whether a driver is nearer to the inner wall, or as near."""
    ahead = direction(place.heading)
    aside = ahead[0] * (pose.y_um - place.point_um[1]) - ahead[1] * (pose.x_um - place.point_um[0])
    return aside >= 0
