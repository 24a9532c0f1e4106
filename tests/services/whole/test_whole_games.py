"""Whole games over HTTP, watched from another process, while the world does its worst: nothing is lost, nothing twice.

Every process is a real one. Spectators' frames must be the log, byte for byte, and the board that it makes.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import product
from random import Random
from typing import Any

import httpx2
import msgspec
import pytest
import pytest_asyncio
from msgspec import Struct
from msgspec.structs import replace

from domain.canonical import Json
from domain.game.evolve import evolve
from domain.game.kind import GAMES
from domain.log.record import parse_line
from domain.log.replay import read_entry, replay
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset
from services.live.steps import drop_nulls
from services.reading.shown import show_game
from simulate.load.in_turn import InTurn
from spina_client.client import Client, register
from spina_client.connection import Connection, connected
from spina_client.ids import GameId, StreamVersion
from spina_players.demonstrations.game import Plan, demonstrate
from tests.redis_faults import Faults
from tests.services.live.live_readers import Watcher, background
from tests.services.whole.followers import Follow, follow_events, follow_socket, is_over, until_healthy
from tests.services.whole.installation import Town, town, visiting

CATALOGUE = Catalogue([load_ruleset(kit) for kit in KITS])
PLAYERS, STANDS, FAULTY_STANDS = "players", "stands", "faulty stands"
# The least that has more versions than an outage ends at.
SHORT: Mapping[str, Mapping[str, Json]] = {
    "chariot-race@1": {"rounds_max": 5},
    "charioteer@1": {"laps": 1},
    "chariotmaster@1": {},
}
# The first versions at which something is done to the town, and at which that ends.
BEGINS, ENDS = 20, 80
# Some seconds on an idle machine; a lost last hint alone costs five.
PATIENCE_S = 120.0
Harm = Callable[[Town], Awaitable[None]]


async def nothing(_: Town) -> None:
    """Let every process run."""


async def hold_valkey(there: Town) -> None:
    there.hold_valkey()


async def wait_for_valkey(there: Town) -> None:
    await there.until_valkey_answers()


async def kill_valkey(there: Town) -> None:
    await there.kill_program("valkey-server")


async def kill_postgres(there: Town) -> None:
    await there.kill_program("postgres")


async def kill_players_server(there: Town) -> None:
    await there.kill("players")
    await there.open("players")


class Outage(Struct, frozen=True, kw_only=True):
    """The outage during a game, and the ruleset that meets it in the daily run."""

    name: str
    ruleset: str
    begins: Harm = nothing
    ends: Harm = nothing
    # The faults of the spectators' server's line to Redis.
    faults: Faults | None = None
    # Each request of the players goes to the other server than the one before, so that both write the game.
    is_in_turn: bool = False


OUTAGES = (
    Outage(name="nothing fails", ruleset="charioteer@1"),
    Outage(name="redis hangs for ten seconds", ruleset="charioteer@1", begins=hold_valkey, ends=wait_for_valkey),
    Outage(name="redis restarts twice", ruleset="chariot-race@1", begins=kill_valkey, ends=kill_valkey),
    Outage(name="postgres crashes twice", ruleset="chariot-race@1", begins=kill_postgres, ends=kill_postgres),
    Outage(name="the players' server is killed", ruleset="chariotmaster@1", begins=kill_players_server),
    Outage(name="all hints are lost", ruleset="charioteer@1", faults=Faults(lost=100), is_in_turn=True),
    Outage(name="every second hint is doubled", ruleset="charioteer@1", faults=Faults(doubled=50), is_in_turn=True),
)


class Trouble:
    """Does something when the game has come to a version, and something when it has come further."""

    def __init__(self, there: Town, outage: Outage) -> None:
        self._there = there
        self._due = [(BEGINS, outage.begins), (ENDS, outage.ends)]
        self.tasks: list[asyncio.Future[None]] = []

    def on_version(self, version: StreamVersion) -> None:
        while self._due and version >= self._due[0][0]:
            self.tasks.append(asyncio.ensure_future(self._due.pop(0)[1](self._there)))

    async def over(self) -> None:
        assert not self._due, "the game ended before anything happened"
        await asyncio.gather(*self.tasks)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def there(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Town]:
    """One installation with two servers, which outlive every outage."""
    async with town(tmp_path_factory.mktemp("town")) as there:
        for name in (PLAYERS, STANDS):
            await there.open(name)
        yield there


@asynccontextmanager
async def opened_stands(there: Town, faults: Faults | None) -> AsyncIterator[str]:
    """Yield the spectators' server: one of its own where Redis is heard with faults."""
    if faults is None:
        yield there.address_of(STANDS)
    else:
        yield await there.open(FAULTY_STANDS, faults=faults)
        await there.kill(FAULTY_STANDS)


