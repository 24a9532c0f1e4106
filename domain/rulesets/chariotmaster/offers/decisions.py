"""Every decision of this game in one place: the seat that owes it, the legal answers, the effect of an answer."""

from typing import assert_never

from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.aftermath.aftermath import owed_aftermath
from domain.rulesets.chariotmaster.offers.aftermath_choices import foresee_aftermath, list_aftermath
from domain.rulesets.chariotmaster.offers.answers import (
    foresee_defence,
    foresee_luck,
    foresee_token,
    list_defences,
    list_luck,
    list_tokens,
)
from domain.rulesets.chariotmaster.offers.build_choices import foresee_build, list_builds
from domain.rulesets.chariotmaster.offers.choices import Choices
from domain.rulesets.chariotmaster.offers.legal_moves import list_moves
from domain.rulesets.chariotmaster.offers.preview import Foreseen
from domain.rulesets.chariotmaster.offers.previews import foresee_move
from domain.rulesets.chariotmaster.race.actions import (
    Action,
    AftermathAction,
    BuildChariot,
    Defend,
    Endure,
    LeaveRoll,
    ModifyRoll,
    MoveAction,
    PutToken,
)
from domain.rulesets.chariotmaster.race.board import Board, is_under_control, owner_of
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.rounds.game_turn import list_owed
from domain.rulesets.chariotmaster.rounds.workshop import chariot_to_build
from domain.rulesets.chariotmaster.turn.chariot_turn import owed_step


def list_asked(board: Board) -> tuple[Decision, ...]:
    """List the decisions owed, also in the middle of a play: there, only those that another seat's move waits for."""
    if board.offered is not None:
        seat = board.chariots[board.offered.chariot].seat
        return (Decision(id=board.offered.decision, seat=seat, kind="plain"),)
    if board.threat is not None:
        if board.threat.decision is None:
            return ()
        seat = board.chariots[owner_of(board.threat.target)].seat
        return (Decision(id=board.threat.decision, seat=seat, kind="plain"),)
    # In the middle of a step its chariot may be lost already, and the turn not over yet.
    if board.turn is not None and not is_under_control(board.chariots[board.turn.chariot]):
        return ()
    return list_owed(board)


def list_choices(arena: Arena, board: Board, decision: Decision) -> Choices:
    """List the legal answers to a decision that is owed."""
    if board.offered is not None:
        return list_luck(board)
    if board.threat is not None:
        return list_defences(arena, board)
    if decision in owed_step(board):
        return list_moves(arena, board)
    if decision in owed_aftermath(board):
        return list_aftermath(arena, board)
    if board.unbuilt:
        return list_builds(arena, board, chariot_to_build(decision))
    return list_tokens(arena, board, decision)


def foresee(arena: Arena, board: Board, decision: Decision, action: Action) -> Foreseen:
    """Foresee a legal answer to a decision that is owed."""
    match action:
        case BuildChariot():
            return foresee_build(arena, board, action)
        case PutToken():
            return foresee_token(arena, board, decision, action)
        case ModifyRoll() | LeaveRoll():
            return foresee_luck(board, action)
        case Defend() | Endure():
            return foresee_defence(arena, board, action)
        case _ if isinstance(action, AftermathAction):
            return foresee_aftermath(arena, board, action)
        case _ if isinstance(action, MoveAction):
            return foresee_move(arena, board, action)
        case _:
            assert_never(action)
