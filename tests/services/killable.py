"""A worker in a process of its own that a test kills: `python -m tests.services.NAME …`."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
# A start takes about a second on an idle machine; this one is shared.
START_WITHIN_S = 60.0


@asynccontextmanager
async def killable_process(name: str, *arguments: str) -> AsyncIterator[None]:
    """Start a module below tests.services, wait for its first line, and kill it after the block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", f"tests.services.{name}", *arguments),
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        await asyncio.wait_for(process.stdout.readline(), START_WITHIN_S)
        yield
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        await process.communicate()
