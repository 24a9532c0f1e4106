"""One exhibition game: opened or found again, every seat taken and played by a house bot, over the public API alone."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from random import Random

import structlog
from msgspec import Struct

from clients.bots.player import Bot, play_seat, read_bot
from clients.exhibition.house import House
from domain.ruleset.kit import Kit
from spina_client.client import Client, Terms
from spina_client.connection import Connection
from spina_client.formats import Json
from spina_client.ids import GameId, Seat
from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable
from spina_client.seat import SeatAt
from spina_client.seen import GameSeen, Status

log = structlog.get_logger()

# The house's unfinished games are among the newest; a server with more pages of running games than this is busy enough.
PAGES_MAX = 10
# How often the server may let us wait (five seconds) in vain: a house bot thinks half a minute at most, so a game
# without a move for two minutes has lost one.
STILL_MAX = 24
# Thinking times lie between these parts of the mean, so that seats do not answer in step.
THINK_FACTORS = (0.5, 1.5)

SEATS = 4

Think = Callable[[], Awaitable[None]]


class Table(Struct, frozen=True, kw_only=True):
    """Where the exhibition games of one ruleset are played."""

    connection: Connection
    house: House
    kit: Kit

    def client(self, seat: int) -> Client:
        return Client(self.connection, self.house.accounts[seat])

    def seat(self, game: GameId, seat: int) -> SeatAt:
        place = Seat(seat)
        return SeatAt(self.client(seat), game, place, self.house.build_secrets(game, place))


async def open_game(table: Table, variant: Mapping[str, Json]) -> GameId:
    kit = table.kit
    terms = Terms(ruleset=kit.reference, seats=SEATS, options={**kit.short, **variant}, demands=("links",))
    return (await table.client(0).open_game(terms)).game


async def has_finished_game(table: Table) -> bool:
    """Say whether a game of this ruleset was finished here."""
    listed = table.client(0).list_games(ruleset=table.kit.reference, status="finished", pages_max=PAGES_MAX)
    async for _ in listed:
        return True
    return False


async def find_games(table: Table, status: Status) -> list[GameId]:
    """List the house's own games of this ruleset, the oldest first."""
    opener = table.client(0)
    by_house = f"player:{opener.account.id}"
    listed = opener.list_games(ruleset=table.kit.reference, status=status, pages_max=PAGES_MAX)
    return [each.id async for each in listed if each.opened_by == by_house][::-1]


async def play_game(table: Table, game: GameId, *, think_s: float) -> GameSeen:
    """Play a game to its end from wherever it stands. Raises the exceptions of all seats, in a group."""
    seats = [table.seat(game, seat) for seat in range(SEATS)]
    await _sit_down(seats)
    async with asyncio.TaskGroup() as playing:
        tasks = [playing.create_task(play_seat(at, _build_bot(table, at.seat, think_s))) for at in seats]
    return tasks[0].result()


async def abandon(table: Table, game: GameId) -> None:
    """Resign every seat, as far as that is still possible, so that the game ends by its rules."""
    for seat in range(SEATS):
        try:
            await table.seat(game, seat).resign()
        except (Refused, ServerUnreachable, AnswerUnreadable) as reason:
            log.info("exhibition_seat_left", game=game, seat=seat, reason=str(reason))


async def _sit_down(seats: list[SeatAt]) -> None:
    """Take the seats and get ready, as far as that was not done before an interruption."""
    seen = await seats[0].read()
    for at in seats:
        if seen.seats[at.seat].status == "vacant":
            await at.take()
    for at in seats:
        if seen.status == "open" and not seen.seats[at.seat].is_ready:
            await at.ready()


def _build_bot(table: Table, seat: Seat, think_s: float) -> Bot:
    names = table.kit.favourites
    # A bot's variety decides nothing that needs trust.
    numbers = Random()  # noqa: S311  see above

    async def think() -> None:
        await asyncio.sleep(think_s * numbers.uniform(*THINK_FACTORS))

    choose = read_bot(table.kit, names[seat % len(names)])
    return Bot(choose=choose, numbers=numbers, think=think, still_max=STILL_MAX)
