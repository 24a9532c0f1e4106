"""One whole game of bots against any server, over its public API: to see it run, or to test a server."""

import asyncio
from collections.abc import Callable, Mapping
from random import Random
from typing import Literal

from msgspec import Struct

from domain.ruleset.kit import Kit
from spina_client.bot import Bot, play_seat
from spina_client.client import Client, Terms, register
from spina_client.connection import Connection
from spina_client.formats import Json
from spina_client.ids import GameId, Seat, StreamVersion
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import GameSeen
from spina_players.bots.player import read_bot

FIRST_LINE = StreamVersion(1)
# Of five seconds each: a checkpoint comes about once a second, and a witness answers at once or is away.
WITNESS_WAITS_MAX = 12


class Plan(Struct, frozen=True, kw_only=True):
    """The bots, their ruleset and its terms. Bots named less often than there are seats play several.

    Without `options` a race is as short as the kit makes it.
    """

    kit: Kit
    bots: tuple[str, ...]
    seats: int
    options: Mapping[str, Json] | None = None
    custody: Literal["own", "server"] = "server"
    is_signed: bool = False
    is_witnessed: bool = False


class OpeningNotWitnessed(Exception):
    """No seat can be taken, as no proof shows yet that the ledger has the opening."""

    def __init__(self, game: GameId) -> None:
        super().__init__(
            f"expected the opening of {game} to be witnessed within a minute, found it is not: is a notary at "
            "work, and do its witnesses answer?"
        )


class Demonstrated(Struct, frozen=True, kw_only=True):
    """The game as it ended, where its board is told and its page is shown, and who sat where."""

    url: str
    page: str
    game: GameSeen
    bots: tuple[str, ...]


def _tell_nobody(_: GameId) -> None:
    """Ignores the progress of a game."""


async def demonstrate(
    connection: Connection,
    plan: Plan,
    *,
    numbers: Random,
    on_version: Callable[[StreamVersion], None],
    on_opened: Callable[[GameId], None] = _tell_nobody,
) -> Demonstrated:
    """Make accounts, open a game, play it to its end; `on_version` hears how far the log is, `on_opened` which game.

    Raises the client's exceptions, in a group where several seats play.
    """
    names = tuple(plan.bots[seat % len(plan.bots)] for seat in range(plan.seats))
    clients = [Client(connection, await register(connection, f"{name} (demo)", is_bot=True)) for name in names]
    demands: list[Literal["own_custody", "signed", "witnessed_opening", "links"]] = ["links"]
    if plan.custody == "own":
        demands.append("own_custody")
    if plan.is_signed:
        demands.append("signed")
    if plan.is_witnessed:
        demands.append("witnessed_opening")
    options = plan.kit.short if plan.options is None else plan.options
    terms = Terms(ruleset=plan.kit.reference, seats=plan.seats, options=dict(options), demands=tuple(demands))
    game = (await clients[0].open_game(terms)).game
    on_opened(game)
    if plan.is_witnessed:
        await _wait_for_witness(clients[0], game)
    seats = [
        SeatAt(client, game, Seat(place), build_seat_secrets(is_signing=plan.is_signed))
        for place, client in enumerate(clients)
    ]
    for at in seats:
        await at.take()
    for at in seats:
        await at.ready()
    await _play(seats, [_build_bot(plan, name, numbers) for name in names], on_version)
    return Demonstrated(
        url=f"{connection.url}/v1/games/{game}",
        page=f"{connection.url}/games/{game}",
        game=await seats[0].read(),
        bots=names,
    )


async def _wait_for_witness(client: Client, game: GameId) -> None:
    """Wait for the line after the first one, which the server writes when the ledger has that."""
    for _ in range(WITNESS_WAITS_MAX):
        if await client.read_next(game, FIRST_LINE) is not None:
            return
    raise OpeningNotWitnessed(game)


async def _play(seats: list[SeatAt], bots: list[Bot], on_version: Callable[[StreamVersion], None]) -> None:
    async with asyncio.TaskGroup() as playing:
        for at, bot in zip(seats, bots, strict=True):
            playing.create_task(play_seat(at, bot))
        playing.create_task(_watch(seats[0].client, seats[0].game, on_version))


async def _watch(client: Client, game: GameId, on_version: Callable[[StreamVersion], None]) -> None:
    seen = await client.read_game(game)
    while not seen.is_over:
        on_version(seen.version)
        seen = await client.read_next(game, seen.version) or seen
    on_version(seen.version)


def _build_bot(plan: Plan, name: str, numbers: Random) -> Bot:
    # Each seat draws from numbers of its own, or the order of the answers would change its numbers.
    own = Random(numbers.getrandbits(64))  # noqa: S311  bots have whims, chance comes from the server
    return Bot(choose=read_bot(plan.kit, name), numbers=own, custody=plan.custody)
