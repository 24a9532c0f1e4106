"""The next steps that the owner of the active chariot may take: all in ranges, and the likely ones one by one.

Must agree with `check_move`: it accepts every candidate.
"""

from collections.abc import Iterator, Sequence

from domain.rulesets.chariotmaster.box.tables import sub_move_modifier
from domain.rulesets.chariotmaster.offers import choices
from domain.rulesets.chariotmaster.offers.measuring import (
    Ground,
    find_nose,
    measure_end,
    measure_pivots,
    measure_rest,
    measure_ways,
    odds_of,
    survey,
)
from domain.rulesets.chariotmaster.race import actions
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.outcomes import SpeedChange
from domain.rulesets.chariotmaster.race.racetrack import Arena, part_of
from domain.rulesets.chariotmaster.table.laps import place_at
from domain.rulesets.chariotmaster.table.shapes import Pose, pivoted
from domain.rulesets.chariotmaster.table.sines import HALF_TURN, smallest_turn
from domain.rulesets.chariotmaster.table.travel import settle
from domain.rulesets.chariotmaster.turn.attacks import Target, list_attacks, may_defend, price_of
from domain.rulesets.chariotmaster.turn.chariot_turn import may_move

_SPEED_CHANGES: tuple[SpeedChange, ...] = ("brake", "spur", "whip")
_ON_THE_SPOT = actions.MakeUTurn(pivot=actions.Pivot(hinge="centre", degrees=0))


def list_moves(arena: Arena, board: Board) -> choices.MoveChoices:
    """List the legal steps of the turn that is on."""
    ground = survey(arena, board)
    turn = ground.turn
    is_cleared = not turn.is_skidding and (not turn.sub_moves or turn.is_cleared)
    ways = measure_ways(arena, ground) if is_cleared else ()
    u_turns = measure_pivots(ground, ground.pose, widest=HALF_TURN) if may_move(arena, board, _ON_THE_SPOT) else ()
    targets = list_attacks(arena, board)
    simple = [action for action in _simple_steps() if may_move(arena, board, action)]
    may_test, may_go_on = actions.AnnounceSubMove() in simple, actions.GoOn() in simple
    is_skid = may_test or turn.is_skidding
    return choices.MoveChoices(
        chariot=turn.chariot,
        left_um=ground.room_um,
        pivot_degrees=ground.pivot_degrees,
        speeds=tuple(action.change for action in simple if isinstance(action, actions.ChangeSpeed)),
        test=foresee_test(arena, ground) if may_test else None,
        skid=measure_rest(arena, ground, is_skid=is_skid) if may_test or may_go_on else None,
        ways=ways,
        u_turns=u_turns,
        attacks=tuple(_offer_attack(arena, board, target) for target in targets),
        may_go_on=may_go_on,
        may_stop=actions.Stop() in simple,
        candidates=(
            *(choices.Candidate(action=action, end=None) for action in simple),
            *(choices.Candidate(action=target.attack, end=None) for target in targets),
            *list_sub_moves(arena, ground, ways),
            *list_u_turns(arena, ground, u_turns),
        ),
    )


def foresee_test(arena: Arena, ground: Ground) -> choices.Odds:
    """Return how likely the test before the next sub-move is passed."""
    modifier = sub_move_modifier(arena.box, ground.turn.token, sub_moves_done=ground.turn.sub_moves)
    return odds_of(arena.box, modifier=modifier, skill=ground.board.chariots[ground.turn.chariot].skill)


def _simple_steps() -> tuple[actions.MoveAction, ...]:
    return (
        *(actions.ChangeSpeed(change=change) for change in _SPEED_CHANGES),
        actions.AnnounceSubMove(),
        actions.GoOn(),
        actions.Stop(),
    )


def _offer_attack(arena: Arena, board: Board, target: Target) -> choices.AttackOffer:
    attack = target.attack
    return choices.AttackOffer(
        target=attack.target,
        part=attack.part,
        part_name=part_of(arena, board, attack.target, attack.part),
        means=attack.means,
        stamina=price_of(arena, board, attack),
        may_be_defended=may_defend(board, attack.target),
    )


# How far beyond its nose a driver looks to see where the track leads: about the length of a chariot.
_LOOKS_AHEAD_UM = 40_000


def list_sub_moves(arena: Arena, ground: Ground, ways: Sequence[choices.WayOffer]) -> Iterator[choices.Candidate]:
    """List sub-moves: to each landing, with and without a pivot there, and across small pieces."""
    for way in ways:
        for landing in way.landings:
            is_furthest = landing is way.landings[-1]
            straight = actions.MakeSubMove(way=way.way, distance_mm=landing.distance_mm, pivot=None)
            yield choices.Candidate(action=straight, end=measure_end(arena, ground, landing.pose))
            for pivot, pose in _likely_pivots(arena, ground, landing, about_corners=is_furthest and way.way == "ahead"):
                action = actions.MakeSubMove(way=way.way, distance_mm=landing.distance_mm, pivot=pivot)
                yield choices.Candidate(action=action, end=measure_end(arena, ground, pose))
        if way.passage is not None:
            # A collision on the way may move or hold the chariot: its end is not certain.
            for distance_mm in sorted({way.passage.distances.low_mm, way.passage.distances.high_mm}):
                yield choices.Candidate(
                    action=actions.MakeSubMove(way=way.way, distance_mm=distance_mm, pivot=None), end=None
                )


def list_u_turns(arena: Arena, ground: Ground, ranges: Sequence[choices.HingeRange]) -> Iterator[choices.Candidate]:
    """List U-turns, about the centre and the corners."""
    here = choices.Landing(distance_mm=None, distance_um=0, pose=ground.pose, pivots=tuple(ranges))
    for pivot, pose in _likely_pivots(arena, ground, here, about_corners=True):
        yield choices.Candidate(action=actions.MakeUTurn(pivot=pivot), end=measure_end(arena, ground, pose))


def _likely_pivots(
    arena: Arena, ground: Ground, landing: choices.Landing, *, about_corners: bool
) -> Iterator[tuple[actions.Pivot, Pose]]:
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
                yield actions.Pivot(hinge=turn.hinge, degrees=degrees), rest


def _wanted_turns(arena: Arena, ground: Ground, pose: Pose) -> tuple[int, int]:
    """Return the turns to the heading of the track here, and to its heading a little further on."""
    place = find_nose(arena, ground.base, pose)
    ahead = place_at(arena.middle, place.along_um + _LOOKS_AHEAD_UM)
    return smallest_turn(pose.heading, place.heading), smallest_turn(pose.heading, ahead.heading)


def _within(turn: choices.HingeRange, degrees: int) -> int:
    return max(-turn.right_degrees, min(turn.left_degrees, degrees))
