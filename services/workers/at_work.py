"""A worker that is at work while a block runs: its task has an owner, and is over when the block is."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager


@asynccontextmanager
async def at_work(work: Coroutine[None, None, None], *, name: str) -> AsyncIterator[None]:
    """Do the work beside the block, and cancel it at its end; the worker itself tells what goes wrong with it."""
    task = asyncio.create_task(work, name=name)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
