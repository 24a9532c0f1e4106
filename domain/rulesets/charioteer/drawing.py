"""CH-80, CH-81: drawing from the deck. It is reshuffled when a card must be drawn and none is there, not before."""

from domain.ids import Seat
from domain.rulesets.charioteer.board import driver_of
from domain.rulesets.charioteer.components import CROWD_SLOTS, Components
from domain.rulesets.charioteer.evolution import DECK
from domain.rulesets.charioteer.outcomes import CardsDrawn, CrowdCardDealt
from domain.rulesets.charioteer.writing import CharioteerScript


def refill_hand(components: Components, script: CharioteerScript, seat: Seat) -> None:
    """Draw up to eight; a reshuffle in between splits the draw in two."""
    missing = components.numbers.hand_size - len(driver_of(script.board, seat).hand)
    while missing > 0:
        _reshuffle_if_empty(script)
        deck = script.board.deck
        count = min(missing, deck.left)
        script.emit(CardsDrawn(seat=seat, draws=tuple(range(deck.draws, deck.draws + count))))
        missing -= count


def deal_crowd_card(components: Components, script: CharioteerScript) -> None:
    """Turn up the next card for the first slot that is free."""
    _reshuffle_if_empty(script)
    deck = script.board.deck
    slot = len(script.board.crowd) + 1
    assert slot <= CROWD_SLOTS, slot
    card = components.faces[deck.order[deck.taken]].text
    script.emit(CrowdCardDealt(slot=slot, draw=deck.draws, card=card))


def _reshuffle_if_empty(script: CharioteerScript) -> None:
    if not script.board.deck.left:
        size = len(script.board.discards.faces)
        assert size > 0, "hands and crowd never hold all the cards: the components were checked for it"
        script.shuffle(DECK, size=size)
