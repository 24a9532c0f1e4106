"""CM-136: the default answer for a seat whose clock expired: legal, found without chance, hurting no chariot."""

from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.aftermath.aftermath import default_aftermath, owed_aftermath
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.offers.default_turn import default_move, has_way_for_token
from domain.rulesets.chariotmaster.race.actions import Action, Endure, LeaveRoll, PutToken
from domain.rulesets.chariotmaster.race.board import Board, Slip
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.rounds.mug import slip_for
from domain.rulesets.chariotmaster.rounds.workshop import default_choice

_STEADY: TokenName = 5
_SLOWEST: TokenName = 0


def default_action(arena: Arena, board: Board, decision: Decision) -> Action:
    """Choose for a seat: the plainest build, the safe token, a careful drive, no luck, no defence."""
    if board.unbuilt:
        return default_choice(arena, board.options)
    if decision.kind != "plain":
        return PutToken(token=_safe_token(arena, board, slip_for(board, decision)))
    if board.offered is not None:
        return LeaveRoll()
    if board.threat is not None:
        return Endure()
    return default_aftermath(arena, board) if owed_aftermath(board) else default_move(arena, board)


def _safe_token(arena: Arena, board: Board, slip: Slip) -> TokenName:
    """Choose by where the chariot stands now, but only among the tokens it had when the mug was filled."""
    is_safe = _STEADY in slip.tokens and has_way_for_token(arena, board, slip.chariot)
    return _STEADY if is_safe else _SLOWEST
