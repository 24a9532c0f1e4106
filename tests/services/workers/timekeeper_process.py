"""A process that keeps the clocks whenever it can: `python -m tests.services.workers.timekeeper_process URL`."""

import asyncio
import sys

from infra.postgres.event_store import open_event_store
from services.node.building import read_clock_ms
from services.workers.timekeeping import Timekeeping, keep_clocks
from tests.services.commands.test_arena import arena_on


async def run(url: str) -> None:
    async with open_event_store(url) as store:
        print("up", flush=True)  # noqa: T201 - the test waits for it
        timekeeping = Timekeeping(
            database_url=url, arena=arena_on(store), now_ms=read_clock_ms, look_every_s=0.01, stand_by_s=0.01
        )
        await keep_clocks(timekeeping)


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1]))
