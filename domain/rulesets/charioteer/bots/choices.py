"""From the offers of a view to the actions of this game. A bot knows its seat's view and nothing else."""

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from domain.rulesets.charioteer.actions import Action, Move, Reset, Stack, TokenHandle
from domain.rulesets.charioteer.choices import LegalActions, MoveOffer, WildOffer
from domain.rulesets.charioteer.view import OwnView, View


class Choice(Struct, frozen=True, kw_only=True):
    """One move with or without a token, and its terms in the offer."""

    cards: tuple[int, ...]
    symbol: str
    crowd: bool
    token: TokenHandle | None
    changed: int | None
    symbols: int
    distance: int
    attack: int
    earns_fan_token: bool


def own_view(view: View) -> OwnView:
    assert view.own is not None, "a bot plays a seat"
    return view.own


def list_choices(legal: LegalActions) -> Iterator[Choice]:
    """Every move that is offered, each with every token that fits it."""
    for offer in legal.moves:
        yield choice_of(offer, token=None, distance=offer.distance)
        for fit in offer.tokens:
            yield choice_of(offer, token=fit.token, distance=fit.distance)
    for wild in legal.wild_moves:
        for changed in wild.changeable:
            yield wild_choice_of(wild, changed)


def choice_of(offer: MoveOffer | WildOffer, *, token: TokenHandle | None, distance: int) -> Choice:
    return Choice(
        cards=offer.cards,
        symbol=offer.symbol,
        crowd=offer.crowd,
        token=token,
        changed=None,
        symbols=offer.symbols,
        distance=distance,
        attack=offer.attack,
        earns_fan_token=offer.earns_fan_token,
    )


def wild_choice_of(offer: WildOffer, changed: int) -> Choice:
    plain = choice_of(offer, token=offer.token, distance=offer.distance)
    return replace(plain, cards=tuple(sorted((*offer.cards, changed))), changed=changed)


def build_move(choice: Choice, discard: Stack | None) -> Move:
    return Move(
        cards=choice.cards,
        changed=choice.changed,
        crowd=choice.crowd,
        discard=discard,
        symbol=choice.symbol,
        token=choice.token,
    )


def build_reset(cards: tuple[int, ...], discard: Stack | None) -> Reset:
    return Reset(cards=tuple(sorted(cards)), discard=discard)


def list_answers(legal: LegalActions) -> Iterator[Action]:
    """List every move and reset that is offered: without a stack, then with one."""
    yield from _list_answers_with(legal, None)
    for offer in legal.stacks:
        for cards in _choose(legal.reset.cards, offer.cards_max):
            yield from _list_answers_with(legal, Stack(cards=cards, token=offer.token))


def _list_answers_with(legal: LegalActions, stack: Stack | None) -> Iterator[Action]:
    under = () if stack is None else stack.cards
    yield from (build_move(choice, stack) for choice in list_choices(legal) if not set(under) & set(choice.cards))
    left = tuple(card for card in legal.reset.cards if card not in under)
    yield from (build_reset(cards, stack) for cards in _choose(left, legal.reset.cards_max))


def _choose(cards: tuple[int, ...], count_max: int) -> Iterator[tuple[int, ...]]:
    for count in range(1, min(count_max, len(cards)) + 1):
        yield from combinations(sorted(cards), count)
