"""A Valkey server that a test kills and starts again, on a port of its own."""

import asyncio
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from redis.asyncio import Redis
from redis.exceptions import RedisError

from infra.embedded.binaries import find_binaries
from infra.embedded.credentials import choose_port

# It starts within a tenth of a second on an idle machine.
PATIENCE_S = 20.0


class KillableValkey:
    def __init__(self) -> None:
        self._port = choose_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self._process: Process | None = None

    async def start(self) -> None:
        program = str(find_binaries().valkey)
        arguments = ("--bind", "127.0.0.1", "--port", str(self._port), "--save", "", "--dir", "/")
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


@asynccontextmanager
async def killable_valkey() -> AsyncIterator[KillableValkey]:
    """A server that is not started yet; it has ended after the block."""
    valkey = KillableValkey()
    try:
        yield valkey
    finally:
        await valkey.kill()
