"""CM-80: a driver in the reins behind his horses: the health it costs him turn after turn, and how he gets loose."""

from domain.rulesets.chariotmaster.box.tables import is_test_passed, third_of
from domain.rulesets.chariotmaster.harm.crashes import let_go
from domain.rulesets.chariotmaster.harm.losses import lose
from domain.rulesets.chariotmaster.harm.luck import roll_for
from domain.rulesets.chariotmaster.race.aftermath_outcomes import CutLooseTested
from domain.rulesets.chariotmaster.race.board import Chariot
from domain.rulesets.chariotmaster.race.cascade import Cascade


def lose_dragged_health(cascade: Cascade, chariot: int) -> None:
    """CM-80: take D3 health from a driver who is dragged, at the start of his turn; nothing from any other driver."""
    if cascade.board.chariots[chariot].driver == "dragged":
        (face,) = roll_for(cascade, "dragged-on", chariot)
        lose(cascade, chariot, "health", count=third_of(face))


def may_cut_loose(chariot: Chariot) -> bool:
    """CM-80: state whether a driver is dragged, awake, and has his knife."""
    return chariot.driver == "dragged" and chariot.has_knife and not chariot.unconscious_for


def cut_loose(cascade: Cascade, chariot: int) -> None:
    """CM-80: test skill, nothing added; a driver who passes lies where he hung, and walks from the next turn on."""
    (face,) = roll_for(cascade, "cut-loose", chariot)
    skill = cascade.board.chariots[chariot].skill
    is_passed = is_test_passed(cascade.box, face, modifier=0, skill=skill)
    cascade.script.emit(CutLooseTested(chariot=chariot, face=face, is_passed=is_passed))
    if is_passed:
        let_go(cascade, chariot)
