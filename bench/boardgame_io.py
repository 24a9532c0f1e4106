"""boardgame.io with its Postgres store, from the npm registry: the peer beside which our commands are measured.

Where there is no npm, or it cannot reach its registry, that is said, and ours are measured alone.
"""

import asyncio
import os
import shutil
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from bench.child import LOAD_PROCESSOR, SERVER_PROCESSOR, running_child
from bench.load import Loaded
from bench.served import Serving

SOURCES = Path(__file__).with_name("boardgame")
INSTALL_TIMEOUT_S = 300


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
