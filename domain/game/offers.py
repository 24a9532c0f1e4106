"""To whom a seat is open before the start: all who see the game, the house, the holder of a link, or one player."""

from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct, UnsetType

from domain.game.events import GameOpened, HouseOffer, LinkOffer, Offer, PlayerOffer, SeatOffered, SeatTaken
from domain.game.rejections import AlreadyReady, OffersExhausted, OfferStands, SeatNotVacant, SeatOfAnother
from domain.game.state import NAMED_OFFERS_MAX, Closed, Game, Held, Vacant
from domain.house import HOUSE, is_house
from domain.ids import GameId, PlayerId, Seat
from domain.log.rejections import UnfitEvent


class OfferFrom(Struct, frozen=True, kw_only=True):
    """The game of an offer, and the account that opened it."""

    game: GameId
    sender: PlayerId


def list_first_offers(opened: GameOpened) -> tuple[Offer | None, ...]:
    """List to whom each seat is open at the opening: at a table of a tournament to the player who was drawn there."""
    if not isinstance(opened.table, UnsetType):
        return tuple(PlayerOffer(player=seat.player) for seat in opened.table.seats)
    return (None,) * opened.seats if isinstance(opened.offers, UnsetType) else opened.offers


def list_named(offers: Iterable[Offer | None]) -> list[PlayerId]:
    """List the players to whom seats are offered by name, once for each seat."""
    return [offer.player for offer in offers if isinstance(offer, PlayerOffer)]


def find_offered_player(game: Game, seat: Seat) -> PlayerId | None:
    """Find the one player to whom a seat is open; None where it is open to all, or to the holder of a link."""
    match game.offers[seat]:
        case HouseOffer():
            return HOUSE[seat]
        case PlayerOffer(player=player):
            return player
        case _:
            return None


def list_seats_for(game: Game, player: PlayerId) -> list[Seat]:
    """List the vacant seats that are open to this player by name."""
    seats = (Seat(place) for place, status in enumerate(game.seats) if isinstance(status, Vacant))
    return [seat for seat in seats if game.status == "open" and find_offered_player(game, seat) == player]


def find_linked_seat(game: Game, link: str) -> Seat | None:
    """Find the vacant seat of an open game whose link has this hash."""
    linked = LinkOffer(hash=link)
    seats = (Seat(place) for place, offer in enumerate(game.offers) if offer == linked)
    return next((seat for seat in seats if game.status == "open" and isinstance(game.seats[seat], Vacant)), None)


def hash_invitation(invitation: str) -> str:
    """Return the hash of a link's secret, as the offer of the seat has it."""
    return sha256(bytes.fromhex(invitation)).hexdigest()


def check_offer(opened: GameOpened, offer: Offer | None) -> None:
    """Check that a seat may be offered so: none where a tournament drew the seats, and no house player by id."""
    if not isinstance(opened.table, UnsetType):
        raise SeatOfAnother(expected="a game of no tournament, which draws its seats", found="a table of one")
    if isinstance(offer, PlayerOffer) and is_house(offer.player):
        raise UnfitEvent(expected="a house bot by the name of the bot", found=f"player {offer.player}")


def admit_offer(game: Game, offered: SeatOffered) -> None:
    """Check that an offer changes its seat, which is not closed, and no seat is ready: a ready seat binds all."""
    check_offer(game.opened, offered.to)
    if isinstance(game.seats[offered.seat], Closed):
        raise SeatNotVacant(expected="a seat that is not closed", found=f"seat {offered.seat}, which is closed")
    ready = [place for place, each in enumerate(game.seats) if isinstance(each, Held) and each.is_ready]
    if ready:
        raise AlreadyReady(expected="no seat that is ready yet", found=f"seat {ready[0]}, which is ready")
    if isinstance(game.seats[offered.seat], Vacant) and game.offers[offered.seat] == offered.to:
        raise OfferStands(expected="an offer that changes the seat", found=f"seat {offered.seat}, offered so already")
    if isinstance(offered.to, PlayerOffer) and game.named_offers.get(offered.seat, 0) >= NAMED_OFFERS_MAX:
        expected = f"a seat offered by name at most {NAMED_OFFERS_MAX} times; offer it by a link, or to all"
        raise OffersExhausted(expected=expected, found=f"seat {offered.seat}, offered so often")


def check_taker(game: Game, taken: SeatTaken) -> None:
    """Check that the seat is open to its player. That a link was shown, its log does not state."""
    offered = find_offered_player(game, taken.seat)
    if offered is not None and offered != taken.player:
        raise SeatOfAnother(expected=f"player {offered}, to whom the seat is offered", found=f"player {taken.player}")
    if offered is None and is_house(taken.player):
        raise SeatOfAnother(expected="a player, as the house was not called", found=f"player {taken.player}")


def require_invitation(game: Game, seat: Seat, invitation: str | None) -> None:
    """Check that a seat with a link is taken with its secret, and that a secret is used for its seat alone."""
    offer = game.offers[seat] if 0 <= seat < len(game.offers) else None
    shown = None if invitation is None else LinkOffer(hash=hash_invitation(invitation))
    if shown != (offer if isinstance(offer, LinkOffer) else None):
        expected = "the invitation of this seat" if isinstance(offer, LinkOffer) else "no invitation for this seat"
        raise SeatOfAnother(expected=expected, found="none" if shown is None else "another one")
