"""The table within a turn: cards turned up, stacks face down, tokens spent, and how all of it is cleared.

CH-80 with CH-17: everything played stays until the end of the turn.
"""

from msgspec.structs import replace

from domain.rulesets.charioteer.board import (
    Board,
    Driver,
    Forfeited,
    Pile,
    PlayedMove,
    PlayedReset,
    driver_of,
    with_driver,
)
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.outcomes import CardShown, MoveForfeited, MoveRevealed, ResetRevealed, TableCleared


def after_move_revealed(components: Components, board: Board, outcome: MoveRevealed) -> Board:
    driver = driver_of(board, outcome.seat)
    token = None if outcome.token is None else components.token_places[outcome.token]
    played = PlayedMove(
        cards=tuple(shown.draw for shown in outcome.cards),
        faces=_faces(components, outcome.cards),
        symbol=components.symbol_places[outcome.symbol],
        crowd_face=None if outcome.crowd_card is None else components.face_places[outcome.crowd_card],
        token=token,
        changed=outcome.changed,
    )
    driver = _without_cards(replace(driver, played=played), shown=played.cards, stack=outcome.discarded)
    driver = _without_token(driver, token, outcome.fan_token)
    return with_driver(board, _without_discard_token(components, driver, outcome))


def after_reset_revealed(components: Components, board: Board, outcome: ResetRevealed) -> Board:
    played = PlayedReset(cards=tuple(shown.draw for shown in outcome.cards), faces=_faces(components, outcome.cards))
    driver = replace(driver_of(board, outcome.seat), played=played)
    driver = _without_cards(driver, shown=played.cards, stack=outcome.discarded)
    return with_driver(board, _without_discard_token(components, driver, outcome))


def after_forfeit(components: Components, board: Board, outcome: MoveForfeited) -> Board:
    driver = replace(driver_of(board, outcome.seat), played=Forfeited())
    driver = _without_cards(driver, shown=(), stack=outcome.discarded)
    for lost in outcome.tokens:
        driver = _without_token(driver, components.token_places[lost.token], lost.fan_token)
    return with_driver(board, driver)


def after_clearing(_components: Components, board: Board, _outcome: TableCleared) -> Board:
    """Discard seat by seat, cards of moves before stacks, each group by ascending draw number."""
    discards, fan_discards = board.discards, board.fan_discards
    drivers = []
    for driver in board.drivers:
        discards, fan_discards = _discarded(driver, discards, fan_discards)
        drivers.append(_cleared(driver))
    return replace(board, drivers=tuple(drivers), discards=discards, fan_discards=fan_discards)


def _discarded(driver: Driver, discards: Pile, fan_discards: Pile) -> tuple[Pile, Pile]:
    if isinstance(driver.played, PlayedMove | PlayedReset):
        discards = discards.with_shown(driver.played.faces)
    if driver.stack:
        discards = discards.with_unseen(driver.stack_faces)
    if driver.fan_spent:
        fan_discards = fan_discards.with_shown(driver.fan_spent)
    if not driver.is_racing and driver.hand:
        discards = discards.with_unseen(driver.hand_faces)
        fan_discards = fan_discards.with_unseen(driver.fan_faces)
    return discards, fan_discards


def _cleared(driver: Driver) -> Driver:
    if not driver.is_racing:
        return replace(
            driver, played=None, stack=(), stack_faces=(), fan_spent=(), hand=(), hand_faces=(),
            fan_tokens=(), fan_faces=()
        )  # fmt: skip
    return replace(
        driver,
        played=None,
        stack=(),
        stack_faces=(),
        fan_spent=(),
        damage=driver.damage + driver.attacked,
        attacked=0,
        is_closed=False,
    )


def _faces(components: Components, cards: tuple[CardShown, ...]) -> tuple[int, ...]:
    return tuple(components.face_places[shown.card] for shown in cards)


def _without_cards(driver: Driver, *, shown: tuple[int, ...], stack: tuple[int, ...]) -> Driver:
    kept = [place for place, draw in enumerate(driver.hand) if draw not in shown and draw not in stack]
    return replace(
        driver,
        hand=tuple(driver.hand[place] for place in kept),
        hand_faces=tuple(driver.hand_faces[place] for place in kept),
        stack=stack,
        stack_faces=tuple(driver.hand_faces[driver.hand.index(draw)] for draw in stack),
    )


def _without_token(driver: Driver, token: int | None, fan_token: int | None) -> Driver:
    if token is None:
        return driver
    if fan_token is None:
        return replace(driver, player_tokens=tuple(held for held in driver.player_tokens if held != token))
    place = driver.fan_tokens.index(fan_token)
    return replace(
        driver,
        fan_tokens=driver.fan_tokens[:place] + driver.fan_tokens[place + 1 :],
        fan_faces=driver.fan_faces[:place] + driver.fan_faces[place + 1 :],
        fan_spent=(*driver.fan_spent, token),
    )


def _without_discard_token(components: Components, driver: Driver, outcome: MoveRevealed | ResetRevealed) -> Driver:
    if outcome.discard_token is None:
        return driver
    return _without_token(driver, components.token_places[outcome.discard_token], outcome.discard_fan_token)
