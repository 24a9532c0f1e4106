"""A process that keeps a projection and builds it anew all the time: `python -m …projector_process URL`."""

import asyncio
import sys

from infra.postgres.projection_store import projector_desk
from projections.players import PLAYERS
from services.workers.projector import build_projector, rebuild
from services.workers.standby import Pace, stand_by
from tests.services.heartbeats import no_beat
from tests.services.workers.projecting import busy_log, sources_of


async def run(url: str) -> None:
    log = busy_log()
    (projector,) = build_projector(sources_of(log, lambda: projector_desk(url), PLAYERS))
    print("up", flush=True)  # noqa: T201 - the test waits for it
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stand_by(projector, no_beat, Pace(stand_by_s=0.05, look_every_s=0.01)))
        tasks.create_task(rebuild_for_ever(url))


async def rebuild_for_ever(url: str) -> None:
    while True:
        async with projector_desk(url) as desk:
            await rebuild(busy_log(), desk, PLAYERS, on_progress=lambda *_: None)
        await asyncio.sleep(0)


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1]))
