"""A whole installation in processes of its own: Postgres, Valkey, and two servers, each of which a test may hurt.

Players are at one server, spectators at the other; a fault of one must not show in the answers of the other.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP

import asyncpg
import httpx2

from infra.embedded.credentials import choose_port
from infra.embedded.servers import ServerUrls, embedded_servers
from infra.keys import build_master_key, format_master_key
from tests.infra.embedded.conditions import eventually
from tests.infra.embedded.questions import pid_of
from tests.redis_faults import Faults, redis_faults
from tests.services.cli.program import PATIENCE_S, Serving, serving

HOST = "127.0.0.1"
SEED = 20261118
# Longer than any wait for Redis in a server, and than most of a game that bots play.
HELD_S = 10.0
# As much as a pipe holds.
LOG_SIZE_MAX = 64 * 1024
END_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL"
)


class Town:
    def __init__(self, folder: Path, stack: AsyncExitStack, urls: ServerUrls) -> None:
        self._folder = folder
        self._stack = stack
        self._urls = urls
        self._key = format_master_key(build_master_key())
        self._ports: dict[str, int] = {}
        self._processes: dict[str, Serving] = {}
        self._valkey_answers = asyncio.Event()
        self._valkey_answers.set()

    async def open(self, name: str, *, faults: Faults | None = None) -> str:
        """Start a server and return its address. With faults, that happens to all it hears from Redis."""
        redis_url = self._urls.redis_url
        if faults is not None:
            proxy = await self._stack.enter_async_context(redis_faults(redis_url, faults, seed=SEED))
            redis_url = proxy.url
        port = self._ports.setdefault(name, choose_port())
        given = {
            "SPINA_DATABASE_URL": self._urls.database_url,
            "SPINA_OWNER_DATABASE_URL": self._urls.owner_url,
            "SPINA_REDIS_URL": redis_url,
            "SPINA_MASTER_KEY": self._key,
            "SPINA_RATE_PER_S": "0",
            "SPINA_PORT": str(port),
            # Unread output would fill the pipe.
            "SPINA_LOG": "error",
        }
        process = self._stack.enter_context(serving(self._folder / name, **given))
        self._processes[name] = process
        await asyncio.to_thread(process.until_ready)
        return self.address_of(name)

    def address_of(self, name: str) -> str:
        """Return the address of a server opened once, which it keeps."""
        return f"http://{HOST}:{self._ports[name]}"

    async def kill(self, name: str) -> None:
        await asyncio.to_thread(self._processes[name].stop, SIGKILL)

    def print_logs(self) -> None:
        """Print the errors that each server has logged since the last time; pytest shows them beside a failure."""
        for name, serving_ in self._processes.items():
            log = serving_.process.stderr
            if log is not None and not log.closed:
                os.set_blocking(log.fileno(), False)
                with suppress(BlockingIOError):
                    print(name, serving_.process.poll(), os.read(log.fileno(), LOG_SIZE_MAX).decode(errors="replace"))  # noqa: T201  see above
                os.set_blocking(log.fileno(), True)

    async def kill_program(self, program: str) -> None:
        """Kill Postgres or Valkey, which is started again at once; one that was just killed is waited for."""

        def has_killed() -> bool:
            with suppress(ValueError, FileNotFoundError):
                os.kill(pid_of(program, self._folder), SIGKILL)
                return True
            return False

        await eventually(has_killed, within_s=PATIENCE_S)

    async def hold_postgres(self, away: Awaitable[object]) -> None:
        """End every connection to Postgres, and let none begin, until that is over."""
        connection = await asyncpg.connect(self._urls.owner_url)
        postmaster = pid_of("postgres", self._folder)
        os.kill(postmaster, SIGSTOP)
        try:
            await connection.execute(END_OTHERS)
            await connection.close()
            await away
        finally:
            os.kill(postmaster, SIGCONT)

    async def freeze(self, *programs: str, away: Awaitable[object]) -> None:
        """Stop programs where they stand until that is over: "postgres", "valkey-server", or a server by its name.

        Of Postgres the sessions stand still with the servers that ask them.
        """
        processes = {name: serving_.process.pid for name, serving_ in self._processes.items()}
        pids = [processes[program] if program in processes else pid_of(program, self._folder) for program in programs]
        for pid in pids:
            os.kill(pid, SIGSTOP)
        try:
            await away
        finally:
            for pid in pids:
                os.kill(pid, SIGCONT)

    def hold_valkey(self) -> None:
        """Let it answer no request for some seconds: worse than a server that is not there."""
        os.kill(pid_of("valkey-server", self._folder), SIGSTOP)
        self._valkey_answers.clear()
        asyncio.get_running_loop().call_later(HELD_S, self.release_valkey)

    def release_valkey(self) -> None:
        if not self._valkey_answers.is_set():
            os.kill(pid_of("valkey-server", self._folder), SIGCONT)
        self._valkey_answers.set()

    async def until_valkey_answers(self) -> None:
        await self._valkey_answers.wait()


@asynccontextmanager
async def town(folder: Path) -> AsyncIterator[Town]:
    async with embedded_servers(folder / "data") as urls, AsyncExitStack() as stack:
        there = Town(folder, stack, urls)
        try:
            yield there
        finally:
            there.release_valkey()


@asynccontextmanager
async def visiting(address: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=address, timeout=30) as server:
        yield server
