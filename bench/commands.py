"""How many commands a second are answered, each after its commit: over HTTP, over sockets, beside the appender alone.

And beside boardgame.io with its Postgres store, where it can be had; it answers before it stores. All take turns in
rounds, the server on one processor and the clients on another; of each its median round is kept.
"""

import asyncio
import os
import shutil
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from msgspec import Struct

from bench.append import measure_appender
from bench.child import LOAD_PROCESSOR, SERVER_PROCESSOR, running_child
from bench.figures import P50, PER_S, RATIO, Asked, Figures, Row, find_median, percentile
from bench.load import CommandOrders, Loaded, measure_load
from bench.served import Serving, new_servers, running_server
from infra.embedded.servers import ServerUrls

SOURCES = Path(__file__).with_name("boardgame")
INSTALL_TIMEOUT_S = 300

# Kept from one measurement to the next: it is some sixty megabytes from the npm registry.
PEER_FOLDER = Path(".build") / "boardgame.io"
PEER, PEER_DATABASE = "boardgame.io", "boardgame"
# Games at once, and commands of each in a round: about two seconds of each.
SHAPES = ((1, 2_000), (50, 200), (200, 50))
PEER_SHAPES = ((1, 600), (50, 40))
# A command is an input and its outcomes.
LINES_PER_COMMAND = 2
# A game of three thousand events, looked at around the fiftieth and the last.
LONG_COMMANDS, LOOKED_AT = 1_500, 50


class PeerMissing(Exception):
    """It cannot be had here."""


class PeerOrders(Struct, frozen=True, kw_only=True):
    database_url: str


class PeerLoadOrders(Struct, frozen=True, kw_only=True):
    port: int
    games: int
    commands: int


class Peer(Struct, frozen=True, kw_only=True):
    """An installed one: where it is, and the program that runs it."""

    folder: Path
    node: str


def list_places() -> str:
    """List where programs are looked for: the wheel that the tests bring puts its own beside this Python."""
    return os.pathsep.join((os.environ.get("PATH", ""), str(Path(sys.executable).parent)))


async def install_peer(folder: Path, *, places: str) -> Peer:
    """Install it there, unless it is there already. Raises PeerMissing."""
    node, npm = _find("node", places), _find("npm", places)
    if not _lay_out(folder):
        quiet = ("--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts")
        process = await asyncio.create_subprocess_exec(
            npm, "install", *quiet, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
        )
        async with asyncio.timeout(INSTALL_TIMEOUT_S):
            await process.communicate()
        if process.returncode:
            raise PeerMissing("npm could not install boardgame.io")
    return Peer(folder=folder, node=node)


def _lay_out(folder: Path) -> bool:
    """Put its sources there; return whether its dependencies are there as well."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in SOURCES.iterdir():
        shutil.copyfile(source, folder / source.name)
    return (folder / "node_modules" / "boardgame.io").exists()


@asynccontextmanager
async def running_peer(peer: Peer, database_url: str) -> AsyncIterator[int]:
    """Run its server on a processor of its own; yield the port."""
    orders, command = PeerOrders(database_url=database_url), (peer.node, "server.cjs")
    async with running_child(command, orders, processor=SERVER_PROCESSOR, folder=peer.folder) as server:
        yield (await server.read(Serving)).port


async def load_peer(peer: Peer, orders: PeerLoadOrders) -> Loaded | None:
    """Play there; None where a move was lost and the match stood still."""
    command = (peer.node, "load.cjs")
    async with running_child(command, orders, processor=LOAD_PROCESSOR, folder=peer.folder) as mover:
        loaded = await mover.read(Loaded)
    return loaded if loaded.latencies_s else None


def _find(name: str, places: str) -> str:
    found = shutil.which(name, path=places)
    if found is None:
        raise PeerMissing(f"there is no {name} here")
    return found


async def measure(asked: Asked) -> list[Figures]:
    async with new_servers() as urls:
        return await measure_commands(urls, rounds=asked.size(3, 1))


async def measure_commands(urls: ServerUrls, *, rounds: int) -> list[Figures]:
    """Measure all of them on these servers, with their migrations applied."""
    taken: defaultdict[str, list[Row]] = defaultdict(list)
    title = f"commands, median of {rounds} rounds in turn"
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(running_server(urls))
        peer: Peer | None = None
        try:
            peer = await install_peer(PEER_FOLDER, places=list_places())
            peer_url = await _create_peer_database(urls.owner_url)
            peer_port = await stack.enter_async_context(running_peer(peer, peer_url))
        except PeerMissing as missing:
            title += f"; {missing}"
        for _ in range(rounds):
            for games, commands in SHAPES:
                for way in ("http", "socket"):
                    loaded = await measure_load(CommandOrders(port=port, way=way, games=games, requests=commands))
                    taken[f"{way}, {games} games"].append(loaded.rate())
                rate = await measure_appender(urls.database_url, games=games, lines=LINES_PER_COMMAND, appends=commands)
                taken[f"appender, {games} games"].append(rate | {PER_S: rate[PER_S] / LINES_PER_COMMAND})
            for games, commands in PEER_SHAPES if peer is not None else ():
                assert peer is not None
                orders = PeerLoadOrders(port=peer_port, games=games, commands=commands)
                if (played := await load_peer(peer, orders)) is None:
                    title += "; a round of boardgame.io is left out, as it lost a move and the match stood still"
                else:
                    taken[f"{PEER}, {games} games"].append(played.rate())
        long_game = await measure_load(CommandOrders(port=port, way="socket", games=1, requests=LONG_COMMANDS))
    rows = compare({name: find_median(rates) for name, rates in taken.items()})
    by_length = Figures(title="a command of a long game", rows=find_long_game(long_game.latencies_s[0]))
    return [Figures(title=title, rows=rows), by_length]


def compare(rows: dict[str, Row]) -> dict[str, Row]:
    """Add to each rate its ratio to the peer's with as many games."""
    compared = {}
    for name, row in rows.items():
        peer = rows.get(f"{PEER}, {name.rpartition(', ')[2]}")
        compared[name] = (
            row
            if peer is None or name.startswith((PEER, "appender"))
            else row | {f"times {PEER}": row[PER_S] / peer[PER_S]}
        )
    return compared


async def _create_peer_database(owner_url: str) -> str:
    async with asyncpg.create_pool(owner_url, min_size=1, max_size=1) as owner:
        await owner.execute(f"create database {PEER_DATABASE}")
    return urlunsplit(urlsplit(owner_url)._replace(path=f"/{PEER_DATABASE}"))


def find_long_game(latencies_s: Sequence[float]) -> dict[str, Row]:
    """Find the medians of the commands around the fiftieth event and before the three thousandth."""
    first = LOOKED_AT // LINES_PER_COMMAND
    early = percentile(sorted(latencies_s[first : first + LOOKED_AT]), 50) * 1000
    late = percentile(sorted(latencies_s[-LOOKED_AT:]), 50) * 1000
    return {"socket, at event 50": {P50: early}, "socket, at event 3,000": {P50: late, RATIO: late / early}}
