"""A process of a measurement beside the one that is measured: commanded by lines, answering by lines of JSON."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

# The longest step is the connecting of all spectators.
STEP_TIMEOUT_S = 60.0
# The latencies of some ten thousand commands.
LINE_SIZE_MAX = 16 * 1024 * 1024
# Subject and load do not take each other's processor.
SERVER_PROCESSOR, LOAD_PROCESSOR = 0, 1
Told = TypeVar("Told", bound=Struct)


class HiddenOrders(Struct, frozen=True, kw_only=True):
    """Orders of which the value prints nothing, as they hold passwords and keys."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(…)"


class Child:
    def __init__(self, process: Process) -> None:
        self._process = process

    def tell(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line)

    async def read(self, kind: type[Told], *, timeout_s: float = STEP_TIMEOUT_S) -> Told:
        """Return the next line of it, which is of this kind."""
        assert self._process.stdout is not None
        async with asyncio.timeout(timeout_s):
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("a process of the measurement has ended; its errors are above")
        return msgspec.json.decode(line, type=kind)


@asynccontextmanager
async def running_child(
    module: str | Sequence[str], orders: Struct, *, processor: int | None = None, folder: Path | None = None
) -> AsyncIterator[Child]:
    """Run a module, or any program, with its orders on the first line of its standard input; it ends when that does.

    On one processor alone where asked for and this system knows how.
    """
    command = (sys.executable, "-m", module) if isinstance(module, str) else module
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=LINE_SIZE_MAX, cwd=folder)
    if processor is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process.pid, {processor})
    child = Child(process)
    try:
        child.tell(msgspec.json.encode(orders) + b"\n")
        yield child
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(STEP_TIMEOUT_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


def read_orders(kind: type[Told]) -> Told:
    """Read the orders in the child."""
    return msgspec.json.decode(sys.stdin.buffer.readline(), type=kind)


def say(told: Struct) -> None:
    """Answer in the child."""
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


async def until_told() -> bool:
    """Wait in the child for the next line; false once there is none any more."""
    return bool(await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.readline))
