"""CH-94: the answer for a seat that did not choose in time: the longest plain move without an attack, or a reset."""

from domain.rulesets.charioteer.actions import Action, Move, Reset
from domain.rulesets.charioteer.board import Board, Driver
from domain.rulesets.charioteer.cards import Colour
from domain.rulesets.charioteer.choices import MoveOffer, list_legal_actions
from domain.rulesets.charioteer.components import Components

# Of equally long moves the one that states least about a plan: sprint before recovery, cornering and attack.
PREFERENCE: tuple[Colour, ...] = ("green", "yellow", "black", "red")


def default_action(components: Components, board: Board, driver: Driver) -> Action:
    """Spend no token, no whip and no discard, attack no rival; calm the horses when damage outweighs the move."""
    offers = list_legal_actions(components, board, driver).moves
    plain = (offer for offer in offers if _is_plain(components, driver, offer))
    best = min(plain, key=lambda offer: _preference(components, offer), default=None)
    if best is None or best.distance < driver.damage:
        return Reset(cards=driver.hand[:1], discard=None)
    return Move(cards=best.cards, changed=None, crowd=best.crowd, discard=None, symbol=best.symbol, token=None)


def _is_plain(components: Components, driver: Driver, offer: MoveOffer) -> bool:
    faces = (components.faces[driver.hand_faces[driver.hand.index(card)]] for card in offer.cards)
    return offer.attack == 0 and not any(face.goes_with_any_move for face in faces)


def _preference(components: Components, offer: MoveOffer) -> tuple[int, int, int, int, tuple[int, ...], bool]:
    symbol = components.symbols[components.symbol_places[offer.symbol]]
    colour = PREFERENCE.index(symbol.colour)
    return (-offer.distance, len(offer.cards), colour, -symbol.number, offer.cards, offer.crowd)
