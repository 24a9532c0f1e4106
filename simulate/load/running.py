"""Players, readers and a monitor of the ledger at some servers, in processes that end with the block."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from simulate.load.in_turn import InTurn
from simulate.load.journal import Journal
from simulate.load.ledger_reader import LedgerReader, read_ledger
from simulate.load.process import Table
from simulate.load.run import Run
from simulate.tournament.own_server import OwnServer, own_server


class Installation(Struct, frozen=True, kw_only=True):
    """Servers with one database; `given` are the settings that they share, without their prefix."""

    folder: Path
    given: Mapping[str, str]
    servers: Sequence[OwnServer]

    @property
    def urls(self) -> list[str]:
        return [server.url for server in self.servers]


@asynccontextmanager
async def served(folder: Path, count: int, **given: str) -> AsyncIterator[Installation]:
    """Run so many servers."""
    async with AsyncExitStack() as stack:
        servers = []
        for number in range(count):
            own = folder / f"server-{number}"
            own.mkdir()
            servers.append(await stack.enter_async_context(own_server(own, **given)))
        yield Installation(folder=folder, given=given, servers=servers)


class Load(Struct, frozen=True, kw_only=True):
    """All that players and readers saw, and all that the monitor of the ledger did."""

    journal: Journal
    ledger: LedgerReader


@asynccontextmanager
async def loaded(at: Installation, run: Run, *groups: list[Table]) -> AsyncIterator[Load]:
    """Play at the tables, each group in a process of its own; the journal is whole after the block.

    Raises LoadEnded in a group.
    """
    journal, processes = Journal(), list[Process]()
    run.is_under_load = True
    async with read_ledger(at.urls[0], InTurn(at.urls), at.folder) as ledger, asyncio.TaskGroup() as together:
        following = together.create_task(ledger.follow())
        try:
            for place, tables in enumerate(groups):
                log = at.folder / f"load-{place}.log"
                arguments = ("-m", "simulate.load.process", msgspec.json.encode(tables).decode())
                processes.append(await start(arguments, log))
                together.create_task(journal.read(processes[-1], log))
            yield Load(journal=journal, ledger=ledger)
        finally:
            run.is_under_load = False
            following.cancel()
            for process in processes:
                if process.returncode is None:
                    process.kill()


async def start(arguments: Sequence[str], log: Path, **given: str) -> Process:
    """Start Python with settings, and its standard error in a file. A Ctrl-C at the terminal does not reach it."""
    environment = {**os.environ, **{f"SPINA_{name}": text for name, text in given.items()}}
    with log.open("ab") as told:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, *arguments), env=environment, stdout=PIPE, stderr=told, start_new_session=True
        )
