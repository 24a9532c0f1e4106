"""CH-11 to CH-17, CH-45, CH-76 and CO-18: which moves and resets are legal.

Refuses with the reason a player would give.
"""

from itertools import pairwise

from domain.rulesets.charioteer import rejections
from domain.rulesets.charioteer.actions import Action, FanToken, Move, PlayerToken, Reset, Stack, TokenHandle
from domain.rulesets.charioteer.board import Board, Driver
from domain.rulesets.charioteer.cards import Symbol, TokenType
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.reckoning import MoveParts, tally


def check_action(components: Components, board: Board, driver: Driver, action: Action) -> None:
    """Raise the rejection that states why this is not legal for this hand."""
    _check_cards(components, driver, action.cards)
    if isinstance(action, Move):
        _check_move(components, board, driver, action)
    if action.discard is not None:
        _check_stack(components, driver, action, action.discard)


def move_parts(components: Components, board: Board, driver: Driver, move: Move) -> MoveParts:
    """Look up a legal move's cards and token in the hand they come from."""
    kept = tuple(card for card in move.cards if card != move.changed)
    return MoveParts(
        symbol=components.symbol_places[move.symbol],
        faces=tuple(driver.hand_faces[driver.hand.index(card)] for card in kept),
        is_wild=move.changed is not None,
        crowd_face=board.crowd[0].face if move.crowd else None,
        token=None if move.token is None else find_token(components, driver, move.token),
    )


def find_token(components: Components, driver: Driver, handle: TokenHandle) -> int | None:
    """Find the type of a token the seat holds."""
    match handle:
        case FanToken(draw=draw):
            return driver.fan_faces[driver.fan_tokens.index(draw)] if draw in driver.fan_tokens else None
        case PlayerToken(type=name):
            token = components.token_places.get(name)
            return token if token in driver.player_tokens else None


def _check_move(components: Components, board: Board, driver: Driver, move: Move) -> None:
    place = components.symbol_places.get(move.symbol)
    if place is None:
        raise rejections.UnknownSymbol(expected="one of the twelve symbols", found=move.symbol)
    symbol = components.symbols[place]
    _check_token(components, driver, move, symbol)
    _check_matching(components, driver, move, symbol)
    if move.crowd and not components.faces[board.crowd[0].face].counts[place]:
        crowd = components.faces[board.crowd[0].face].text
        raise rejections.CrowdCardDoesNotMatch(expected=f"a crowd card with {symbol.name}", found=crowd)
    matching = tally(components, move_parts(components, board, driver, move)).cards
    needed = components.numbers.matching_cards_min
    if matching < needed:
        expected = f"at least {needed} cards with {symbol.name}, the crowd card counted"
        raise rejections.TooFewMatchingCards(expected=expected, found=str(matching))


def _check_cards(components: Components, driver: Driver, cards: tuple[int, ...]) -> None:
    most = components.numbers.hand_cards_max
    if not 1 <= len(cards) <= most:
        raise rejections.WrongNumberOfCards(expected=f"1 to {most} cards", found=str(len(cards)))
    _check_held(driver, cards)


def _check_held(driver: Driver, cards: tuple[int, ...]) -> None:
    if any(card >= following for card, following in pairwise(cards)):
        raise rejections.CardsNotAscending(expected="draw numbers in ascending order, each once", found=_listed(cards))
    for card in cards:
        if card not in driver.hand:
            raise rejections.CardNotInHand(expected=f"cards of the hand ({_listed(driver.hand)})", found=str(card))


def _check_token(components: Components, driver: Driver, move: Move, symbol: Symbol) -> None:
    kind = None if move.token is None else _held_token(components, driver, move.token)
    if kind is not None:
        if kind.is_discard:
            raise rejections.TokenOfAnotherUse(expected="a token that goes on a move", found=kind.name)
        if not kind.fits(symbol.colour):
            raise rejections.TokenOfAnotherColour(expected=f"a {symbol.colour} or colourless token", found=kind.name)
    _check_change(move, is_wild=kind is not None and kind.icon == "wild")


def _check_change(move: Move, *, is_wild: bool) -> None:
    if move.changed is None:
        if is_wild:
            raise rejections.WildWithoutCard(expected="a card that the wild token changes", found="none named")
        return
    if not is_wild:
        raise rejections.ChangeWithoutWild(
            expected="a wild token on the move", found=f"none, with card {move.changed} to change"
        )
    if move.changed not in move.cards:
        raise rejections.ChangedCardNotInMove(expected=f"one of {_listed(move.cards)}", found=str(move.changed))


def _check_matching(components: Components, driver: Driver, move: Move, symbol: Symbol) -> None:
    for card in move.cards:
        face = components.faces[driver.hand_faces[driver.hand.index(card)]]
        if card != move.changed and not face.counts[symbol.index] and not face.goes_with_any_move:
            raise rejections.CardDoesNotMatch(expected=f"cards with {symbol.name}", found=f"card {card}: {face.text}")


def _check_stack(components: Components, driver: Driver, action: Move | Reset, stack: Stack) -> None:
    kind = _held_token(components, driver, stack.token)
    if not kind.is_discard:
        raise rejections.TokenOfAnotherUse(expected="a discard token", found=kind.name)
    if not 1 <= len(stack.cards) <= kind.amount:
        raise rejections.WrongStack(expected=f"1 to {kind.amount} cards under {kind.name}", found=str(len(stack.cards)))
    _check_held(driver, stack.cards)
    for card in stack.cards:
        if card in action.cards:
            raise rejections.CardUsedTwice(expected="cards that are not played", found=f"card {card} in both")


def _held_token(components: Components, driver: Driver, handle: TokenHandle) -> TokenType:
    token = find_token(components, driver, handle)
    if token is None:
        name = f"fan token {handle.draw}" if isinstance(handle, FanToken) else handle.type
        raise rejections.TokenNotHeld(expected="a token that the seat has", found=name)
    return components.tokens[token]


def _listed(cards: tuple[int, ...]) -> str:
    return ", ".join(map(str, cards))
