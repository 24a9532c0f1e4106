"""Finding in a seat's view what a decision is about."""

from domain.ids import DecisionId
from domain.rulesets.chariotmaster.choices import Choices
from domain.rulesets.chariotmaster.view import RaceView


def find_choices(view: RaceView, decision: DecisionId) -> Choices:
    """Return what may be answered to a decision of the seat's own."""
    return next(each.choices for each in view.decisions if each.decision == decision)
