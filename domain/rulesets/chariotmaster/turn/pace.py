"""CM-11, CM-119: how far the active chariot may go: by which tokens, and the losses and brakes that change it."""

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.box.tables import read_token
from domain.rulesets.chariotmaster.harm.losses import lose
from domain.rulesets.chariotmaster.harm.luck import roll_for
from domain.rulesets.chariotmaster.race.board import FASTEST, Chariot, current_turn, owned_tokens
from domain.rulesets.chariotmaster.race.cascade import Cascade
from domain.rulesets.chariotmaster.race.outcomes import SpeedChange, SpeedChanged, TokenReplaced
from domain.rulesets.chariotmaster.table.course import UM_PER_MM

_UM_PER_CM = 10 * UM_PER_MM


def allowed_tokens(chariot: Chariot) -> tuple[TokenName, ...]:
    """Return the tokens a chariot may move by: with a dead horse in the traces only the slowest (CM-73)."""
    return (0,) if not chariot.horses or chariot.dead_horses else owned_tokens(chariot)


def heed_lost_token(cascade: Cascade) -> None:
    """CM-92: replace a token that the chariot may not move by any more; brakes, spurs and whips stay.

    A token may be lost, or a horse lie dead in the traces. Without horses nothing moves by any token.
    """
    state = current_turn(cascade.board)
    chariot = cascade.board.chariots[state.chariot]
    allowed = allowed_tokens(chariot)
    if state.token in allowed or not chariot.horses:
        return
    old = read_token(cascade.box, state.token, chariot.fitting.reading)
    new = read_token(cascade.box, max(allowed), chariot.fitting.reading)
    max_um = state.max_um + (new.max_mm - old.max_mm) * UM_PER_MM
    min_um = state.min_um + (new.min_mm - old.min_mm) * UM_PER_MM
    cascade.script.emit(
        TokenReplaced(
            chariot=state.chariot,
            token=new.token,
            # Out of control there is but one distance: as far as it may.
            min_um=min_um if state.is_driven else max_um,
            max_um=max_um,
        )
    )


def shift_speed(cascade: Cascade, change: SpeedChange) -> None:
    """CM-12 to CM-14: roll for a brake, spur or whip that is paid for."""
    state = current_turn(cascade.board)
    (face,) = roll_for(cascade, change, state.chariot)
    shift_um = (-face if change == "brake" else face) * _UM_PER_CM
    cascade.script.emit(
        SpeedChanged(
            chariot=state.chariot,
            change=change,
            face=face,
            min_um=state.min_um + shift_um,
            max_um=state.max_um + shift_um,
        )
    )


def suffer_at_start(cascade: Cascade, chariot: int) -> None:
    """T8 6 and T9 6: roll for the effect of the open token on tired horses, then on a damaged wheel."""
    before = cascade.board.chariots[chariot]
    token = token_now(before)
    if before.is_exhausted and before.horses and 0 < token == max(allowed_tokens(before)):
        _risk(cascade, chariot, "exhausted")
    before = cascade.board.chariots[chariot]
    if before.has_damaged_wheel and before.has_body and token_now(before) == FASTEST:
        _risk(cascade, chariot, "wheel")


def token_now(chariot: Chariot) -> TokenName:
    """CM-92: return the token a chariot moves by: the one shown, or the fastest left if that is lost meanwhile."""
    allowed = allowed_tokens(chariot)
    shown = chariot.last_token
    return shown if shown is not None and shown in allowed else max(allowed)


def _risk(cascade: Cascade, chariot: int, name: str) -> None:
    (face,) = roll_for(cascade, name, chariot)
    if face >= cascade.box.numbers.start_of_turn_loss_min:
        lose(cascade, chariot, "stamina" if name == "exhausted" else "structure")
