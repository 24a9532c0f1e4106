"""From terms to a game in one call: open it, sit down, wait for the rivals, get ready."""

from collections.abc import Mapping

from spina_client.client import Client, Terms
from spina_client.formats import Json
from spina_client.ids import GameId, PlayerId, Seat
from spina_client.problems import SpinaError
from spina_client.seat import SeatAt
from spina_client.seat_secrets import SeatSecrets, build_seat_secrets
from spina_client.seen import GameSeen

# How often a game may stand still for as long as the server lets a reader wait (five seconds): an hour.
WAITS_MAX = 720


class RivalAway(SpinaError):
    """A seat stayed empty for longer than the challenger waits."""

    def __init__(self, game: GameId, seats: tuple[Seat, ...]) -> None:
        self.game = game
        self.seats = seats
        super().__init__(f"expected all seats of {game} to be taken, found {', '.join(map(str, seats))} vacant")


def house(bot: str, *, at_once: bool = False) -> Mapping[str, Json]:
    """Return the offer of a seat to a house bot, by its name in `GET /v1/rulesets`.

    A bot that answers at once takes no time to think: for programs that practise.
    """
    return {"kind": "house", "bot": bot, **({"at_once": True} if at_once else {})}


def friend(player: PlayerId) -> Mapping[str, str]:
    """Return the offer of a seat to one player, to whom the account's events name it."""
    return {"kind": "player", "player": player}


async def challenge(
    client: Client, terms: Terms, *, secrets: SeatSecrets | None = None, waits_max: int = WAITS_MAX
) -> SeatAt:
    """Open a game on these terms, take its first seat, and get ready once every seat is held.

    `terms.offers` names the rivals, null for the challenger: `offers=(None, house("careful"))`. The game runs once the
    rivals are ready too, for which `bot.play` waits. To go on with links after a restart, keep the bytes of `secrets`.

    Raises RivalAway, and the exceptions of the client.
    """
    game = (await client.open_game(terms)).game
    at = SeatAt(client, game, Seat(0), secrets or build_seat_secrets(is_signing="signed" in terms.demands))
    await at.take()
    await wait_for_rivals(at, waits_max=waits_max)
    await at.ready()
    return at


async def wait_for_rivals(at: SeatAt, *, waits_max: int = WAITS_MAX) -> GameSeen:
    """Return the game once no seat of it is vacant, or once it is open no more. Raises RivalAway."""
    seen, waits = await at.read(), 0
    while seen.status == "open" and (vacant := [seat.seat for seat in seen.seats if seat.status == "vacant"]):
        if waits == waits_max:
            raise RivalAway(at.game, tuple(vacant))
        seen = await at.client.read_next(at.game, seen.version) or seen
        waits += 1
    return seen
