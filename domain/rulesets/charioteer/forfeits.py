"""CH-95: the forfeit of a seat that did not open its seal, or opened an illegal action: less than any legal action."""

from domain.rulesets.charioteer.actions import FanToken, PlayerToken, TokenHandle
from domain.rulesets.charioteer.board import Driver
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.outcomes import MoveForfeited, TokenLost


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
