"""The next steps that the owner of the active chariot may take: all in ranges, and the likely ones one by one.

Must agree with `check_move`: it accepts every candidate.
"""

from domain.rejection import IllegalAction
from domain.rulesets.chariotmaster.box.tables import sub_move_modifier
from domain.rulesets.chariotmaster.offers.candidates import list_sub_moves, list_u_turns
from domain.rulesets.chariotmaster.offers.choices import AttackOffer, Candidate, MoveChoices, Odds
from domain.rulesets.chariotmaster.offers.measuring import Ground, measure_pivots, measure_rest, measure_ways, survey
from domain.rulesets.chariotmaster.offers.odds import odds_of
from domain.rulesets.chariotmaster.race.actions import (
    AnnounceSubMove,
    ChangeSpeed,
    GoOn,
    MakeUTurn,
    MoveAction,
    Pivot,
    Stop,
)
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.outcomes import SpeedChange
from domain.rulesets.chariotmaster.race.racetrack import Arena, part_of
from domain.rulesets.chariotmaster.table.sines import HALF_TURN
from domain.rulesets.chariotmaster.turn.attacks import Target, list_attacks, may_defend, price_of
from domain.rulesets.chariotmaster.turn.chariot_turn import check_move

_SPEED_CHANGES: tuple[SpeedChange, ...] = ("brake", "spur", "whip")
_ON_THE_SPOT = MakeUTurn(pivot=Pivot(hinge="centre", degrees=0))


def list_moves(arena: Arena, board: Board) -> MoveChoices:
    """List the legal steps of the turn that is on."""
    ground = survey(arena, board)
    turn = ground.turn
    is_cleared = not turn.is_skidding and (not turn.sub_moves or turn.is_cleared)
    ways = measure_ways(arena, ground) if is_cleared else ()
    u_turns = measure_pivots(ground, ground.pose, widest=HALF_TURN) if _may(arena, board, _ON_THE_SPOT) else ()
    targets = list_attacks(arena, board)
    simple = [action for action in _simple_steps() if _may(arena, board, action)]
    may_test, may_go_on = AnnounceSubMove() in simple, GoOn() in simple
    is_skid = may_test or turn.is_skidding
    return MoveChoices(
        chariot=turn.chariot,
        left_um=ground.room_um,
        pivot_degrees=ground.pivot_degrees,
        speeds=tuple(action.change for action in simple if isinstance(action, ChangeSpeed)),
        test=foresee_test(arena, ground) if may_test else None,
        skid=measure_rest(arena, ground, is_skid=is_skid) if may_test or may_go_on else None,
        ways=ways,
        u_turns=u_turns,
        attacks=tuple(_offer_attack(arena, board, target) for target in targets),
        may_go_on=may_go_on,
        may_stop=Stop() in simple,
        candidates=(
            *(Candidate(action=action, end=None) for action in simple),
            *(Candidate(action=target.attack, end=None) for target in targets),
            *list_sub_moves(arena, ground, ways),
            *list_u_turns(arena, ground, u_turns),
        ),
    )


def foresee_test(arena: Arena, ground: Ground) -> Odds:
    """Say how likely the test before the next sub-move is passed."""
    modifier = sub_move_modifier(arena.box, ground.turn.token, sub_moves_done=ground.turn.sub_moves)
    return odds_of(arena.box, modifier=modifier, skill=ground.board.chariots[ground.turn.chariot].skill)


def _simple_steps() -> tuple[MoveAction, ...]:
    return (*(ChangeSpeed(change=change) for change in _SPEED_CHANGES), AnnounceSubMove(), GoOn(), Stop())


def _may(arena: Arena, board: Board, action: MoveAction) -> bool:
    try:
        check_move(arena, board, action)
    except IllegalAction:
        return False
    return True


def _offer_attack(arena: Arena, board: Board, target: Target) -> AttackOffer:
    attack = target.attack
    return AttackOffer(
        target=attack.target,
        part=attack.part,
        part_name=part_of(arena, board, attack.target, attack.part),
        means=attack.means,
        stamina=price_of(arena, board, attack),
        may_be_defended=may_defend(board, attack.target),
    )
