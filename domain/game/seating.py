"""Who may sit down, get ready, leave or be removed before a game starts."""

import msgspec
from msgspec import UnsetType

from domain.game.events import SeatReadied, SeatTaken
from domain.game.offers import check_taker
from domain.game.rejections import (
    AlreadyReady,
    AlreadySeated,
    NoSuchSeat,
    SeatDeparted,
    SeatingsExhausted,
    SeatNotHeld,
    SeatNotVacant,
    SeatOfAnother,
    SeatsVacant,
    WrongSeatCount,
)
from domain.game.state import SEATINGS_MAX, Closed, Game, Held, Vacant
from domain.ids import Seat
from domain.log.own_links import LINKS_DEMANDED, check_links, check_nonce
from domain.log.rejections import DemandNotMet


def check_seat_exists(game: Game, seat: int) -> None:
    """Raise unless the game has this seat."""
    if not 0 <= seat < len(game.seats):
        raise NoSuchSeat(expected=f"a seat from 0 to {len(game.seats) - 1}", found=f"seat {seat}")


def require_held(game: Game, seat: Seat) -> Held:
    """Return a taken seat, or raise."""
    check_seat_exists(game, seat)
    status = game.seats[seat]
    if not isinstance(status, Held):
        raise SeatNotHeld(expected="a seat that is held", found=f"seat {seat}, which is not")
    return status


def require_playing(game: Game, seat: Seat) -> Held:
    """Return a taken seat that has not left, or raise."""
    held = require_held(game, seat)
    if held.has_departed:
        raise SeatDeparted(expected=f"a seat that plays in {game.id}", found=f"seat {seat}, which has left")
    return held


def admit_taking(game: Game, taken: SeatTaken) -> None:
    """Check that the seat is vacant, its links and key are well formed, and the game's demands are met."""
    check_seat_exists(game, taken.seat)
    if not isinstance(game.seats[taken.seat], Vacant):
        state = "closed" if isinstance(game.seats[taken.seat], Closed) else "taken"
        raise SeatNotVacant(expected="a vacant seat", found=f"seat {taken.seat}, which is {state}")
    if any(isinstance(status, Held) and status.player == taken.player for status in game.seats):
        raise AlreadySeated(expected="a player without a seat in this game", found=f"player {taken.player}")
    if game.seatings.get(taken.player, 0) >= SEATINGS_MAX:
        expected = f"a player who sat here less than {SEATINGS_MAX} times and was not sent away"
        raise SeatingsExhausted(expected=expected, found=f"player {taken.player}")
    check_links(taken.anchor, taken.links)
    check_taker(game, taken)
    _check_kept(game, taken)
    _check_demands(game, taken)


def admit_readiness(game: Game, readied: SeatReadied) -> None:
    """Check that the seat is taken and not ready, none is missing, and it brings its next link if it has links."""
    held = require_held(game, readied.seat)
    # Being ready discloses a link. A player who sits down after that could choose an anchor that suits them.
    vacant = [place for place, status in enumerate(game.seats) if isinstance(status, Vacant)]
    if vacant:
        raise SeatsVacant(expected="every seat to be taken first", found=f"seat {vacant[0]}, which is vacant")
    if held.is_ready:
        raise AlreadyReady(expected="a seat that is not ready yet", found=f"seat {readied.seat}, which is ready")
    check_nonce(held.links, readied.nonce, whose=f"seat {readied.seat}")


def admit_leaving(game: Game, seat: Seat) -> None:
    """Check that the seat is held and not ready: being ready is a promise to play.

    Nor may a seat kept for its player at a table be left once a seat is ready, which would cancel the game.
    """
    is_kept = not isinstance(game.opened.table, UnsetType)
    require_held(game, seat)
    ready = [place for place, each in enumerate(game.seats) if isinstance(each, Held) and each.is_ready]
    if seat in ready or (is_kept and ready):
        raise AlreadyReady(expected="no seat that is ready yet", found=f"seat {ready[0]}, which is ready")


def admit_removal(game: Game, seat: Seat) -> None:
    """Check that there is a player to remove, or before the start a seat to close, and enough seats remain."""
    if game.status == "running":
        require_playing(game, seat)
        return
    check_seat_exists(game, seat)
    if isinstance(game.seats[seat], Closed):
        raise SeatNotHeld(expected="a seat that is not closed", found=f"seat {seat}, which is closed")
    left = sum(not isinstance(status, Closed) for status in game.seats) - 1
    if left not in game.ruleset.seats:
        raise WrongSeatCount(expected=f"at least {game.ruleset.seats.start} seats to remain", found=f"{left}")
    # A game opened for more seats must still be playable without this one.
    remaining = tuple(
        Seat(place) for place, status in enumerate(game.seats) if place != seat and not isinstance(status, Closed)
    )
    game.ruleset.initial_board(remaining, msgspec.convert(game.opened.options, game.ruleset.options_type))


def _check_kept(game: Game, taken: SeatTaken) -> None:
    table = game.opened.table
    if isinstance(table, UnsetType):
        return
    kept = table.seats[taken.seat]
    if kept.key is not None and taken.key != kept.key:
        raise SeatOfAnother(expected=f"the key {kept.key}, with which the player entered", found=f"{taken.key}")


def _check_demands(game: Game, taken: SeatTaken) -> None:
    demands = game.opened.demands
    if "witnessed_opening" in demands and not game.is_witnessed:
        raise DemandNotMet(expected="a witnessed opening before the first seat is taken", found="none yet")
    if "signed" in demands and taken.key is None:
        raise DemandNotMet(expected="a key, as this game demands signed actions", found="no key")
    if "links" in demands and taken.links < LINKS_DEMANDED:
        raise DemandNotMet(
            expected=f"at least {LINKS_DEMANDED} links, as this game demands them", found=f"{taken.links}"
        )
