"""Start that program as another process, so that a test can kill it, or run it as another user."""

import os
import sys
from asyncio import create_subprocess_exec, timeout
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from signal import SIGKILL

import msgspec
from msgspec import Struct

from infra.embedded.program import LAUNCHER
from infra.embedded.servers import ServerUrls

ROOT = Path(__file__).parents[3]
START_TIMEOUT_S = 60.0


class Running(Struct, frozen=True, kw_only=True):
    process: Process
    urls: ServerUrls


@asynccontextmanager
async def supervisor(folder: Path, *, uid: int | None = None) -> AsyncIterator[Running]:
    """Run the program while the block runs, as the user if one is given; it ends cleanly unless the block killed it."""
    process = await start_supervisor(folder, uid=uid)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with timeout(START_TIMEOUT_S):
            line = await process.stdout.readline()
        yield Running(process=process, urls=msgspec.json.decode(line, type=ServerUrls))
    finally:
        process.stdin.close()
        async with timeout(START_TIMEOUT_S):
            await process.wait()


async def start_supervisor(folder: Path, *, uid: int | None = None) -> Process:
    program = (sys.executable, "-m", "tests.infra.embedded.supervise", str(folder))
    # By this way a user reaches this interpreter even when it lies in root's closed home.
    launcher = (sys.executable, str(LAUNCHER), str(os.getpid()), f"user:{uid}:{uid}", str(int(SIGKILL)))
    return await create_subprocess_exec(
        *(program if uid is None else (*launcher, *program)),
        stdin=PIPE,
        stdout=PIPE,
        cwd=ROOT,
        env={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder.parent), "PYTHONDONTWRITEBYTECODE": "1"},
    )