async def play_and_watch(there: Town, stands: str, kit: Kit, outage: Outage) -> None:
    """Play one game and follow it at two servers in both ways; every spectator must have seen the whole of it."""
    players, trouble = there.address_of(PLAYERS), Trouble(there, outage)
    plan = Plan(kit=replace(kit, short={**kit.short, **SHORT[kit.reference]}), bots=kit.favourites, seats=2)
    watched: list[Watcher] = []
    async with AsyncExitStack() as stack:
        servers = InTurn([players, stands] if outage.is_in_turn else [players])
        server = await stack.enter_async_context(connected(players, transport=servers))
        opened: asyncio.Future[GameId] = asyncio.get_running_loop().create_future()
        for address, follow in product((players, stands), (follow_events, follow_socket)):
            visitor, watcher = await stack.enter_async_context(visiting(address)), Watcher()
            await stack.enter_async_context(background(follow_when_opened(follow, visitor, opened, watcher)))
            # An outage of the game before may be no second ago.
            await until_healthy(visitor)
            watched.append(watcher)
        await demonstrate(
            server,
            plan,
            numbers=Random(7),  # noqa: S311  the same whims in every run
            on_version=trouble.on_version,
            on_opened=opened.set_result,
        )
        await trouble.over()
        for watcher in watched:
            await watcher.until(partial(is_over, watcher), patience_s=PATIENCE_S)
        lines = await read_log(server, opened.result())
    board = fold_shown(lines)
    for watcher in watched:
        assert watcher.versions == list(range(1, len(lines) + 1))
        assert watcher.lines == lines
        assert watcher.board == board


async def follow_when_opened(
    follow: Follow, server: httpx2.AsyncClient, opened: asyncio.Future[GameId], watcher: Watcher
) -> None:
    await follow(server, await asyncio.shield(opened), watcher)


async def read_log(server: Connection, game: GameId) -> list[bytes]:
    reader = Client(server, await register(server, "Reader"))
    return [raw async for raw in reader.read_events(game)]


def fold_shown(lines: list[bytes]) -> Any:
    """Fold a log as an outsider would, and show the game as spectators are shown it."""
    game = replay(GAMES, lines[:1], CATALOGUE)
    for raw in lines[1:]:
        game = evolve(game, read_entry(GAMES, raw, game.ruleset))
    assert parse_line(lines[-1]).type == "secret_disclosed"
    return drop_nulls(msgspec.json.decode(msgspec.json.encode(show_game(game, None, is_complete=True))))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let each ruleset meet some of the outages, or with `--rulesets all` every one of them."""
    if "outage" not in metafunc.fixturenames:
        return
    is_all = metafunc.config.getoption("--rulesets") == "all"
    cases = [(outage, kit) for outage in OUTAGES for kit in KITS if is_all or kit.reference == outage.ruleset]
    metafunc.parametrize(("outage", "kit"), cases, ids=lambda each: getattr(each, "name", None) or each.ruleset)


@pytest.mark.asyncio(loop_scope="module")
async def test_spectators_at_either_process_see_every_version_once_whatever_fails(
    there: Town, outage: Outage, kit: Kit
) -> None:
    try:
        async with opened_stands(there, outage.faults) as stands:
            await play_and_watch(there, stands, kit, outage)
    finally:
        there.print_logs()
