"""CH-97: every legal answer, in factors: moves with the tokens that fit each, a reset, and independently a stack.

Cards that look the same, and fan tokens of one type, are offered once, by the lowest draw. Adds whole hands up at once;
must agree with legality.py and reckoning.py.
"""

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from domain.rulesets.charioteer.actions import FanToken, PlayerToken, TokenHandle
from domain.rulesets.charioteer.attacks import attack_cubes, attack_of
from domain.rulesets.charioteer.board import UNKNOWN, Board, Driver
from domain.rulesets.charioteer.cards import COLOURS, Face, Symbol, TokenType
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.reckoning import damage_removed
from domain.rulesets.charioteer.skills import skill_bonus


class TokenFit(Struct, frozen=True, kw_only=True):
    """A token that may lie on the move, and how far the move goes with it."""

    token: TokenHandle
    distance: int


class MoveOffer(Struct, frozen=True, kw_only=True):
    """A move without a token, and the tokens that fit. `attack` is the number of cubes that each rival takes."""

    cards: tuple[int, ...]
    symbol: str
    crowd: bool
    symbols: int
    distance: int
    attack: int
    earns_fan_token: bool
    tokens: tuple[TokenFit, ...]


class WildOffer(Struct, frozen=True, kw_only=True):
    """A move of `cards` as they are and any one of `changeable`, which the token changes."""

    cards: tuple[int, ...]
    changeable: tuple[int, ...]
    symbol: str
    crowd: bool
    symbols: int
    distance: int
    attack: int
    earns_fan_token: bool
    token: TokenHandle


class ResetOffer(Struct, frozen=True, kw_only=True):
    """Any 1 to `cards_max` of the cards."""

    cards: tuple[int, ...]
    cards_max: int


class StackOffer(Struct, frozen=True, kw_only=True):
    """With any move or reset: 1 to `cards_max` of the other cards of the hand under this token."""

    token: TokenHandle
    cards_max: int


class LegalActions(Struct, frozen=True, kw_only=True, tag_field="kind", tag="move"):
    moves: tuple[MoveOffer, ...]
    wild_moves: tuple[WildOffer, ...]
    reset: ResetOffer
    stacks: tuple[StackOffer, ...]


class HeldToken(Struct, frozen=True, kw_only=True):
    handle: TokenHandle
    kind: TokenType


class _Hand(Struct, frozen=True, kw_only=True):
    """The hand by faces. `left` is the damage that stays after no, one, or more recoveries.

    `matching` lists for each symbol the places that show it, `whips` those that go with any move.
    """

    cards: tuple[int, ...]
    faces: tuple[Face, ...]
    has_twins: bool
    matching: tuple[list[int], ...]
    whips: tuple[int, ...]
    crowd: Face
    left: tuple[int, int, int]
    skills: tuple[int, ...]
    fits: tuple[tuple[tuple[TokenHandle, int, int], ...], ...]


class _CardSet(Struct, frozen=True):
    """Places in the hand, the crowd card or None, how many more a wild changes, and how many cards match in all."""

    places: tuple[int, ...]
    crowd: Face | None
    wild: int
    cards: int


def list_legal_actions(components: Components, board: Board, driver: Driver) -> LegalActions:
    assert UNKNOWN not in driver.hand_faces, "only who knows the hand can say what is legal"
    held = held_tokens(components, driver)
    hand = _sort_hand(components, board, driver, held)
    numbers = components.numbers
    return LegalActions(
        moves=tuple(_moves(components, hand)),
        wild_moves=tuple(_wild_moves(components, hand, held)),
        reset=ResetOffer(cards=driver.hand, cards_max=numbers.hand_cards_max),
        stacks=tuple(
            StackOffer(token=token.handle, cards_max=token.kind.amount) for token in held if token.kind.is_discard
        ),
    )


def held_tokens(components: Components, driver: Driver) -> tuple[HeldToken, ...]:
    """List the tokens of a seat, fan tokens of one type once."""
    first_draws: dict[int, int] = {}
    for draw, face in zip(driver.fan_tokens, driver.fan_faces, strict=True):
        first_draws.setdefault(face, draw)
    fan = [HeldToken(handle=FanToken(draw=draw), kind=components.tokens[face]) for face, draw in first_draws.items()]
    kinds = [components.tokens[token] for token in driver.player_tokens]
    return (*fan, *(HeldToken(handle=PlayerToken(type=kind.name), kind=kind) for kind in kinds))


