"""CH-18, CH-91: turning up sealed cards and tokens, in seat order; when the last is up, the turn runs.

CH-95: the forfeit of a seat that did not open its seal, or opened an illegal action, costs more than any legal action.
"""

from domain.rulesets.charioteer.actions import Action, FanToken, Move, PlayerToken, Reset, Stack, TokenHandle
from domain.rulesets.charioteer.board import Board, Driver
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.legality import find_token
from domain.rulesets.charioteer.outcomes import CardShown, MoveForfeited, MoveRevealed, ResetRevealed, TokenLost


def tell_reveal(components: Components, board: Board, driver: Driver, action: Action) -> MoveRevealed | ResetRevealed:
    """Name the faces that are turned up and nothing else."""
    match action:
        case Move():
            return MoveRevealed(
                seat=driver.seat,
                symbol=action.symbol,
                cards=_shown(components, driver, action.cards),
                crowd_card=components.faces[board.crowd[0].face].text if action.crowd else None,
                token=_token_name(components, driver, action.token),
                fan_token=_fan_draw(action.token),
                changed=action.changed,
                discard_token=_token_name(components, driver, _stack_token(action.discard)),
                discard_fan_token=_fan_draw(_stack_token(action.discard)),
                discarded=action.discard.cards if action.discard is not None else (),
            )
        case Reset():
            return ResetRevealed(
                seat=driver.seat,
                cards=_shown(components, driver, action.cards),
                discard_token=_token_name(components, driver, _stack_token(action.discard)),
                discard_fan_token=_fan_draw(_stack_token(action.discard)),
                discarded=action.discard.cards if action.discard is not None else (),
            )


def _shown(components: Components, driver: Driver, cards: tuple[int, ...]) -> tuple[CardShown, ...]:
    faces = dict(zip(driver.hand, driver.hand_faces, strict=True))
    return tuple(CardShown(draw=card, card=components.faces[faces[card]].text) for card in cards)


def _stack_token(stack: Stack | None) -> TokenHandle | None:
    return None if stack is None else stack.token


def _token_name(components: Components, driver: Driver, handle: TokenHandle | None) -> str | None:
    token = None if handle is None else find_token(components, driver, handle)
    return None if token is None else components.tokens[token].name


def _fan_draw(handle: TokenHandle | None) -> int | None:
    return handle.draw if isinstance(handle, FanToken) else None


def tell_forfeit(components: Components, driver: Driver) -> MoveForfeited:
    """Throw away, unseen, the cards drawn last and, shown, the dearest token of either use."""
    lost = [find_dearest(components, driver, is_discard=False), find_dearest(components, driver, is_discard=True)]
    return MoveForfeited(
        seat=driver.seat,
        discarded=driver.hand[-components.numbers.hand_cards_max :],
        tokens=tuple(_tell_lost(components, driver, handle) for handle in lost if handle is not None),
    )


def find_dearest(components: Components, driver: Driver, *, is_discard: bool) -> TokenHandle | None:
    """Find the token of highest rank; fan before player token, then the earliest drawn, then in the order of types."""
    fan: list[tuple[int, int, int, TokenHandle]] = [
        (-components.tokens[face].rank, 0, draw, FanToken(draw=draw))
        for draw, face in zip(driver.fan_tokens, driver.fan_faces, strict=True)
        if components.tokens[face].is_discard == is_discard
    ]
    own: list[tuple[int, int, int, TokenHandle]] = [
        (-components.tokens[token].rank, 1, token, PlayerToken(type=components.tokens[token].name))
        for token in driver.player_tokens
        if components.tokens[token].is_discard == is_discard
    ]
    return min(fan + own, key=lambda held: held[:3], default=(0, 0, 0, None))[3]


def _tell_lost(components: Components, driver: Driver, handle: TokenHandle) -> TokenLost:
    if isinstance(handle, PlayerToken):
        return TokenLost(token=handle.type, fan_token=None)
    face = driver.fan_faces[driver.fan_tokens.index(handle.draw)]
    return TokenLost(token=components.tokens[face].name, fan_token=handle.draw)
