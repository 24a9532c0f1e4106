"""The dummy hand the game's designer speaks of: always the move of the greatest distance, at any cost."""

from domain.ids import DecisionId
from domain.ruleset.bot import Numbers
from domain.rulesets.charioteer.actions import Action
from domain.rulesets.charioteer.bots.choices import Choice, build_move, build_reset, legal_actions, list_choices
from domain.rulesets.charioteer.view import View


def choose_longest_move(view: View, _decision: DecisionId, _numbers: Numbers) -> Action:
    """Of equally long moves the one without a token, then the one of the fewest cards."""
    legal = legal_actions(view)
    best = max(list_choices(legal), key=_length, default=None)
    if best is None:
        return build_reset(legal.reset.cards[:1], None)
    return build_move(best, None)


def _length(choice: Choice) -> tuple[int, bool, int]:
    return choice.distance, choice.token is None, -len(choice.cards)
