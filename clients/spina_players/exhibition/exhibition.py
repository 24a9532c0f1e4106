"""Keeps one game of each ruleset going beside a server, for visitors: its presets one after the other, for ever.

It opens the games and calls house bots to every seat; the house plays them. No fault here may end the server.
"""

import asyncio
from collections.abc import Callable, Iterator
from itertools import cycle

import httpx2
import structlog
from msgspec import Struct

from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from domain.sentences.words import Preset
from infra.ruleset_files import read_words
from spina_client.client import Client, Terms
from spina_client.connection import connected
from spina_client.ids import GameId
from spina_client.seen import Account, Status

log = structlog.get_logger()

SEATS = 4
# Time to look at the result before the next race begins. Each rest is twice as long as the one before, as games are
# stored for ever: a server that was just started has a race at any time; after half a day there are six a day of each
# ruleset, some 10 MB.
REST_S, REST_S_MAX = 30.0, 4 * 3600.0
# After something went wrong it may go wrong again; once in a while is soon enough.
REST_AFTER_FAILURE_S = 60.0
# The house's unfinished games are among the newest; a server with more pages of running games than this is busy enough.
PAGES_MAX = 10


class Venue(Struct, frozen=True, kw_only=True):
    """Where the exhibition plays, the account that opens its games, and the rulesets of these.

    A game takes ten to twenty minutes at the pace of people, and leaves some hundred kilobytes in the log.
    """

    url: str
    opener: Account
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
        """Stop at once; a game under way goes on."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})


async def exhibit(find_venue: Callable[[], Venue]) -> None:
    """Open games until cancelled."""
    while True:
        try:
            venue = find_venue()
            # A transport of its own, past the machine's proxy: the server is on this machine.
            async with connected(venue.url, transport=httpx2.AsyncHTTPTransport()) as connection:
                await _show_all(Client(connection, venue.opener), venue.kits)
        except Exception as error:
            # The outermost loop: a server can do without an exhibition, and the next try may go better.
            log.warning("exhibition_interrupted", exc_info=error)
        await asyncio.sleep(REST_AFTER_FAILURE_S)


async def _show_all(opener: Client, kits: tuple[Kit, ...]) -> None:
    offered = {ruleset.ruleset for ruleset in (await opener.list_rulesets()).items}
    async with asyncio.TaskGroup() as shows:
        for kit in kits:
            if kit.favourites and kit.reference in offered:
                shows.create_task(_keep_showing(opener, kit), name=f"exhibition of {kit.reference}")


async def _keep_showing(opener: Client, kit: Kit) -> None:
    """Wait for the games of an earlier start, then open one after the other. The first one ever is played fast."""
    is_first = not await _has_finished_game(opener, kit)
    waiting = [game for status in ("running", "open") for game in await _find_games(opener, kit, status)]
    rests = list_rests()
    presets = cycle(read_words(kit).presets or (Preset(name="", about=""),))
    while True:
        game = waiting.pop(0) if waiting else await open_game(opener, kit, next(presets))
        await _wait_for_end(opener, game)
        log.info("exhibition_game_ended", game=game, ruleset=kit.reference)
        if is_first:
            is_first = False
        else:
            await asyncio.sleep(next(rests))


def list_rests() -> Iterator[float]:
    """Yield the rests between the games of one show, in seconds, without end."""
    rest_s = REST_S
    while True:
        yield rest_s
        rest_s = min(2 * rest_s, REST_S_MAX)


async def open_game(opener: Client, kit: Kit, preset: Preset) -> GameId:
    """Open a game and call the favourite bots of its ruleset, in turn, to all of its seats."""
    bots = [kit.favourites[seat % len(kit.favourites)] for seat in range(SEATS)]
    terms = Terms(
        ruleset=kit.reference,
        seats=SEATS,
        options={**kit.short, **preset.options},
        demands=("links",),
        offers=tuple({"kind": "house", "bot": bot} for bot in bots),
    )
    return (await opener.open_game(terms)).game


async def _wait_for_end(opener: Client, game: GameId) -> None:
    seen = await opener.read_game(game)
    while not seen.is_over:
        seen = await opener.read_next(game, seen.version) or seen


async def _has_finished_game(opener: Client, kit: Kit) -> bool:
    async for _ in opener.list_games(ruleset=kit.reference, status="finished", pages_max=1):
        return True
    return False


async def _find_games(opener: Client, kit: Kit, status: Status) -> list[GameId]:
    """List the house's own games of this ruleset, the oldest first."""
    by_house = f"player:{opener.account.id}"
    listed = opener.list_games(ruleset=kit.reference, status=status, pages_max=PAGES_MAX)
    return [game.id async for game in listed if game.opened_by == by_house][::-1]
