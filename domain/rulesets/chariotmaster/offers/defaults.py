"""CM-136: the default answer for a seat whose clock expired: legal, found without chance, hurting no chariot.

It drives along the track, spending nothing: one straight sub-move and a pivot. It turns round where it is stuck, and
brakes if that is not enough.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.box.tables import read_token
from domain.rulesets.chariotmaster.offers import free_way
from domain.rulesets.chariotmaster.race import actions
from domain.rulesets.chariotmaster.race.board import Board, Slip, Turn, current_turn
from domain.rulesets.chariotmaster.race.racetrack import Arena, team_base
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape
from domain.rulesets.chariotmaster.table.sines import HALF_TURN, QUARTER_TURN, smallest_turn
from domain.rulesets.chariotmaster.table.travel import Obstacle, travel
from domain.rulesets.chariotmaster.turn.chariot_turn import may_move

_UM_PER_CM = 10 * UM_PER_MM
_MM_PER_CM = 10
# So much free way ahead is enough; more than that is counted only up to here.
ENOUGH_UM = 5 * _UM_PER_CM
COUNTED_UM = 12 * _UM_PER_CM
# A chariot that turns round faces along the track, more or less.
U_TURN_OFF_MAX = 60


class _View(Struct, frozen=True, kw_only=True):
    """The active chariot and its surroundings."""

    arena: Arena
    board: Board
    turn: Turn
    base: Shape
    pose: Pose
    others: tuple[Obstacle, ...]


class _Candidate(Struct, frozen=True, kw_only=True):
    """A sub-move and the way after it; `order` puts the best first."""

    distance_cm: int
    degrees: int
    free_um: int
    order: tuple[int, int, int, bool]


def default_move(arena: Arena, board: Board) -> actions.MoveAction:
    """Choose the next step of the turn that is on."""
    state = current_turn(board)
    if state.is_skidding:
        return actions.GoOn()
    if state.sub_moves and state.travelled_um >= state.min_um:
        return actions.Stop()
    if not state.sub_moves or state.is_cleared:
        driven = _drive(_look(arena, board, state))
        if driven is not None:
            return driven
    return actions.Stop() if state.travelled_um >= state.min_um else actions.ChangeSpeed(change="brake")


def has_way_for_token(arena: Arena, board: Board, chariot: int) -> bool:
    """Return whether the 5 token is safe: the way ahead is free for its minimum, more or less along the track."""
    pose = board.chariots[chariot].team_pose
    if pose is None or 2 * abs(free_way.off_track_degrees(arena, pose)) > QUARTER_TURN:
        return False
    base = team_base(arena, board.chariots[chariot])
    others = free_way.others_around(arena, board, chariot, pose, within_um=ENOUGH_UM)
    return free_way.free_way_um(base, pose, others, limit_um=ENOUGH_UM) == ENOUGH_UM


def _look(arena: Arena, board: Board, state: Turn) -> _View:
    pose = board.chariots[state.chariot].team_pose
    assert pose is not None, "who moves is on the table"
    return _View(
        arena=arena,
        board=board,
        turn=state,
        base=team_base(arena, board.chariots[state.chariot]),
        pose=pose,
        others=free_way.others_around(
            arena, board, state.chariot, pose, within_um=max(state.max_um - state.travelled_um, 0) + COUNTED_UM
        ),
    )


def _drive(view: _View) -> actions.MoveAction | None:
    """Turn round where that is needed and possible; otherwise find a way ahead, if there is one."""
    least_um = view.arena.box.numbers.sub_move_min_mm * UM_PER_MM
    is_stuck = _free_um(view, view.pose, least_um) < least_um
    is_astray = abs(free_way.off_track_degrees(view.arena, view.pose)) > QUARTER_TURN
    if view.turn.token == 0 and not view.turn.sub_moves and (is_stuck or is_astray):
        return _turn_round(view)
    return None if is_stuck else _best_sub_move(view)


def _turn_round(view: _View) -> actions.MoveAction | None:
    """Choose the free heading along the track with most free way; of equal ones the smaller turn, then the left."""
    off = free_way.off_track_degrees(view.arena, view.pose)
    room = free_way.room_about_centre(view.base, view.pose, view.others, right=HALF_TURN - 1, left=HALF_TURN)
    wanted = [degrees for degrees in room if degrees and abs(smallest_turn(0, off + degrees)) <= U_TURN_OFF_MAX]
    poses = (
        (free_way.turned_about_centre(view.base, view.pose, view.others, degrees=degrees), degrees)
        for degrees in wanted
    )
    found = [
        (-_free_um(view, pose, COUNTED_UM), abs(degrees), degrees < 0, degrees)
        for pose, degrees in poses
        if pose is not None
    ]
    if not found:
        return None
    return _legal(view, actions.MakeUTurn(pivot=actions.Pivot(hinge="centre", degrees=min(found)[3])))


def _best_sub_move(view: _View) -> actions.MoveAction | None:
    """Of the ways after which enough is free the longest; if there is none, the longest of all."""
    fallback: list[_Candidate] = []
    for distance_cm in _distances_cm(view):
        found: list[_Candidate] = []
        for candidate in _candidates(view, distance_cm):
            # They come in the order of the criteria after free way: nothing can beat the first that has all of it.
            if candidate.free_um == COUNTED_UM and (action := _legal(view, _sub_move(candidate))) is not None:
                return action
            found.append(candidate)
        found.sort(key=lambda each: each.order)
        for finding in found:
            if finding.free_um >= ENOUGH_UM and (action := _legal(view, _sub_move(finding))) is not None:
                return action
        fallback += found
    return next((action for candidate in fallback if (action := _legal(view, _sub_move(candidate))) is not None), None)


def _distances_cm(view: _View) -> Sequence[int]:
    room_um = view.turn.max_um - view.turn.travelled_um
    free_cm = _free_um(view, view.pose, max(room_um, 1)) // _UM_PER_CM
    least_cm = -(-view.arena.box.numbers.sub_move_min_mm // _MM_PER_CM)
    return range(free_cm, least_cm - 1, -1)


def _candidates(view: _View, distance_cm: int) -> Iterator[_Candidate]:
    """Yield the pivots after a way: nearest to the heading of the track first, then the smaller turn, then the left."""
    reading = view.board.chariots[view.turn.chariot].fitting.reading
    widest = read_token(view.arena.box, view.turn.token, reading).pivot_degrees
    distance_um = distance_cm * _UM_PER_CM
    went = travel(view.base, view.pose, view.others, heading=view.pose.heading, distance_um=distance_um)
    others = free_way.narrowed(view.base, went.pose, view.others, within_um=COUNTED_UM)
    track = free_way.off_track_degrees(view.arena, went.pose)
    beside = free_way.narrowed(view.base, went.pose, others, within_um=0)
    room = free_way.room_about_centre(view.base, went.pose, beside, right=widest, left=widest)
    for off, turn, is_right in sorted((abs(smallest_turn(0, track + each)), abs(each), each < 0) for each in room):
        degrees = -turn if is_right else turn
        pose = free_way.turned_about_centre(view.base, went.pose, beside, degrees=degrees)
        if off <= QUARTER_TURN and pose is not None:
            free_um = free_way.free_way_um(view.base, pose, others, limit_um=COUNTED_UM)
            order = (-free_um, off, turn, is_right)
            yield _Candidate(distance_cm=distance_cm, degrees=degrees, free_um=free_um, order=order)


def _sub_move(candidate: _Candidate) -> actions.MakeSubMove:
    pivot = actions.Pivot(hinge="centre", degrees=candidate.degrees) if candidate.degrees else None
    return actions.MakeSubMove(way="ahead", distance_mm=candidate.distance_cm * _MM_PER_CM, pivot=pivot)


def _free_um(view: _View, pose: Pose, limit_um: int) -> int:
    return free_way.free_way_um(view.base, pose, view.others, limit_um=limit_um)


def _legal(view: _View, action: actions.MoveAction) -> actions.MoveAction | None:
    return action if may_move(view.arena, view.board, action) else None


_STEADY: TokenName = 5
_SLOWEST: TokenName = 0


def safe_token(arena: Arena, board: Board, slip: Slip) -> TokenName:
    """Choose by where the chariot stands now, but only among the tokens it had when the mug was filled."""
    is_safe = _STEADY in slip.tokens and has_way_for_token(arena, board, slip.chariot)
    return _STEADY if is_safe else _SLOWEST
