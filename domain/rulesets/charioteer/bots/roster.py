"""The bots of Charioteer by name."""

from domain.ruleset.bot import Choose
from domain.rulesets.charioteer.actions import Action
from domain.rulesets.charioteer.bots.longest_move import choose_longest_move
from domain.rulesets.charioteer.bots.random_legal import choose_random_legal
from domain.rulesets.charioteer.bots.strategic import choose_strategic
from domain.rulesets.charioteer.view import View

BOTS: dict[str, Choose[View, Action]] = {
    "random": choose_random_legal,
    "longest": choose_longest_move,
    "strategic": choose_strategic,
}
