"""`spina serve` as a process of its own over a folder that outlives it, so that it can be killed and come again."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import Literal

from infra.settings import Settings, read_settings

# A start takes some seconds on a machine under load, and one after a kill replays the database's log first.
READY_TIMEOUT_S = 60.0
# Requests that are under way may end within ten seconds; then the embedded servers are stopped.
STOP_TIMEOUT_S = 30.0
READY = b"Spina is running: "
LOG = "serve.log"


class ServerDidNotStart(Exception):
    """The server of the rehearsal ended before it answered, or takes too long."""

    def __init__(self, log: Path) -> None:
        super().__init__(f"expected a server within {READY_TIMEOUT_S:g} seconds, found none; its log is {log}")


class OwnServer:
    """One server at a time; after a restart it is at the same address."""

    def __init__(self, folder: Path, **given: str) -> None:
        self._folder = folder
        # Settings of its own, without their prefix.
        self._given = given
        self._port = 0
        self._process: Process | None = None
        self.url = ""

    @property
    def pid(self) -> int:
        assert self._process is not None, "a server that runs"
        return self._process.pid

    @property
    def settings(self) -> Settings:
        return read_settings(self._environment())

    async def start(self) -> None:
        """Start, and return once it answers. Raises ServerDidNotStart."""
        log = self._folder / LOG
        with log.open("ab") as told:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "services.cli", "serve"), env=self._environment(), stdout=PIPE, stderr=told
            )
        assert self._process.stdout is not None, "asked for above"
        try:
            async with asyncio.timeout(READY_TIMEOUT_S):
                line = await self._process.stdout.readline()
        except TimeoutError:
            line = b""
        if not line.startswith(READY):
            raise ServerDidNotStart(log)
        self.url = line.removeprefix(READY).decode().strip().removesuffix("/v1/health")
        self._port = int(self.url.rpartition(":")[2])

    async def end(self, how: Literal["kill", "stop"]) -> None:
        """Kill it, with its workers and its database, or let it finish."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        process.send_signal(SIGKILL if how == "kill" else SIGTERM)
        try:
            async with asyncio.timeout(STOP_TIMEOUT_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    def _environment(self) -> Mapping[str, str]:
        kept = {name: text for name, text in os.environ.items() if not name.startswith("SPINA_")}
        own = {
            "DATA": str(self._folder),
            "PORT": str(self._port),
            "EXHIBITION": "off",
            "RATE_PER_S": "0",
            **self._given,
        }
        return {**kept, **{f"SPINA_{name}": text for name, text in own.items()}}


@asynccontextmanager
async def own_server(folder: Path, **given: str) -> AsyncIterator[OwnServer]:
    """Serve over a folder; no process of it runs after the block, however it ends."""
    server = OwnServer(folder, **given)
    try:
        await server.start()
        yield server
    finally:
        await server.end("stop")
