"""A process that keeps the clocks whenever it can: `python -m tests.services.workers.timekeeper_process URL`."""

import asyncio
import sys
from functools import partial

from infra.postgres.clock_book import timekeeper_book
from infra.postgres.event_store import open_event_store
from services.node.steady_clock import read_clock_ms
from services.workers.standby import Pace, stand_by
from services.workers.timekeeper import build_timekeeper
from tests.services.commands.test_arena import arena_on
from tests.services.heartbeats import no_beat


async def run(url: str) -> None:
    async with open_event_store(url) as store:
        print("up", flush=True)  # noqa: T201 - the test waits for it
        timekeeper = build_timekeeper(arena_on(store), partial(timekeeper_book, url), read_clock_ms)
        await stand_by(timekeeper, no_beat, Pace(look_every_s=0.01, stand_by_s=0.01))


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1]))
