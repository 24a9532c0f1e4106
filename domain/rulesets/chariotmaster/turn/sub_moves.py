"""Where a chariot under control may go: free ways, ways across small pieces, pivots; and why others are refused.

CM-31, CM-115: no collision on purpose: a way is legal if all of it, and the pivot after it, touches only up to contact.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.rejection import IllegalAction
from domain.rulesets.chariotmaster.box.tables import read_token
from domain.rulesets.chariotmaster.race.actions import MakeSubMove, MakeUTurn, Pivot, Way
from domain.rulesets.chariotmaster.race.board import Board, PieceId, Turn, current_turn, team_piece
from domain.rulesets.chariotmaster.race.racetrack import Arena, obstacles_near, part_of, team_base
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape, bounds
from domain.rulesets.chariotmaster.table.sines import FULL_TURN, QUARTER_TURN
from domain.rulesets.chariotmaster.table.travel import Obstacle, is_free, travel, turn
from domain.rulesets.chariotmaster.turn.collisions import is_small

# Free way is measured so far beyond a sub-move and no further: about the way of a chariot in one turn.
FREE_WAY_MM = 120


class BadDistance(IllegalAction):
    """The way is shorter or longer than a sub-move may be here."""

    code = "bad-distance"


class BadPivot(IllegalAction):
    """The pivot is wider than the token allows, or follows a run across a small piece."""

    code = "bad-pivot"


class WouldCollide(IllegalAction):
    """The way or the pivot leads onto a piece or a wall."""

    code = "would-collide"


class Plan(Struct, frozen=True, kw_only=True):
    """A legal sub-move: its direction, its length to the micrometre, and the pieces that it runs across, if any."""

    heading: int
    distance_um: int
    across: PieceId | None


WAY_TURNS: dict[Way, int] = {"ahead": 0, "left": QUARTER_TURN, "right": -QUARTER_TURN}


def plan_sub_move(arena: Arena, board: Board, action: MakeSubMove) -> Plan:
    """CM-20: return how a sub-move goes, or raise the reason why it may not be made."""
    state, pose = stance(board)
    heading = (pose.heading + WAY_TURNS[action.way]) % FULL_TURN
    room_um = state.max_um - state.travelled_um
    least_um = arena.box.numbers.sub_move_min_mm * UM_PER_MM
    expected = f"{least_um} to {room_um} µm"
    if action.distance_mm is not None and action.distance_mm * UM_PER_MM > room_um:
        raise BadDistance(expected=expected, found=f"{action.distance_mm * UM_PER_MM} µm")
    if action.distance_mm is None:
        contact_um = _until_contact(arena, board, heading, room_um)
        if contact_um is None:
            raise BadDistance(expected="something to touch on the way", found=f"nothing for {room_um} µm")
        plan = Plan(heading=heading, distance_um=contact_um, across=None)
    else:
        plan = plan_way(arena, board, heading, action.distance_mm * UM_PER_MM)
    if not least_um <= plan.distance_um <= room_um:
        raise BadDistance(expected=expected, found=f"{plan.distance_um} µm")
    if action.pivot is not None:
        _check_pivot(arena, board, plan, action.pivot)
    return plan


def shortened(arena: Arena, board: Board, action: MakeSubMove, plan: Plan) -> Plan:
    """CM-91: shorten a planned sub-move to the way that its payment has left, and to a contact that is nearer now."""
    state, _ = stance(board)
    distance_um = min(plan.distance_um, max(state.max_um - state.travelled_um, 0))
    if action.distance_mm is None:
        contact_um = _until_contact(arena, board, plan.heading, distance_um)
        distance_um = distance_um if contact_um is None else contact_um
    return replace(plan, distance_um=distance_um)


def check_u_turn(arena: Arena, board: Board, action: MakeUTurn) -> None:
    """CM-16: raise WouldCollide unless a pivot on the spot is free all the way."""
    _, pose = stance(board)
    base, others = surroundings(arena, board)
    turned = turn(base, pose, others, hinge=action.pivot.hinge, degrees=action.pivot.degrees)
    if turned.degrees % FULL_TURN != action.pivot.degrees % FULL_TURN:
        raise WouldCollide(expected=f"at most {turned.degrees}°", found=f"{action.pivot.degrees}°")


def has_free_way(arena: Arena, board: Board) -> bool:
    """CM-115: state whether some straight sub-move ahead is legal: free for a centimetre, or across a small piece."""
    state, pose = stance(board)
    room_um = state.max_um - state.travelled_um
    least_um = arena.box.numbers.sub_move_min_mm * UM_PER_MM
    if room_um < least_um:
        return False
    try:
        plan_way(arena, board, pose.heading, least_um)
    except WouldCollide:
        return _may_run_across(arena, board, pose.heading, room_um)
    return True


def _may_run_across(arena: Arena, board: Board, heading: int, room_um: int) -> bool:
    """Return whether some way leads across a small piece: the longest one, up to any obstacle behind it."""
    _, pose = stance(board)
    base, others = surroundings(arena, board)
    went = travel(base, pose, others, heading=heading, distance_um=room_um)
    if not went.contacts:
        return False
    rest = without_small(arena, board, others, piece=PieceId(went.contacts[0].obstacle[0]))
    over = travel(base, pose, rest, heading=heading, distance_um=room_um)
    try:
        return plan_way(arena, board, heading, over.distance_um // UM_PER_MM * UM_PER_MM).across is not None
    except WouldCollide:
        return False


def plan_way(arena: Arena, board: Board, heading: int, distance_um: int) -> Plan:
    """CM-33: plan a way, free or across one small piece with move enough to come clear; or raise WouldCollide."""
    _, pose = stance(board)
    base, others = surroundings(arena, board)
    went = travel(base, pose, others, heading=heading, distance_um=distance_um)
    if not went.contacts:
        return Plan(heading=heading, distance_um=distance_um, across=None)
    met = PieceId(went.contacts[0].obstacle[0])
    rest = without_small(arena, board, others, piece=met)
    over = travel(base, pose, rest, heading=heading, distance_um=distance_um)
    if over.contacts or not is_free(base, over.pose, others):
        raise WouldCollide(expected=f"at most {went.distance_um} µm", found=f"{distance_um} µm")
    return Plan(heading=heading, distance_um=distance_um, across=met)


def _until_contact(arena: Arena, board: Board, heading: int, room_um: int) -> int | None:
    _, pose = stance(board)
    base, others = surroundings(arena, board)
    went = travel(base, pose, others, heading=heading, distance_um=max(room_um, 1))
    return went.distance_um if went.contacts else None


def _check_pivot(arena: Arena, board: Board, plan: Plan, pivot: Pivot) -> None:
    state, pose = stance(board)
    chariot = board.chariots[state.chariot]
    widest = read_token(arena.box, state.token, chariot.fitting.reading).pivot_degrees
    if plan.across is not None:
        raise BadPivot(expected="no pivot after a run across something", found=f"{pivot.degrees}°")
    if abs(pivot.degrees) > widest:
        raise BadPivot(expected=f"at most {widest}°", found=f"{pivot.degrees}°")
    base, others = surroundings(arena, board)
    went = travel(base, pose, others, heading=plan.heading, distance_um=plan.distance_um)
    turned = turn(base, went.pose, others, hinge=pivot.hinge, degrees=pivot.degrees)
    if turned.degrees != pivot.degrees:
        raise WouldCollide(expected=f"at most {turned.degrees}°", found=f"{pivot.degrees}°")


def without_small(arena: Arena, board: Board, others: tuple[Obstacle, ...], *, piece: PieceId) -> tuple[Obstacle, ...]:
    """Leave out the small parts of a piece (CM-34): a dragged driver is small, the horses that drag him are not."""
    return tuple(
        other
        for other in others
        if other.key[0] != piece or not is_small(board, piece, part_of(arena, board, piece, other.key[1]))
    )


def stance(board: Board) -> tuple[Turn, Pose]:
    """Return the turn that is on, and where its chariot stands."""
    turn = current_turn(board)
    pose = board.chariots[turn.chariot].team_pose
    assert pose is not None, "who moves is on the table"
    return turn, pose


def surroundings(arena: Arena, board: Board) -> tuple[Shape, tuple[Obstacle, ...]]:
    """Return the base of the chariot whose turn it is, and everything that it could run into."""
    state, pose = stance(board)
    base = team_base(arena, board.chariots[state.chariot])
    others = obstacles_near(arena, board, pose, reach_um=reach_of(base, state), without=(team_piece(state.chariot),))
    return base, others


def reach_of(base: Shape, state: Turn) -> int:
    """Return how far from where it stands a chariot could touch anything in the rest of its turn, and a little more.

    It goes so far, and turns there about a corner; so far ahead of that measuring still makes sense.
    """
    room_um = max(state.max_um - state.travelled_um, 0)
    return room_um + 2 * sum(abs(bound_um) for bound_um in bounds(base)) + FREE_WAY_MM * UM_PER_MM
