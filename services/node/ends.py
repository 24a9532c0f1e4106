"""Ends are for ever: a process copies those of the database into its machine's file.

A start ends them again in a database that was restored, before the first request is answered.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import structlog

from infra.ends_file import EndsFile
from infra.postgres.connection import borrowed
from infra.postgres.ends import end_again, list_ends
from infra.store_faults import StoreUnavailable
from services.node.addresses import Places
from services.node.databases import database_at

log = structlog.get_logger()

# A loss within the time after an end undoes it.
LOOK_EVERY_S = 1.0
# No transaction is open for so long: an end is seen after its time, and not missed.
OVERLAP_US = 600_000_000


async def restore_ends(folder: Path, places: Places) -> None:
    """Compare the database with this machine's file, each way. Raises EndsFileDamaged and DatabaseRefused."""
    file = EndsFile(folder)
    known = await asyncio.to_thread(file.read)
    async with database_at(places.owner_url, variable="SPINA_OWNER_DATABASE_URL") as owner:
        count = await end_again(owner, known)
        stored = await list_ends(owner)
    if count:
        log.warning("ended_again", ends=count, file=str(file.path))
    await asyncio.to_thread(file.add, stored)


class EndsKeeper:
    """Copies new ends into the file. One for a process."""

    def __init__(self, pool: asyncpg.Pool, folder: Path) -> None:
        self._pool = pool
        self._file = EndsFile(folder)
        self._newest_us = 0

    async def step(self) -> None:
        async with borrowed(self._pool) as connection:
            ends = await list_ends(connection, since_us=self._newest_us - OVERLAP_US)
        await asyncio.to_thread(self._file.add, ends)
        self._newest_us = max((end.at_us for end in ends), default=self._newest_us)

    async def run(self) -> None:
        while True:
            try:
                await self.step()
            except (StoreUnavailable, OSError) as fault:
                log.warning("ends_not_kept", reason=str(fault))
            await asyncio.sleep(LOOK_EVERY_S)


@asynccontextmanager
async def keeping_ends(pool: asyncpg.Pool, folder: Path) -> AsyncIterator[None]:
    """Copy the ends of the database while the block runs."""
    keeper = EndsKeeper(pool, folder)
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(keeper.run())
        try:
            yield
        finally:
            task.cancel()
