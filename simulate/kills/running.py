"""Several servers over one database, killed again and again while players play and readers read."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import cycle
from pathlib import Path
from random import Random

import httpx
from msgspec import Struct

from domain.rulesets.released import KITS
from infra.embedded.servers import embedded_servers
from infra.keys import build_master_key, format_master_key
from simulate.attack.company import Noticed, play, register_two, seat_two
from simulate.kills.checking import Checked, check
from simulate.kills.forked_server import ForkedServer, forked_server
from simulate.kills.ledger_reader import LedgerReader, read_ledger
from simulate.kills.load import InTurn, KeepingConnection, Reader
from spina_client.connection import ANSWER_TIMEOUT_S, Connection

# A server is killed at a random moment of so many seconds after it answered.
LIFE_S_MAX = 2.0
SEATS = 2
THINK_S = 0.05
PAUSE_S = 0.1
# After the kills each table plays to the end of a game, if it is not one that takes longer on a busy machine.
LAST_GAMES_TIMEOUT_S = 120.0


class Asked(Struct, frozen=True, kw_only=True):
    """The terms of a run; the seed gives the moments of the kills."""

    kills: int
    servers: int
    tables: int
    seed: int


class Row(Struct, frozen=True, kw_only=True):
    """The figures of a run; `played` counts the seats of all games but those that go on."""

    kills: int
    seconds: float
    acknowledged: int
    played: int
    gave_up: int
    streams: int
    checkpoints: int
    checked: Checked
    violations: tuple[str, ...]

    @property
    def told(self) -> str:
        checked = self.checked
        return (
            f"{self.kills} kills in {self.seconds:.0f} s: {self.acknowledged} acknowledged commands, "
            f"{checked.lines} lines, {checked.finished} finished games verified, {checked.expired} clocks expired, "
            f"{self.gave_up} players gave up, {self.streams} streams read, "
            f"{self.checkpoints} checkpoints read, {len(self.violations)} violations"
        )

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """List the things of which a run saw none: that they hold was not shown."""
        counts = {
            "acknowledged command": self.acknowledged,
            "finished game": self.checked.finished,
            "player who stayed": self.played - self.gave_up,
            "stream": self.streams,
            "checkpoint": self.checkpoints,
        }
        return tuple(f"expected a {thing}, found none" for thing, count in counts.items() if count <= 0)


class Kills:
    """The kills that are left, for all servers together."""

    def __init__(self, count: int, on_kill: Callable[[int], None]) -> None:
        self._left = count
        self._done = 0
        self._on_kill = on_kill

    async def hurt(self, server: ForkedServer, draw: Random) -> None:
        """Kill a server and start it again, while kills are left. Raises ServerDidNotStart."""
        while self._left > 0:
            self._left -= 1
            await asyncio.sleep(draw.uniform(0, LIFE_S_MAX))
            await server.kill()
            await server.start()
            self._done += 1
            self._on_kill(self._done)


async def run(asked: Asked, folder: Path, on_kill: Callable[[int], None]) -> Row:
    """Run in a folder of its own. Raises ServerDidNotStart and the client's errors, in a group."""
    begun_s = time.monotonic()
    async with installed(asked.servers, folder) as servers:
        urls = [server.url for server in servers]
        timeout = httpx.Timeout(ANSWER_TIMEOUT_S)
        async with httpx.AsyncClient(base_url=urls[0], transport=InTurn(urls), timeout=timeout) as http:
            connection, tables = KeepingConnection(http), [Noticed() for _ in range(asked.tables)]
            readers, ledger = [Reader(http) for _ in tables], await read_ledger(connection, http, folder)
            async with loaded(connection, tables, readers, ledger):
                kills = Kills(asked.kills, on_kill)
                await asyncio.gather(*(kills.hurt(*each) for each in zip(servers, _draws(asked), strict=True)))
                await _until_a_game_is_over(tables)
                await ledger.expect_newest()
            acknowledged, checked = len(connection.acknowledged), await check(connection, tables, readers)
    return Row(
        kills=asked.kills,
        seconds=time.monotonic() - begun_s,
        acknowledged=acknowledged,
        played=sum(SEATS * (len(table.games) - 1) for table in tables),
        gave_up=sum(table.gave_up for table in tables),
        streams=sum(reader.streams for reader in readers),
        checkpoints=ledger.checkpoints,
        checked=checked,
        violations=(*ledger.faults, *(fault for reader in readers for fault in reader.faults), *checked.violations),
    )


@asynccontextmanager
async def loaded(
    connection: Connection, tables: Sequence[Noticed], readers: Sequence[Reader], ledger: LedgerReader
) -> AsyncIterator[None]:
    """Let players play at every table, and readers read, for the time of the block."""
    async with asyncio.TaskGroup() as together:
        working = [together.create_task(ledger.follow())]
        for table, reader, kit in zip(tables, readers, cycle(KITS), strict=False):
            seats = await seat_two(await register_two(connection), kit, table)
            working.append(together.create_task(play(seats, kit, table, think_s=THINK_S)))
            working.append(together.create_task(reader.follow(table)))
        yield
        for each in working:
            each.cancel()


@asynccontextmanager
async def installed(count: int, folder: Path) -> AsyncIterator[Sequence[ForkedServer]]:
    """Run one Postgres and one Valkey, and so many servers over them."""
    async with embedded_servers(folder / "data") as urls, AsyncExitStack() as stack:
        given = {
            "DATABASE_URL": urls.database_url,
            "OWNER_DATABASE_URL": urls.owner_url,
            "REDIS_URL": urls.redis_url,
            "MASTER_KEY": format_master_key(build_master_key()),
        }
        servers = []
        for number in range(count):
            own = folder / f"server-{number}"
            own.mkdir()
            servers.append(await stack.enter_async_context(forked_server(own, **given)))
        yield servers


async def _until_a_game_is_over(tables: Sequence[Noticed]) -> None:
    """Return once each table has begun another game, or it takes too long: a long game is checked as it stands."""
    begun = [len(table.games) for table in tables]
    with suppress(TimeoutError):
        async with asyncio.timeout(LAST_GAMES_TIMEOUT_S):
            await _until_more(tables, begun)


async def _until_more(tables: Sequence[Noticed], begun: Sequence[int]) -> None:
    while True:
        if all(len(table.games) > before for table, before in zip(tables, begun, strict=True)):
            return
        await asyncio.sleep(PAUSE_S)


def _draws(asked: Asked) -> Iterator[Random]:
    """One source of moments for each server."""
    return (Random(f"{asked.seed} {number}") for number in range(asked.servers))  # noqa: S311  a seed repeats them
