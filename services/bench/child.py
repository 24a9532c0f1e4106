"""A process of a measurement beside the one that is measured: told in lines, answering in lines of JSON."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import msgspec
from msgspec import Struct

# The longest step is the connecting of all spectators.
STEP_TIMEOUT_S = 60.0
Told = TypeVar("Told", bound=Struct)


class Child:
    def __init__(self, process: Process) -> None:
        self._process = process

    def tell(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line)

    async def read(self, kind: type[Told]) -> Told:
        """Return the next line of it, which is of this kind."""
        assert self._process.stdout is not None
        async with asyncio.timeout(STEP_TIMEOUT_S):
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("a process of the measurement has ended; what it said is above")
        return msgspec.json.decode(line, type=kind)


@asynccontextmanager
async def running_child(module: str, orders: Struct) -> AsyncIterator[Child]:
    """Run a module with its orders on the first line of its standard input; it ends when that does."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", module, stdin=PIPE, stdout=PIPE)
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
