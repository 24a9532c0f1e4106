"""A seat for which a house bot is called: taken, readied and played over the API as far as anything is due for it."""

from collections.abc import Sequence
from random import Random

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from domain.ruleset.kit import Kit
from spina_client.bot import Bot, GameStandsStill, play_seat
from spina_client.client import Client
from spina_client.formats import build_links
from spina_client.ids import GameId, Seat, StreamVersion
from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable
from spina_client.seat import SeatAt
from spina_client.seat_secrets import LINKS_COUNT, SeatSecrets
from spina_client.seen import GameSeen, SeatSeen
from spina_players.bots.pace import Pace
from spina_players.bots.player import read_bot

log = structlog.get_logger()


class Part(Struct, frozen=True, kw_only=True):
    """How a seat is played: by which bot of a ruleset. Links and key follow from the seed's 32 bytes."""

    kit: Kit
    bot: str
    seed: bytes

    def __repr__(self) -> str:
        return f"Part({self.kit.reference}, {self.bot})"


class CalledSeat:
    """The same seat for the whole game: actions in its own custody are kept here alone."""

    def __init__(self, client: Client, game: GameId, seat: Seat, part: Part) -> None:
        self._client = client
        self._game = game
        self._seat = seat
        self._part = part
        self._at: SeatAt | None = None
        self.pace = Pace(0)

    async def act(self) -> StreamVersion:
        """Do all that is due, and return the version at which nothing was any more."""
        seen = await self._client.read_game(self._game)
        if self._at is None:
            secrets = _build_secrets(self._part.seed, seen.terms.demands)
            self._at = SeatAt(self._client, self._game, self._seat, secrets)
        while seen.status == "open":
            seen = await _sit_down(self._at, seen)
            moved = await self._client.read_next(self._game, seen.version) if seen.status == "open" else seen
            if moved is None:
                return seen.version
            seen = moved
        try:
            return (await play_seat(self._at, self._build_bot(seen.terms.demands))).version
        except GameStandsStill as still:
            return still.version

    async def give_up(self) -> None:
        """Resign, as far as that is possible, so that the others can play on."""
        try:
            if self._at is not None:
                await self._at.resign()
        except (Refused, ServerUnreachable, AnswerUnreadable) as reason:
            log.info("house_seat_kept", game=self._game, seat=self._seat, reason=str(reason))

    def _build_bot(self, demands: Sequence[str]) -> Bot:
        # A bot's variety decides nothing that needs trust.
        numbers = Random()  # noqa: S311  see above

        async def think() -> None:
            await self.pace.think(numbers)

        return Bot(
            choose=read_bot(self._part.kit, self._part.bot),
            numbers=numbers,
            custody="own" if "own_custody" in demands else "server",
            think=think,
            # The caller knows when the game moves on.
            still_max=1,
        )


async def _sit_down(at: SeatAt, seen: GameSeen) -> GameSeen:
    """Take the seat, and get ready after the players: until then the opener may send the bot away."""
    if seen.seats[at.seat].status == "vacant":
        await at.take()
        seen = await at.read()
    waits_for = [seat for seat in seen.seats if seat.status == "vacant" or _is_a_player_on_the_way(seat)]
    if not waits_for and not seen.seats[at.seat].is_ready:
        await at.ready()
        seen = await at.read()
    return seen


def _is_a_player_on_the_way(seat: SeatSeen) -> bool:
    return seat.status == "held" and seat.house is None and not seat.is_ready


def _build_secrets(seed: bytes, demands: Sequence[str]) -> SeatSecrets:
    """Build the secrets that a game demands, the same whenever the seat is asked for."""
    return SeatSecrets(
        links=build_links(seed, LINKS_COUNT) if "links" in demands else (),
        key=Ed25519PrivateKey.from_private_bytes(seed[::-1]) if "signed" in demands else None,
    )
