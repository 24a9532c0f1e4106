"""Sub-moves and U-turns that a driver would think of: a few distances, and pivots towards where the track leads."""

from collections.abc import Iterator, Sequence

from domain.rulesets.chariotmaster.offers.choices import Candidate, HingeRange, Landing, WayOffer
from domain.rulesets.chariotmaster.offers.measuring import Ground, find_nose, measure_end
from domain.rulesets.chariotmaster.race.actions import MakeSubMove, MakeUTurn, Pivot
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.table.laps import place_at
from domain.rulesets.chariotmaster.table.shapes import Pose, pivoted
from domain.rulesets.chariotmaster.table.sines import smallest_turn
from domain.rulesets.chariotmaster.table.travel import settle

# How far beyond its nose a driver looks to see where the track leads: about the length of a chariot.
_LOOKS_AHEAD_UM = 40_000


def list_sub_moves(arena: Arena, ground: Ground, ways: Sequence[WayOffer]) -> Iterator[Candidate]:
    """List sub-moves: to each landing, with and without a pivot there, and across small pieces."""
    for way in ways:
        for landing in way.landings:
            is_furthest = landing is way.landings[-1]
            straight = MakeSubMove(way=way.way, distance_mm=landing.distance_mm, pivot=None)
            yield Candidate(action=straight, end=measure_end(arena, ground, landing.pose))
            for pivot, pose in _likely_pivots(arena, ground, landing, about_corners=is_furthest and way.way == "ahead"):
                action = MakeSubMove(way=way.way, distance_mm=landing.distance_mm, pivot=pivot)
                yield Candidate(action=action, end=measure_end(arena, ground, pose))
        if way.passage is not None:
            # A collision on the way may move or hold the chariot: its end is not certain.
            for distance_mm in sorted({way.passage.distances.low_mm, way.passage.distances.high_mm}):
                yield Candidate(action=MakeSubMove(way=way.way, distance_mm=distance_mm, pivot=None), end=None)


def list_u_turns(arena: Arena, ground: Ground, ranges: Sequence[HingeRange]) -> Iterator[Candidate]:
    """List U-turns, about the centre and the corners."""
    here = Landing(distance_mm=None, distance_um=0, pose=ground.pose, pivots=tuple(ranges))
    for pivot, pose in _likely_pivots(arena, ground, here, about_corners=True):
        yield Candidate(action=MakeUTurn(pivot=pivot), end=measure_end(arena, ground, pose))


def _likely_pivots(
    arena: Arena, ground: Ground, landing: Landing, *, about_corners: bool
) -> Iterator[tuple[Pivot, Pose]]:
    """Turn along the track, along the track as it leads on, and as far and half as far as there is room."""
    along, leads = _wanted_turns(arena, ground, landing.pose)
    for turn in landing.pivots:
        if turn.hinge != "centre" and not about_corners:
            continue
        wanted = {_within(turn, along), _within(turn, leads)}
        if turn.hinge == "centre":
            wanted |= {turn.left_degrees, -turn.right_degrees, turn.left_degrees // 2, -(turn.right_degrees // 2)}
        for degrees in sorted(wanted - {0}):
            rest = settle(ground.base, pivoted(ground.base, landing.pose, turn.hinge, degrees), ground.others)
            if rest is not None:
                yield Pivot(hinge=turn.hinge, degrees=degrees), rest


def _wanted_turns(arena: Arena, ground: Ground, pose: Pose) -> tuple[int, int]:
    """Return the turns to the heading of the track here, and to its heading a little further on."""
    place = find_nose(arena, ground.base, pose)
    ahead = place_at(arena.middle, place.along_um + _LOOKS_AHEAD_UM)
    return smallest_turn(pose.heading, place.heading), smallest_turn(pose.heading, ahead.heading)


def _within(turn: HingeRange, degrees: int) -> int:
    return max(-turn.right_degrees, min(turn.left_degrees, degrees))
