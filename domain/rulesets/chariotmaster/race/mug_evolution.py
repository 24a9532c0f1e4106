"""The board after the outcomes of the mug. Decides nothing and refuses nothing."""

from msgspec.structs import replace

from domain.rulesets.chariotmaster.race.board import Board, Mug
from domain.rulesets.chariotmaster.race.mug_outcomes import (
    ChariotDrawn,
    MugClosed,
    MugFilled,
    TokenForfeited,
    TokenLapsed,
    TokenShown,
)

MugOutcome = MugFilled | MugClosed | ChariotDrawn | TokenShown | TokenLapsed | TokenForfeited


def after_mug_outcome(board: Board, outcome: MugOutcome) -> Board:
    """Return the board as a step of filling and emptying the mug leaves it."""
    if isinstance(outcome, MugFilled):
        return replace(board, game_turns=outcome.game_turn, mug=Mug(game_turn=outcome.game_turn, slips=outcome.slips))
    assert board.mug is not None, "there is a mug in every game turn"
    match outcome:
        case MugClosed():
            return replace(board, mug=replace(board.mug, is_closed=True))
        case ChariotDrawn():
            return replace(board, mug=replace(board.mug, drawn=outcome.chariot))
        case TokenShown() | TokenLapsed() | TokenForfeited():
            left = tuple(slip for slip in board.mug.slips if slip.chariot != outcome.chariot)
            chariots = list(board.chariots)
            is_halted = isinstance(outcome, TokenForfeited)
            chariots[outcome.chariot] = replace(
                chariots[outcome.chariot], last_token=outcome.token, is_halted=is_halted
            )
            mug = replace(board.mug, slips=left, drawn=None)
            return replace(board, active=outcome.chariot, mug=mug, chariots=tuple(chariots))
