"""A worker in a process of its own that a test kills: `python -m tests.services.NAME …`."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.fork_server import ROOT
from tests.forked import Forked

# A start takes about a second on an idle machine; this one is shared.
START_WITHIN_S = 60.0


@asynccontextmanager
async def killable_process(name: str, *arguments: str) -> AsyncIterator[None]:
    """Start a module below tests.services, wait for its first line, and kill it after the block."""
    process = Forked(f"tests.services.{name}", *arguments, environment=os.environ, folder=ROOT)
    with process.stdout, process.stderr:
        try:
            await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), START_WITHIN_S)
            yield
        finally:
            process.kill()
            await asyncio.to_thread(process.wait, START_WITHIN_S)
