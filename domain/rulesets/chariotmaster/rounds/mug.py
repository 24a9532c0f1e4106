"""CM-10: the mug: tokens put in secretly and drawn one by one, each shown when it is drawn.

CM-130: tokens in the mug are the only hidden thing in this game; the tokens that each may choose from are public.
"""

from typing import Literal

from domain.ids import DecisionId
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.box.tables import read_token
from domain.rulesets.chariotmaster.harm.losses import lose
from domain.rulesets.chariotmaster.harm.luck import roll_for
from domain.rulesets.chariotmaster.race import mug_outcomes
from domain.rulesets.chariotmaster.race.actions import PutToken
from domain.rulesets.chariotmaster.race.board import Board, Chariot, Mug, Slip, is_under_control
from domain.rulesets.chariotmaster.race.cascade import AnyScript
from domain.rulesets.chariotmaster.race.outcomes import SpeedChanged, TurnEnded
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.turn.chariot_turn import begin_turn
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade
from domain.rulesets.chariotmaster.turn.pace import allowed_tokens, token_now

_UM_PER_CM = 10 * UM_PER_MM


class TokenNotYours(IllegalAction):
    """The chariot had no such token to put in."""

    code = "token-not-yours"


def fill_mug(script: AnyScript) -> None:
    """CM-10: begin a game turn. Where no seat has a choice (CM-130), the mug is closed at once."""
    slips = tuple(
        Slip(chariot=number, tokens=tokens_to_choose(chariot))
        for number, chariot in enumerate(script.board.chariots)
        if is_on_table(chariot)
    )
    script.emit(mug_outcomes.MugFilled(game_turn=script.board.game_turns + 1, slips=slips))
    if not owed_tokens(script.board):
        close_mug(script)


def owed_tokens(board: Board) -> tuple[Decision, ...]:
    """List the decisions owed to the mug: every choice while it is open, then the one that was drawn.

    CM-138: a chariot out of control cannot choose its speed, so it has nothing to open and nothing to withhold.
    """
    mug = board.mug
    if mug is None:
        return ()
    choices = [slip for slip in mug.slips if len(slip.tokens) > 1]
    if not mug.is_closed:
        return tuple(_decision(board, mug, slip.chariot, "sealed") for slip in choices)
    drawn = (slip.chariot for slip in choices if slip.chariot == mug.drawn)
    return tuple(
        _decision(board, mug, chariot, "opening") for chariot in drawn if is_under_control(board.chariots[chariot])
    )


def close_mug(script: AnyScript) -> None:
    """Every choice is in: draw the first."""
    script.emit(mug_outcomes.MugClosed(game_turn=script.board.game_turns))
    draw_token(script)


def draw_token(script: AnyScript) -> bool:
    """CM-10: draw the next chariot; one without a choice shows its token at once. Return whether a chariot was left."""
    mug = _mug(script.board)
    left = [slip for slip in mug.slips if is_on_table(script.board.chariots[slip.chariot])]
    if not left:
        return False
    place = script.roll("mug", dice=1, sides=len(left))[0] - 1 if len(left) > 1 else 0
    slip = left[place]
    script.emit(mug_outcomes.ChariotDrawn(chariot=slip.chariot))
    chariot = script.board.chariots[slip.chariot]
    if len(slip.tokens) == 1:
        show_token(script, slip.tokens[0])
    elif not is_under_control(chariot):
        script.emit(mug_outcomes.TokenLapsed(chariot=slip.chariot, token=token_now(chariot)))
    return True


def slip_for(board: Board, decision: Decision) -> Slip:
    """Return the place in the mug that a decision is about."""
    return next(slip for slip in _mug(board).slips if _name(_mug(board), slip.chariot) == decision.id)


def check_token(board: Board, decision: Decision, action: PutToken) -> None:
    """Raise TokenNotYours unless the chariot had this token when the mug was filled."""
    slip = slip_for(board, decision)
    if action.token not in slip.tokens:
        raise TokenNotYours(expected=f"one of {', '.join(map(str, slip.tokens))}", found=str(action.token))


def show_token(script: AnyScript, put_in: TokenName) -> None:
    """CM-92: open the token that was drawn: a token lost meanwhile counts as the fastest that is left."""
    chariot = _mug(script.board).drawn
    assert chariot is not None, "a token was drawn"
    allowed = allowed_tokens(script.board.chariots[chariot])
    token = put_in if put_in in allowed else max(allowed)
    script.emit(mug_outcomes.TokenShown(chariot=chariot, put_in=put_in, token=token))


def forfeit_token(script: AnyScript) -> None:
    """CM-138: open a token that was not shown: it counts as the fastest that the chariot has."""
    chariot = _mug(script.board).drawn
    assert chariot is not None, "a token was drawn"
    token = max(allowed_tokens(script.board.chariots[chariot]))
    script.emit(mug_outcomes.TokenForfeited(chariot=chariot, token=token))


def halt(script: AnyScript, arena: Arena, *, chariot: int) -> None:
    """CM-138: halt a chariot the dear way: brake down from its fastest token, and pay a stamina point more."""
    token = max(allowed_tokens(script.board.chariots[chariot]))
    begin_turn(script, arena, chariot=chariot, token=token)
    cascade = begin_cascade(script, arena, name=f"{_name(_mug(script.board), chariot)}/forfeit")
    low_um = read_token(arena.box, token, script.board.chariots[chariot].fitting.reading).min_mm * UM_PER_MM
    while low_um > 0:
        lose(cascade, chariot, "stamina")
        (face,) = roll_for(cascade, "brake", chariot)
        low_um -= face * _UM_PER_CM
        state = script.board.turn
        assert state is not None, "nothing else ends this turn"
        script.emit(
            SpeedChanged(
                chariot=chariot,
                change="brake",
                face=face,
                min_um=state.min_um - face * _UM_PER_CM,
                max_um=state.max_um - face * _UM_PER_CM,
            )
        )
    lose(cascade, chariot, "stamina")
    script.emit(TurnEnded(chariot=chariot, reason="forfeit"))


def tokens_to_choose(chariot: Chariot) -> tuple[TokenName, ...]:
    """CM-130: return the tokens to choose from; out of control it is the last one, or the fastest left."""
    return allowed_tokens(chariot) if is_under_control(chariot) else (token_now(chariot),)


def is_on_table(chariot: Chariot) -> bool:
    """Return whether anything of a chariot still moves."""
    return chariot.team_pose is not None or chariot.driver_pose is not None


def _decision(board: Board, mug: Mug, chariot: int, kind: Literal["sealed", "opening"]) -> Decision:
    return Decision(id=_name(mug, chariot), seat=board.chariots[chariot].seat, kind=kind)


def _name(mug: Mug, chariot: int) -> DecisionId:
    return DecisionId(f"g{mug.game_turn}/c{chariot}/token")


def _mug(board: Board) -> Mug:
    assert board.mug is not None, "there is a mug in every game turn"
    return board.mug
