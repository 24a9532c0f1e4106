"""A server in a process of its own, over a folder that outlives it, so that it can be killed and come again.

It is forked from a process that has imported everything, and starts in a fraction of the time.
"""

import asyncio
import os
from asyncio import to_thread
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from signal import SIGTERM
from typing import Literal

import uvloop

from infra.embedded.launch import die_with
from infra.logging import configure_logging
from infra.settings import Settings, read_settings
from services.node.serving import serve_until_stopped

# A start takes some seconds on a machine under load, and one after a kill replays the database's log first.
READY_TIMEOUT_S = 60.0
# Requests that are under way may end within ten seconds; then the embedded servers are stopped.
STOP_TIMEOUT_S = 30.0
LOG = "serve.log"
FORKS = get_context("forkserver")
FORKS.set_forkserver_preload([__name__])


class ServerDidNotStart(Exception):
    """The server ended before it answered, or takes too long."""

    def __init__(self, log: Path) -> None:
        super().__init__(f"expected a server within {READY_TIMEOUT_S:g} seconds, found none; its log is {log}")


class OwnServer:
    """One server at a time; after a restart it is at the same address."""

    def __init__(self, folder: Path, **given: str) -> None:
        """Take settings without their prefix."""
        self._log = folder / LOG
        own = {"DATA": str(folder), "PORT": "0", "EXHIBITION": "off", "RATE_PER_S": "0", **given}
        self._environment = {f"SPINA_{name}": text for name, text in own.items()}
        self._process: ForkServerProcess | None = None
        self.url = ""

    @property
    def pid(self) -> int:
        assert self._process is not None, "a server that runs"
        assert self._process.pid is not None, "it was started"
        return self._process.pid

    @property
    def settings(self) -> Settings:
        return read_settings(self._environment)

    async def start(self) -> None:
        """Start, and return once it answers. Raises ServerDidNotStart."""
        receiver, sender = FORKS.Pipe(duplex=False)
        process = FORKS.Process(target=_serve, args=(self._environment, self._log, sender), daemon=True)
        with receiver:
            await to_thread(process.start)
            self._process = process
            sender.close()
            try:
                ready = await to_thread(receiver.poll, READY_TIMEOUT_S)
                health_url: str = receiver.recv() if ready else ""
            except EOFError:
                health_url = ""
        if not health_url:
            raise ServerDidNotStart(self._log)
        self.url = health_url.removesuffix("/v1/health")
        self._environment["SPINA_PORT"] = self.url.rpartition(":")[2]

    async def end(self, how: Literal["kill", "stop"]) -> None:
        """Kill it, with its workers and its database, or let it finish."""
        if self._process is None:
            return
        if how == "stop":
            self._process.terminate()
            await to_thread(self._process.join, STOP_TIMEOUT_S)
        self._process.kill()
        await to_thread(self._process.join)


@asynccontextmanager
async def own_server(folder: Path, **given: str) -> AsyncIterator[OwnServer]:
    """Serve over a folder; no process of it runs after the block, however it ends."""
    server = OwnServer(folder, **given)
    try:
        await server.start()
        yield server
    finally:
        await server.end("stop")


def _serve(environment: Mapping[str, str], log: Path, sender: Connection) -> None:
    """Serve as `spina serve` does, except that the log is a file, and a Ctrl-C at the terminal is for the parent."""
    os.setsid()
    die_with(os.getppid(), SIGTERM)
    with log.open("ab") as told:
        os.dup2(told.fileno(), 2)
    settings = read_settings(environment)
    configure_logging(settings.log)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve_until_stopped(settings, on_ready=sender.send))
