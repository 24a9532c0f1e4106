"""A server process that is forked from one that has imported everything: it starts in a fraction of the time."""

import asyncio
import os
from asyncio import to_thread
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import uvloop

from infra.logging import configure_logging
from infra.settings import read_settings
from services.node.serving import serve_until_stopped
from simulate.tournament.own_server import LOG, READY_TIMEOUT_S, STOP_TIMEOUT_S, ServerDidNotStart

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload([__name__])


class ForkedServer:
    """One server at a time; after a restart it is at the same address."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._log = folder / LOG
        self._environment = dict(environment)
        self._process: ForkServerProcess | None = None
        self.url = ""

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

    async def kill(self) -> None:
        assert self._process is not None, "a server that runs"
        self._process.kill()
        await to_thread(self._process.join)

    async def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            await to_thread(self._process.join, STOP_TIMEOUT_S)
            self._process.kill()


@asynccontextmanager
async def forked_server(folder: Path, **given: str) -> AsyncIterator[ForkedServer]:
    """Serve over a folder; no process of it runs after the block, however it ends."""
    own = {"DATA": str(folder), "PORT": "0", "EXHIBITION": "off", "RATE_PER_S": "0", "LOG": "warning", **given}
    server = ForkedServer(folder, {f"SPINA_{name}": text for name, text in own.items()})
    try:
        await server.start()
        yield server
    finally:
        await server.stop()


def _serve(environment: Mapping[str, str], log: Path, sender: Connection) -> None:
    """Serve as `spina serve` does, except that the log is a file."""
    with log.open("ab") as told:
        os.dup2(told.fileno(), 2)
    settings = read_settings(environment)
    configure_logging(settings.log)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve_until_stopped(settings, on_ready=sender.send))
