"""The board after the outcomes of a chariot turn and its aftermath. Decides nothing and refuses nothing."""

from typing import assert_never

from msgspec.structs import replace

from domain.rulesets.chariotmaster.race import aftermath_outcomes as aftermath
from domain.rulesets.chariotmaster.race import outcomes as told
from domain.rulesets.chariotmaster.race.board import (
    Aftermath,
    AftermathStage,
    Board,
    Chariot,
    Grasp,
    Threat,
    Turn,
    can_finish,
    current_turn,
    team_piece,
    with_chariot,
)

# Ways that count as distance of the chariot turn.
_OWN_WAYS: tuple[told.MoveReason, ...] = ("moved", "ran", "swerved")


def after_turn_outcome(board: Board, outcome: told.TurnOutcome) -> Board:
    """Return the board as a step of the active chariot's turn leaves it."""
    if isinstance(outcome, told.TurnBegan):
        turn = Turn(
            chariot=outcome.chariot,
            token=outcome.token,
            min_um=outcome.min_um,
            max_um=outcome.max_um,
            is_driven=outcome.is_driven,
        )
        return replace(board, active=outcome.chariot, turn=turn)
    if isinstance(outcome, told.TurnEnded):
        return replace(board, turn=None)
    if isinstance(outcome, told.TurnClosed):
        board = with_chariot(board, outcome.chariot, _rested(board.chariots[outcome.chariot]))
        moment = board.turns_closed + 1
        return replace(
            board,
            active=None,
            aftermath=None,
            turns_closed=moment,
            chariots=tuple(_fallen_out(chariot, moment) for chariot in board.chariots),
        )
    after = _turn_after(current_turn(board), outcome)
    if isinstance(outcome, told.TokenReplaced):
        # Losing a token comes with another step, and is none of its own.
        return replace(board, turn=after)
    if isinstance(outcome, told.AttackAnnounced):
        threat = Threat(attacker=outcome.chariot, target=outcome.target, means=outcome.means)
        board = replace(board, threat=threat)
    return replace(board, turn=replace(after, steps=after.steps + 1))


def after_way(turn: Turn | None, moved: told.PieceMoved) -> Turn | None:
    """Count the way that a chariot travels by itself; pushes and sweeps by others do not count."""
    if turn is None or moved.reason not in _OWN_WAYS or moved.piece != team_piece(turn.chariot):
        return turn
    return replace(turn, travelled_um=turn.travelled_um + moved.distance_um)


def _turn_after(
    turn: Turn,
    outcome: told.SpeedChanged
    | told.TokenReplaced
    | told.SubMoveTested
    | told.SubMoveMade
    | told.SubMoveLost
    | told.AttackAnnounced,
) -> Turn:
    match outcome:
        case told.SpeedChanged(change="spur"):
            return replace(turn, min_um=outcome.min_um, max_um=outcome.max_um, has_spurred=True)
        case told.SpeedChanged(change="whip"):
            return replace(turn, min_um=outcome.min_um, max_um=outcome.max_um, has_whipped=True)
        case told.SpeedChanged():
            return replace(turn, min_um=outcome.min_um, max_um=outcome.max_um)
        case told.TokenReplaced():
            return replace(turn, token=outcome.token, min_um=outcome.min_um, max_um=outcome.max_um, has_lost_token=True)
        case told.SubMoveTested():
            is_passed = outcome.is_passed
            return replace(turn, is_cleared=is_passed, is_skidding=not is_passed, may_attack=False)
        case told.SubMoveMade():
            count, may_attack = turn.sub_moves + 1, outcome.may_attack
            return replace(turn, sub_moves=count, way=outcome.way, is_cleared=False, may_attack=may_attack)
        case told.SubMoveLost():
            return replace(turn, may_attack=False)
        case told.AttackAnnounced():
            return replace(turn, may_attack=False, attacked=(*turn.attacked, outcome.target))
        case _:
            assert_never(outcome)


def _fallen_out(chariot: Chariot, moment: int) -> Chariot:
    """Note when a chariot could no longer finish: all that fell out in one chariot turn did so at the same moment."""
    if chariot.fallen_out is not None or can_finish(chariot):
        return chariot
    return replace(chariot, fallen_out=moment)


def _rested(chariot: Chariot) -> Chariot:
    return replace(
        chariot,
        unconscious_for=max(chariot.unconscious_for - 1, 0),
        out_of_control_for=max(chariot.out_of_control_for - 1, 0),
        fallen_for=max(chariot.fallen_for - 1, 0),
        is_resting=False,
    )


def after_aftermath_outcome(board: Board, outcome: aftermath.AftermathOutcome) -> Board:
    """Return the board as a step after the movement leaves it."""
    if isinstance(outcome, aftermath.AftermathBegan):
        return replace(board, aftermath=Aftermath(chariot=outcome.chariot, token=outcome.token))
    assert board.aftermath is not None, "the movement is over"
    after = replace(board, aftermath=replace(board.aftermath, stage=_stage_after(outcome)))
    return with_chariot(after, outcome.chariot, _chariot_after(board.chariots[outcome.chariot], outcome))


DriverOutcome = (
    aftermath.DriverWalked
    | aftermath.GrabTested
    | aftermath.CutLooseTested
    | aftermath.DriverClimbed
    | aftermath.DriverStayed
    | aftermath.DriverLeft
)


def _stage_after(outcome: DriverOutcome) -> AftermathStage:
    match outcome:
        case aftermath.DriverWalked():
            return "grab"
        case aftermath.GrabTested():
            return "cut_loose"
        case aftermath.CutLooseTested() | aftermath.DriverStayed(declined="cut_loose"):
            return "climb"
        case aftermath.DriverClimbed() | aftermath.DriverStayed() | aftermath.DriverLeft():
            return "over"
        case _:
            assert_never(outcome)


def _chariot_after(chariot: Chariot, outcome: DriverOutcome) -> Chariot:
    match outcome:
        case aftermath.GrabTested(is_passed=True, aim="reins"):
            return replace(chariot, has_reins=True, grasp=None)
        case aftermath.GrabTested(is_passed=True):
            assert chariot.grasp is not None, "who cuts a horse free is on the shaft"
            return replace(chariot, dead_horses=0, has_reins=chariot.grasp.held_reins, grasp=None)
        case aftermath.DriverClimbed():
            grasp = Grasp(aim=outcome.aim, held_reins=chariot.has_reins)
            return replace(chariot, has_reins=False, grasp=grasp)
        case aftermath.DriverLeft():
            return replace(chariot, driver="left", driver_pose=None)
        case _:
            return chariot
