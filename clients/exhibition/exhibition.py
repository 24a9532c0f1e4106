"""Keeps one game of each ruleset going beside a server, for visitors: one after the other, for ever.

A game that goes wrong is given up and logged; no fault here may end the server.
"""

import asyncio
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import httpx
import structlog
from msgspec import Struct

from clients.exhibition.house import House, open_house
from clients.exhibition.table import Table, abandon, find_games, has_finished_game, open_game, play_game
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from infra.keys import MasterKey
from spina_client.client import Client
from spina_client.connection import Connection, connected
from spina_client.ids import GameId

log = structlog.get_logger()

# Time to look at the result before the next race begins. Each rest is twice as long as the one before, as games are
# stored for ever: a server that was just started has a race at any time; after half a day there are six a day of each
# ruleset, some 10 MB.
REST_S, REST_S_MAX = 30.0, 4 * 3600.0
# After something went wrong it may go wrong again; once in a while is soon enough.
REST_AFTER_FAILURE_S = 60.0


class Venue(Struct, frozen=True, kw_only=True):
    """Where the exhibition plays, where it keeps its accounts, and which rulesets it plays.

    A game takes ten to twenty minutes at the pace of people, and leaves some hundred kilobytes in the log.
    """

    url: str
    house_file: Path
    key: MasterKey
    kits: tuple[Kit, ...] = KITS

    def __repr__(self) -> str:
        return f"Venue({self.url})"


class Exhibition:
    """One task, from `begin` to `end`. Both may be called when there is nothing to do."""

    def __init__(self, find_venue: Callable[[], Venue]) -> None:
        self._find_venue = find_venue
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begin, once the server answers."""
        assert self._task is None, "an exhibition begins once"
        self._task = asyncio.create_task(exhibit(self._find_venue), name="exhibition")

    async def end(self) -> None:
        """Stop playing at once; a game under way goes on at the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})


async def exhibit(find_venue: Callable[[], Venue]) -> None:
    """Play until cancelled."""
    while True:
        try:
            venue = find_venue()
            # A transport of its own, past the machine's proxy: the server is on this machine.
            async with connected(venue.url, transport=httpx.AsyncHTTPTransport()) as connection:
                house = await open_house(connection, path=venue.house_file, key=venue.key)
                await _show_all(connection, house, venue.kits)
        except Exception as error:
            # The outermost loop: a server can do without an exhibition, and the next try may go better.
            log.warning("exhibition_interrupted", exc_info=error)
        await asyncio.sleep(REST_AFTER_FAILURE_S)


async def _show_all(connection: Connection, house: House, kits: tuple[Kit, ...]) -> None:
    offered = {each.ruleset for each in (await Client(connection, house.accounts[0]).list_rulesets()).items}
    async with asyncio.TaskGroup() as shows:
        for kit in kits:
            if kit.favourites and kit.reference in offered:
                table = Table(connection=connection, house=house, kit=kit)
                shows.create_task(_keep_showing(table), name=f"exhibition of {kit.reference}")


async def _keep_showing(table: Table) -> None:
    """Play on the games of an earlier start, then one game after the other. The first one ever is played fast."""
    is_first = not await has_finished_game(table)
    waiting = [game for status in ("running", "open") for game in await find_games(table, status)]
    rests = list_rests()
    variants = cycle(({}, *table.kit.variants))
    while True:
        game = waiting.pop(0) if waiting else await open_game(table, next(variants))
        has_ended = await _show(table, game, think_s=0.0 if is_first else table.kit.think_ms / 1_000)
        if has_ended and is_first:
            is_first = False
        else:
            await asyncio.sleep(max(next(rests), 0.0 if has_ended else REST_AFTER_FAILURE_S))


def list_rests() -> Iterator[float]:
    """Yield the rests between the games of one show, in seconds, without end."""
    rest_s = REST_S
    while True:
        yield rest_s
        rest_s = min(2 * rest_s, REST_S_MAX)


async def _show(table: Table, game: GameId, *, think_s: float) -> bool:
    """Play one game; say whether it came to its end."""
    try:
        ended = await play_game(table, game, think_s=think_s)
    except Exception as error:
        # After any fault, the next game may go better.
        log.warning("exhibition_game_abandoned", game=game, ruleset=table.kit.reference, exc_info=error)
        await abandon(table, game)
        return False
    log.info("exhibition_game_ended", game=game, ruleset=table.kit.reference, version=ended.version)
    return True
