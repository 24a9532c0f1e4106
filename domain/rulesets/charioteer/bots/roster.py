"""The bots by name: at random, the longest move, and the one that judges."""

from domain.ruleset.bot import Choose, Numbers
from domain.rulesets.charioteer.actions import Action, Stack
from domain.rulesets.charioteer.bots import choices, judgement
from domain.rulesets.charioteer.choices import LegalActions
from domain.rulesets.charioteer.view import View

# There are some six times as many resets as moves: drawn evenly, most turns would stand still and a race take 190.
RESETS_OF_TEN = 1
# Tokens and stacks are rarer than moves without, so that they last for a while.
TOKENS_OF_FOUR = 1


def choose_at_random(_: View, legal: LegalActions, numbers: Numbers) -> Action:
    if not legal.moves or numbers.randrange(10) < RESETS_OF_TEN:
        count = numbers.randint(1, min(legal.reset.cards_max, len(legal.reset.cards)))
        cards = tuple(numbers.sample(legal.reset.cards, count))
        return choices.build_reset(cards, _choose_stack(legal, cards, numbers))
    choice = _choose_move(legal, numbers)
    return choices.build_move(choice, _choose_stack(legal, choice.cards, numbers))


def _choose_move(legal: LegalActions, numbers: Numbers) -> choices.Choice:
    may_spend = numbers.randrange(4) < TOKENS_OF_FOUR
    if may_spend and legal.wild_moves and numbers.randrange(2):
        wild = numbers.choice(legal.wild_moves)
        return choices.wild_choice_of(wild, numbers.choice(wild.changeable))
    offer = numbers.choice(legal.moves)
    if may_spend and offer.tokens:
        fit = numbers.choice(offer.tokens)
        return choices.choice_of(offer, token=fit.token, distance=fit.distance)
    return choices.choice_of(offer, token=None, distance=offer.distance)


def _choose_stack(legal: LegalActions, used: tuple[int, ...], numbers: Numbers) -> Stack | None:
    if not legal.stacks or numbers.randrange(4) >= TOKENS_OF_FOUR:
        return None
    offer = numbers.choice(legal.stacks)
    others = [card for card in legal.reset.cards if card not in used]
    count = numbers.randint(1, min(offer.cards_max, len(others)))
    return Stack(cards=tuple(sorted(numbers.sample(others, count))), token=offer.token)


def choose_longest_move(_view: View, legal: LegalActions, _numbers: Numbers) -> Action:
    """Play the longest move at any cost, as the dummy hand that the game's designer speaks of.

    Of equally long moves the one without a token, then the one of the fewest cards.
    """
    best = max(choices.list_choices(legal), key=_length, default=None)
    if best is None:
        return choices.build_reset(legal.reset.cards[:1], None)
    return choices.build_move(best, None)


def _length(choice: choices.Choice) -> tuple[int, bool, int]:
    return choice.distance, choice.token is None, -len(choice.cards)


BOTS: dict[str, Choose[View, LegalActions, Action]] = {
    "random": choose_at_random,
    "longest": choose_longest_move,
    "strategic": judgement.choose,
}
