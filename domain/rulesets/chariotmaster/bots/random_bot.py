"""A driver that answers at random: some kind of answer that is legal, then any likely answer of that kind."""

from domain.ids import DecisionId
from domain.ruleset.bot import Numbers
from domain.rulesets.chariotmaster.bots.sight import find_choices
from domain.rulesets.chariotmaster.offers.choices import MoveChoices
from domain.rulesets.chariotmaster.offers.view import RaceView
from domain.rulesets.chariotmaster.race.actions import (
    Action,
    AnnounceSubMove,
    Attack,
    ChangeSpeed,
    GoOn,
    MakeSubMove,
    MakeUTurn,
    Stop,
)

# Drivers who brake whenever they can are out of stamina before the first bend, and nothing else is seen of the game.
_WEIGHTS: dict[type[Action], int] = {
    MakeSubMove: 12,
    MakeUTurn: 2,
    Attack: 4,
    Stop: 4,
    AnnounceSubMove: 3,
    GoOn: 2,
    ChangeSpeed: 1,
}


def choose(view: RaceView, decision: DecisionId, numbers: Numbers) -> Action:
    """Answer a decision; it sees nothing but the seat's own view."""
    choices = find_choices(view, decision)
    if not isinstance(choices, MoveChoices):
        return numbers.choice(choices.candidates)
    actions = [candidate.action for candidate in choices.candidates]
    kinds = [kind for kind in _WEIGHTS if any(isinstance(action, kind) for action in actions)]
    (kind,) = numbers.choices(kinds, weights=[_WEIGHTS[each] for each in kinds])
    return numbers.choice([action for action in actions if isinstance(action, kind)])
