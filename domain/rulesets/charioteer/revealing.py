"""CH-18, CH-91: turning up sealed cards and tokens, in seat order; when the last is up, the turn runs."""

from domain.rulesets.charioteer.actions import Action, FanToken, Move, Reset, Stack, TokenHandle
from domain.rulesets.charioteer.board import Board, Driver
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.legality import find_token
from domain.rulesets.charioteer.outcomes import CardShown, MoveRevealed, ResetRevealed


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
