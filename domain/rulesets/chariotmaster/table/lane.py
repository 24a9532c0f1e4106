"""CM-125: following a line of the course, stretch by stretch: how a chariot out of control moves.

The base's reference point stays on the line and its heading is the line's; it stops at the first contact.
"""

from collections.abc import Iterable
from math import isqrt

from msgspec import Struct

from domain.rulesets.chariotmaster.table.course import Stretch
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape
from domain.rulesets.chariotmaster.table.sines import FINE, Vector, nearest, smallest_turn
from domain.rulesets.chariotmaster.table.travel import Contact, Obstacle, find_contacts, settle, travel, turn


class Following(Struct, frozen=True, kw_only=True):
    """The result of following a line: the pose, on which stretch, and the contacts that ended it early, if any."""

    pose: Pose
    stretch: int
    distance_um: int
    contacts: tuple[Contact, ...]


def follow(
    shape: Shape, start: Following, obstacles: Iterable[Obstacle], *, line: tuple[Stretch, ...], distance_um: int
) -> Following:
    """Go on along a line from a pose on one of its stretches, for that distance or until the first contact.

    Every leg is counted as the way to the next vertex, rounded up: no way is longer than was asked.
    """
    others = tuple(obstacles)
    now = start
    end_um = start.distance_um + distance_um
    while not now.contacts and now.distance_um < end_um:
        stretch = line[now.stretch]
        leg_um = _distance_um(now.pose, stretch.end)
        if now.distance_um + leg_um > end_um:
            return _go(shape, now, others, heading=stretch.heading, distance_um=end_um - now.distance_um)
        now = _round_vertex(shape, now, others, line)
    return now


def _go(shape: Shape, now: Following, others: tuple[Obstacle, ...], *, heading: int, distance_um: int) -> Following:
    went = travel(shape, now.pose, others, heading=heading, distance_um=distance_um)
    return Following(
        pose=went.pose,
        stretch=now.stretch,
        distance_um=now.distance_um + went.distance_um,
        contacts=went.contacts,
    )


def _round_vertex(shape: Shape, now: Following, others: tuple[Obstacle, ...], line: tuple[Stretch, ...]) -> Following:
    """Go to the end of the stretch, stand exactly on the vertex, and face along the next stretch."""
    stretch, following = line[now.stretch], (now.stretch + 1) % len(line)
    leg_um = _distance_um(now.pose, stretch.end)
    went = _go(shape, now, others, heading=stretch.heading, distance_um=leg_um)
    if went.contacts:
        return went
    vertex = _vertex(stretch.end, now.pose.heading)
    landing = settle(shape, vertex, others)
    if landing is None:
        return _stopped(went, find_contacts(shape, vertex, others))
    degrees = smallest_turn(stretch.heading, line[following].heading)
    if degrees == 0:
        return Following(pose=landing, stretch=following, distance_um=went.distance_um, contacts=())
    turned = turn(shape, landing, others, hinge="centre", degrees=degrees)
    if turned.degrees != degrees:
        return Following(pose=turned.pose, stretch=now.stretch, distance_um=went.distance_um, contacts=turned.contacts)
    return Following(pose=turned.pose, stretch=following, distance_um=went.distance_um, contacts=())


def _stopped(went: Following, contacts: tuple[Contact, ...]) -> Following:
    return Following(pose=went.pose, stretch=went.stretch, distance_um=went.distance_um, contacts=contacts)


def _vertex(point: Vector, heading: int) -> Pose:
    return Pose(x_um=nearest(point[0], FINE), y_um=nearest(point[1], FINE), heading=heading)


def _distance_um(pose: Pose, point: Vector) -> int:
    """Return the way from a pose to a vertex as it stands on whole micrometres, rounded up."""
    vertex = _vertex(point, pose.heading)
    squared = (vertex.x_um - pose.x_um) ** 2 + (vertex.y_um - pose.y_um) ** 2
    return isqrt(squared - 1) + 1 if squared else 0