def _sort_hand(components: Components, board: Board, driver: Driver, held: tuple[HeldToken, ...]) -> _Hand:
    track = components.skills_track
    faces = tuple(components.faces[face] for face in driver.hand_faces)
    matching: tuple[list[int], ...] = tuple([] for _ in components.symbols)
    for place, face in enumerate(faces):
        for symbol in face.symbols:
            matching[symbol].append(place)
    left = tuple(driver.damage - damage_removed(driver.damage, recoveries) for recoveries in range(3))
    return _Hand(
        cards=driver.hand,
        faces=faces,
        has_twins=len(set(driver.hand_faces)) < len(faces),
        matching=matching,
        whips=tuple(place for place, face in enumerate(faces) if not face.symbols),
        crowd=components.faces[board.crowd[0].face],
        left=(left[0], left[1], left[2]),
        skills=tuple(skill_bonus(track, place) for place in driver.skills),
        fits=tuple(
            tuple(
                (token.handle, token.kind.amount, token.kind.icon == "recovery")
                for token in held
                if token.kind.fits(colour) and token.kind.icon != "wild"
            )
            for colour in COLOURS
        ),
    )


def _moves(components: Components, hand: _Hand) -> Iterator[MoveOffer]:
    """For each symbol of the hand: any cards that show it or go with any move, with and without the crowd card."""
    for symbol in components.symbols:
        for card_set in _card_sets(components, hand, symbol, wild=0):
            yield _offer(components, hand, symbol, card_set)


def _wild_moves(components: Components, hand: _Hand, held: tuple[HeldToken, ...]) -> Iterator[WildOffer]:
    for token in held:
        if token.kind.icon != "wild":
            continue
        for symbol in components.symbols:
            if token.kind.fits(symbol.colour):
                for card_set in _card_sets(components, hand, symbol, wild=1):
                    offer = _offer(components, hand, symbol, card_set)
                    yield _wild_offer(hand, offer, card_set.places, token.handle)


def _card_sets(components: Components, hand: _Hand, symbol: Symbol, *, wild: int) -> Iterator[_CardSet]:
    """Yield the sets of cards that make a move, each without and then with the crowd card if that shows the symbol."""
    matching = hand.matching[symbol.index]
    crowd = hand.crowd if hand.crowd.counts[symbol.index] else None
    needed = components.numbers.matching_cards_min - wild
    if len(matching) + (crowd is not None) < needed:
        return
    usable = sorted((*matching, *hand.whips)) if hand.whips else matching
    for count in range(1 - wild, components.numbers.hand_cards_max + 1 - wild):
        for places in combinations(usable, count):
            if hand.has_twins and _skips_a_twin(hand, places):
                continue
            cards = sum(1 for place in places if place in matching) if hand.whips else count
            if cards >= needed:
                yield _CardSet(places, None, wild, cards + wild)
            if crowd is not None and cards + 1 >= needed:
                yield _CardSet(places, crowd, wild, cards + 1 + wild)


def _skips_a_twin(hand: _Hand, places: tuple[int, ...]) -> bool:
    """Whether an earlier card that looks the same was left out."""
    return any(
        earlier not in places and hand.faces[earlier] is hand.faces[place]
        for place in places
        for earlier in range(place)
    )


def _offer(components: Components, hand: _Hand, symbol: Symbol, card_set: _CardSet) -> MoveOffer:
    faces = [hand.faces[place] for place in card_set.places]
    if card_set.crowd is not None:
        faces.append(card_set.crowd)
    index = symbol.index
    symbols = card_set.wild * components.numbers.wild_symbols
    recoveries = 1 if symbol.colour == "yellow" else 0
    for face in faces:
        symbols += face.counts[index]
        recoveries += face.icon == "recovery"
    whole = symbols + symbol.number + hand.skills[symbol.colour_index]
    left = hand.left
    attack = attack_of(components, symbol, cards=card_set.cards)
    return MoveOffer(
        cards=tuple([hand.cards[place] for place in card_set.places]),
        symbol=symbol.name,
        crowd=card_set.crowd is not None,
        symbols=symbols,
        distance=max(whole - left[min(recoveries, 2)], 0),
        attack=0 if attack is None else attack_cubes(components, attack),
        earns_fan_token=symbols >= components.numbers.fan_symbols_min,
        tokens=()
        if card_set.wild
        else tuple(
            [
                TokenFit(token=handle, distance=max(whole + amount - left[min(recoveries + recovery, 2)], 0))
                for handle, amount, recovery in hand.fits[symbol.colour_index]
            ]
        ),
    )


def _wild_offer(hand: _Hand, offer: MoveOffer, places: tuple[int, ...], token: TokenHandle) -> WildOffer:
    first_cards: dict[str, int] = {}
    for place, face in enumerate(hand.faces):
        if place not in places:
            first_cards.setdefault(face.text, hand.cards[place])
    return WildOffer(
        cards=offer.cards,
        changeable=tuple(first_cards.values()),
        symbol=offer.symbol,
        crowd=offer.crowd,
        symbols=offer.symbols,
        distance=offer.distance,
        attack=offer.attack,
        earns_fan_token=offer.earns_fan_token,
        token=token,
    )
