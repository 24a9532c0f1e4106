"""The stand-in: a house bot that plays for a seat whose player lets clocks run out, until the player takes it back.

It contributes no links and signs nothing, so that no game that demands these of its seats has one.
"""

from msgspec import UnsetType

from domain.game.clock import waits_for_seat
from domain.game.events import ActionPlayed, ActionSealed, GameOpened
from domain.game.rejections import SeatHandedOver, SeatNotHandedOver, UnfitTerms
from domain.game.seating import require_playing
from domain.game.state import Game, Held, Owed
from domain.house import HOUSE, is_house
from domain.ids import DecisionId, PlayerId, Seat

# The author of the stand-in's lines.
BY_HOUSE = "house"
# What a stand-in may send for its seat; the server reveals its sealed actions.
BY_STAND_IN = ActionSealed | ActionPlayed
_OF_SEATS = ("links", "own_custody", "signed")


def check_stand_in(opened: GameOpened) -> None:
    """Check that a game may have a stand-in: it has a clock, and no demand that only players can meet."""
    if isinstance(opened.stand_in, UnsetType):
        return
    if opened.clock is None or not isinstance(opened.table, UnsetType):
        raise UnfitTerms(expected="a stand-in in a game with a clock and of no tournament", found="another game")
    demanded = [demand for demand in opened.demands if demand in _OF_SEATS]
    if demanded:
        expected = "no stand-in, as only players can meet the demands of this game"
        raise UnfitTerms(expected=expected, found=f"one beside {', '.join(demanded)}")


def admit_reclaim(game: Game, seat: Seat) -> None:
    """Check that the seat is handed over."""
    if not require_playing(game, seat).is_handed:
        raise SeatNotHandedOver(expected="a seat that was handed over", found=f"seat {seat}, which its player plays")


def check_player_plays(held: Held, seat: Seat) -> None:
    """Check that the seat is not handed over."""
    if held.is_handed:
        raise SeatHandedOver(expected=f"seat {seat} to be taken back first", found="a seat that a house bot plays")


def list_handed(game: Game) -> frozenset[Seat]:
    """List the seats that are handed over."""
    seats = enumerate(game.seats)
    return frozenset(Seat(place) for place, each in seats if isinstance(each, Held) and each.is_handed)


def list_waiting(game: Game) -> list[Owed]:
    """List the decisions that wait for the player of their seat: none in a pause, nor those of the stand-in."""
    if game.paused_ms is not None:
        return []
    handed = list_handed(game)
    return [owed for owed in game.owed if waits_for_seat(game, owed) and owed.decision.seat not in handed]


def list_due(game: Game) -> list[Seat]:
    """List the seats that are to be handed over: at most one, just after its clock ran out."""
    terms, seats = game.opened.stand_in, enumerate(game.seats)
    if isinstance(terms, UnsetType) or game.status != "running":
        return []
    return [Seat(place) for place, each in seats if isinstance(each, Held) and _is_due(each, terms.after)]


def find_driven(game: Game, player: PlayerId) -> Seat | None:
    """Find the seat that a player holds, or that a house player drives in its place."""
    for place, each in enumerate(game.seats):
        if isinstance(each, Held) and (each.player == player or is_driven_by(each, Seat(place), player)):
            return Seat(place)
    return None


def is_driven_by(held: Held, seat: Seat, player: PlayerId) -> bool:
    """Return whether a player is the stand-in that plays for a seat now."""
    return held.is_handed and player == HOUSE[seat]


def find_turn(decision: DecisionId) -> str:
    """Return the turn of a decision: its id up to the first slash, `r3` of `r3/blue/dice/1`."""
    return decision.partition("/")[0]


def _is_due(held: Held, after: int) -> bool:
    return len(held.lapses) >= after and not (held.is_handed or held.has_departed or is_house(held.player))
