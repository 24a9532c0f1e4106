"""Calls for house bots, as far as the server has room: by the ruleset's bots, and by the house games under way."""

from collections.abc import Iterable, Sequence

from msgspec import Struct, UnsetType

from domain.game.events import HouseOffer, Offer, StandIn
from domain.game.state import Game, Vacant
from domain.house import HOUSE
from domain.ids import CommandId, GameId, Seat
from domain.log.record import format_at
from domain.log.state import is_over
from domain.rejection import NotNow, Unprocessable
from infra.networks import Network
from projections.lobby import BACKED, LobbyGame, has_called
from services.api.http.parts import Parts
from services.api.http.rates import HOUSE_CALLS
from services.reading.access import Caller, find_seat
from services.reading.house_games import list_house_games
from services.reading.waiting import pauses

# A bot needs some milliseconds for an answer, about once a second: one core plays them all.
HOUSE_GAMES_MAX = 200
# Of one opener, also where a bot may only stand in: a player at one table has another one or two waiting.
OPENER_GAMES_MAX = 4
# A table where nothing happened for so long is left, and keeps no bot at work.
LEFT_MS = 3_600_000


class NoSuchBot(Unprocessable):
    """The ruleset has no house bot of this name."""

    code = "no-such-bot"


class TooManyHouseGames(NotNow):
    """The account has as many unfinished games with house bots as one may have."""

    code = "too-many-house-games"


class HouseCall(Struct, frozen=True, kw_only=True):
    """The game for which house bots are called, and its opener as its first line has it."""

    game: GameId
    ruleset: str
    opener: str


async def require_house(
    parts: Parts,
    call: HouseCall,
    command: CommandId,
    offers: Iterable[Offer | None],
    stand_in: StandIn | UnsetType | None = None,
    *,
    network: Network,
) -> None:
    """Check that the house has the named bots, and room for those that are called now.

    A command that was accepted is not asked again.
    """
    called = {offer.bot for offer in offers if isinstance(offer, HouseOffer)}
    bots = {*called, stand_in.bot} if isinstance(stand_in, StandIn) else called
    if not bots or await parts.store.find_command(call.game, command) is not None:
        return
    known = parts.games.kits[call.ruleset].bots if call.ruleset in parts.games.kits else {}
    if not bots <= known.keys():
        found = ", ".join(sorted(bots - known.keys()))
        raise NoSuchBot(expected=f"one of {', '.join(known) or 'no bots'} of {call.ruleset}", found=found)
    is_house = call.opener == f"player:{HOUSE[0]}"
    if called and not is_house:
        await parts.rates.spend(HOUSE_CALLS, network)
    moved_at = format_at(parts.now_ms() - LEFT_MS)
    games = await list_house_games(parts.projections, BACKED)
    others = [game for game in games if game.id != call.game and game.last_at > moved_at]
    # Seats that were handed over take up no room of bots that are called, and tables whose players are not there none.
    in_all = sum(has_called(rival) for rival in others if _is_attended(rival)) if called else 0
    own = (
        []
        if is_house
        else await _list_unfinished(parts, [rival.id for rival in others if rival.opened_by == call.opener])
    )
    if in_all >= HOUSE_GAMES_MAX or len(own) >= OPENER_GAMES_MAX:
        limits = (
            f"fewer than {OPENER_GAMES_MAX} other games of yours and {HOUSE_GAMES_MAX} in all with house bots; a game "
            "counts until it is over, so resign it, or abort it before its start; one left for an hour counts no more"
        )
        yours = f"{len(own)} of yours ({', '.join(own)})" if own else "none of yours"
        raise TooManyHouseGames(expected=limits, found=f"{yours} and {in_all} in all")


async def _list_unfinished(parts: Parts, games: Sequence[GameId]) -> Sequence[GameId]:
    """Return the games that are not over. A list lags behind the logs, which are read where they decide."""
    if len(games) < OPENER_GAMES_MAX:
        return games
    return [game for game in games if not is_over(await parts.games.histories.read_newest(game))]


async def wait_for_house(parts: Parts, game: GameId, caller: Caller, seat: Seat) -> None:
    """Wait some seconds for house bots to sit down, where the caller's seat gets ready before them.

    A seat that another player is to take is not waited for: getting ready is refused.
    """
    newest = await parts.games.histories.read_newest(game)
    if find_seat(newest, caller) != seat or not _awaits_house(newest):
        return
    with parts.holds.holding(caller):
        async for _ in pauses(parts.stopping):
            if not _awaits_house(await parts.games.histories.read_newest(game)):
                return


def _awaits_house(game: Game) -> bool:
    """Return whether seats are vacant, and all of those are offered to house bots."""
    vacant = [offer for status, offer in zip(game.seats, game.offers, strict=True) if isinstance(status, Vacant)]
    return game.status == "open" and bool(vacant) and all(isinstance(offer, HouseOffer) for offer in vacant)


def _is_attended(game: LobbyGame) -> bool:
    """Return whether all players are there: the game runs, or only the bots are to come and get ready."""
    return game.status == "running" or game.is_readied
