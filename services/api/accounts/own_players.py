"""The players beside an account at its tables."""

from msgspec import Struct

from domain.game.state import Game, Held
from domain.ids import PlayerId, Seat
from services.api.http.parts import PeopleParts
from services.reading.shown import find_bot


class OwnPlayer(Struct, frozen=True, kw_only=True):
    """A player in a game of one's own; `house` names the bot of a seat of the house."""

    seat: Seat
    player: PlayerId
    name: str | None
    house: str | None


async def show_players(people: PeopleParts, game: Game) -> tuple[OwnPlayer, ...]:
    """Show the players who hold a seat, by seat."""
    seats = {Seat(place): each.player for place, each in enumerate(game.seats) if isinstance(each, Held)}
    names = await people.accounts.find_names(set(seats.values()))
    return tuple(
        OwnPlayer(seat=seat, player=player, name=names.get(player), house=find_bot(game, seat))
        for seat, player in seats.items()
    )
