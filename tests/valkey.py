"""A Valkey server that a test kills and starts again, on a port of its own."""

import asyncio
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from socket import socket

from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from infra.embedded.binaries import find_binaries
from infra.embedded.credentials import choose_port

# It starts within a tenth of a second on an idle machine.
PATIENCE_S = 20.0


MASTER = "spina"
# Impatient: a master is down after a fifth of a second.
SENTINEL = """\
bind 127.0.0.1
port {port}
dir {folder}
sentinel monitor {name} 127.0.0.1 {master} 1
sentinel down-after-milliseconds {name} 200
sentinel failover-timeout {name} 1000
"""


class KillableValkey:
    def __init__(self) -> None:
        self.port = choose_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: Process | None = None

    async def start(self, *options: str) -> None:
        await self._launch("--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--dir", "/", *options)

    async def start_as_sentinel(self, folder: Path, master: "KillableValkey") -> None:
        """Watch a master that has its replicas already: a Sentinel asks for them at its start, then seldom."""
        file = folder / f"{self.port}.conf"
        file.write_text(SENTINEL.format(port=self.port, folder=folder, name=MASTER, master=master.port))
        await self._launch(str(file), "--sentinel")

    async def _launch(self, *arguments: str) -> None:
        program = str(find_binaries().valkey)
        self._process = await asyncio.create_subprocess_exec(program, *arguments, stdout=DEVNULL, stderr=DEVNULL)
        async with asyncio.timeout(PATIENCE_S):
            while not await self._answers():
                pass

    async def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def _answers(self) -> bool:
        try:
            async with Redis.from_url(self.url) as redis:
                return bool(await redis.ping())
        except (RedisError, OSError):
            return False


class Watched(Struct, frozen=True, kw_only=True):
    """A master, its replica, and one Sentinel that watches them; `url` names a second, which never answers."""

    master: KillableValkey
    replica: KillableValkey
    url: str


@asynccontextmanager
async def watched_valkey(folder: Path) -> AsyncIterator[Watched]:
    async with killable_valkey() as master, killable_valkey() as replica, killable_valkey() as sentinel:
        await master.start()
        await replica.start("--replicaof", "127.0.0.1", str(master.port), "--repl-diskless-sync-delay", "0")
        async with Redis.from_url(master.url) as asked, asyncio.timeout(PATIENCE_S):
            while not (await asked.info("replication"))["connected_slaves"]:
                pass
        await sentinel.start_as_sentinel(folder, master)
        with socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            hosts = f"127.0.0.1:{silent.getsockname()[1]},127.0.0.1:{sentinel.port}"
            yield Watched(master=master, replica=replica, url=f"redis+sentinel://{hosts}/{MASTER}/0")


@asynccontextmanager
async def killable_valkey() -> AsyncIterator[KillableValkey]:
    """A server that is not started yet; it has ended after the block."""
    valkey = KillableValkey()
    try:
        yield valkey
    finally:
        await valkey.kill()
