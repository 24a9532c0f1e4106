"""How many commands a second are answered, each after its commit: over HTTP, over sockets, beside the appender alone.

And beside boardgame.io with its Postgres store, where it can be had; it answers before it stores. All take turns in
rounds, the server on one processor and the clients on another; of each its median round is kept.
"""

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from msgspec import Struct

from bench.append import measure_appender
from bench.boardgame_io import (
    LOAD_PROCESSOR,
    SERVER_PROCESSOR,
    Peer,
    PeerLoadOrders,
    PeerMissing,
    install_peer,
    list_places,
    load_peer,
    running_peer,
)
from bench.child import running_child
from bench.command_load import Loaded, LoadOrders, Way
from bench.command_server import ServerOrders, Serving
from bench.rate import Median, Rate, build_rate, find_median, percentile
from bench.served import HOST
from infra.embedded.servers import ServerUrls

# Games at once, and commands of each in a round: about two seconds of each.
SHAPES = ((1, 2_000), (50, 200), (200, 50))
PEER_SHAPES = ((1, 600), (50, 40))
# A command is an input and its outcomes.
LINES_PER_COMMAND = 2
# A game of three thousand events, looked at around the fiftieth and the last.
LONG_COMMANDS, LOOKED_AT = 1_500, 50
ROUNDS = 3
PEER_DATABASE = "boardgame"


class LongGame(Struct, frozen=True, kw_only=True):
    """Medians of the commands around the fiftieth event and before the three thousandth."""

    early_p50_ms: float
    late_p50_ms: float
    ratio: float


class CommandFigures(Struct, frozen=True, kw_only=True):
    """Rates are commands a second; those of the appender too, with as many lines each."""

    rounds: int
    rates: tuple[Median, ...]
    appender: tuple[Median, ...]
    long_game: LongGame
    # With why there are none, if there are none.
    peer: tuple[Median, ...]
    peer_missing: str | None
    # Rounds of it that were dropped, because a move was lost and the match stood still.
    peer_stalled: int
    # By way, one game and fifty, times boardgame.io's rate.
    ratios: dict[str, float]


class _Rounds:
    """The rates of every round, by measurement."""

    def __init__(self) -> None:
        self._rates: dict[str, list[Rate]] = {}

    def add(self, rate: Rate) -> None:
        self._rates.setdefault(rate.name, []).append(rate)

    def medians(self) -> tuple[Median, ...]:
        return tuple(map(find_median, self._rates.values()))


async def measure_commands(urls: ServerUrls, folder: Path, *, rounds: int = ROUNDS) -> CommandFigures:
    """Measure all of them on these servers, with their migrations applied. The peer is installed in the folder."""
    own, appender, peers = _Rounds(), _Rounds(), _Rounds()
    stalled = 0
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(_running_server(urls))
        peer, missing = await _find_peer(folder)
        peer_port = 0
        if peer is not None:
            database_url = await _create_peer_database(urls.owner_url)
            peer_port = await stack.enter_async_context(running_peer(peer, database_url))
        for _ in range(rounds):
            for games, commands in SHAPES:
                for way in ("http", "socket"):
                    loaded = await _load(port, way, games, commands)
                    own.add(_rate(f"{way}, {games} games", loaded))
                appended = await measure_appender(
                    urls.database_url, games=games, lines=LINES_PER_COMMAND, appends=commands
                )
                appender.add(_per_command(appended))
            for games, commands in PEER_SHAPES if peer is not None else ():
                assert peer is not None
                played = await load_peer(peer, PeerLoadOrders(port=peer_port, games=games, commands=commands))
                if played is None:
                    stalled += 1
                else:
                    peers.add(_rate(f"boardgame.io, {games} games", played))
        long_game = find_long_game((await _load(port, "socket", 1, LONG_COMMANDS)).latencies_s[0])
    medians = own.medians()
    return CommandFigures(
        rounds=rounds,
        rates=medians,
        appender=appender.medians(),
        long_game=long_game,
        peer=peers.medians(),
        peer_missing=missing,
        peer_stalled=stalled,
        ratios=_compare(medians, peers.medians()),
    )


async def _load(port: int, way: Way, games: int, commands: int) -> Loaded:
    orders = LoadOrders(host=HOST, port=port, way=way, games=games, commands=commands)
    async with running_child("bench.command_load", orders, processor=LOAD_PROCESSOR) as load:
        return await load.read(Loaded)


@asynccontextmanager
async def _running_server(urls: ServerUrls) -> AsyncIterator[int]:
    orders = ServerOrders(database_url=urls.database_url, redis_url=urls.redis_url, master_key=secrets.token_bytes(32))
    async with running_child("bench.command_server", orders, processor=SERVER_PROCESSOR) as server:
        yield (await server.read(Serving)).port


async def _find_peer(folder: Path) -> tuple[Peer | None, str | None]:
    try:
        return await install_peer(folder, places=list_places()), None
    except PeerMissing as missing:
        return None, str(missing)


async def _create_peer_database(owner_url: str) -> str:
    connection = await asyncpg.connect(owner_url)
    try:
        await connection.execute(f"create database {PEER_DATABASE}")
    finally:
        await connection.close()
    return urlunsplit(urlsplit(owner_url)._replace(path=f"/{PEER_DATABASE}"))


def _rate(name: str, loaded: Loaded) -> Rate:
    latencies = list(chain.from_iterable(loaded.latencies_s))
    return build_rate(name, latencies_s=latencies, events=len(latencies), elapsed_s=loaded.elapsed_s)


def _per_command(rate: Rate) -> Rate:
    return Rate(
        name=rate.name, events_per_s=rate.events_per_s / LINES_PER_COMMAND, p50_ms=rate.p50_ms, p99_ms=rate.p99_ms
    )


def find_long_game(latencies_s: Sequence[float]) -> LongGame:
    first = LOOKED_AT // LINES_PER_COMMAND
    early = percentile(sorted(latencies_s[first : first + LOOKED_AT]), 50) * 1000
    late = percentile(sorted(latencies_s[-LOOKED_AT:]), 50) * 1000
    return LongGame(early_p50_ms=early, late_p50_ms=late, ratio=late / early)


def _compare(own: tuple[Median, ...], peers: tuple[Median, ...]) -> dict[str, float]:
    found = {}
    for peer in [median.rate for median in peers]:
        games = peer.name.rpartition(", ")[2]
        for rate in [median.rate for median in own]:
            if rate.name.endswith(f", {games}"):
                found[rate.name] = rate.events_per_s / peer.events_per_s
    return found
