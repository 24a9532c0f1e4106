"""CM-119: the start of a chariot turn: exhausted horses and damaged wheels may cost a point before anything moves."""

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.harm.losses import lose
from domain.rulesets.chariotmaster.harm.luck import roll_for
from domain.rulesets.chariotmaster.race.board import FASTEST, Chariot
from domain.rulesets.chariotmaster.race.cascade import Cascade
from domain.rulesets.chariotmaster.turn.pace import allowed_tokens


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
