"""Building a projection anew beside the one that is served, which goes on; when it has caught up, takes its place."""

import asyncio
from collections.abc import Callable

import msgspec

from domain.ids import LogPosition
from infra.projection_store import Build, BuildMoved, ProjectorDesk
from projections.released import AnyProjection
from services.workers.tail import PositionedLog, Tail

# A process that finds another one at work looks at its progress this often.
LOOK_EVERY_S = 0.2

# Told after each step: how far the build is, and how far the log.
OnProgress = Callable[[LogPosition, LogPosition], None]


async def rebuild(
    log: PositionedLog, desk: ProjectorDesk, projection: AnyProjection, *, on_progress: OnProgress
) -> Build:
    """Return a new build when it is served. One that was begun and left is gone on with, one under way waited for.

    Raises BuildMoved where a later release serves another, and StoreUnavailable.
    """
    build = await desk.begin_another(projection.name, projection.version)
    while not await desk.hold(build):
        build = await _find(desk, build)
        if build.status != "building":
            return build
        on_progress(build.position, await log.read_head())
        await asyncio.sleep(LOOK_EVERY_S)
    # The process that held it before may have come further, or have finished it.
    tail = Tail(log, desk, projection, await _find(desk, build))
    await _catch_up(tail, log, on_progress)
    while not await desk.swap(tail.build):
        # The live one has moved on meanwhile, or a later release serves another.
        if (await _find(desk, tail.build)).status == "retired":
            raise BuildMoved(tail.build)
        await _catch_up(tail, log, on_progress)
    await drop_retired(desk, projection)
    return await _find(desk, tail.build)


async def drop_retired(desk: ProjectorDesk, projection: AnyProjection) -> None:
    """Delete builds that are no longer served, unless another process is about to."""
    for each in await desk.list_builds():
        if each.projection == projection.name and each.status == "retired" and await desk.hold(each):
            while await desk.drop_some(each):
                pass


async def _catch_up(tail: Tail, log: PositionedLog, on_progress: OnProgress) -> None:
    while await tail.step():
        on_progress(tail.build.position, await log.read_head())


async def _find(desk: ProjectorDesk, build: Build) -> Build:
    """Return the build as it is now; one that was dropped meanwhile is retired."""
    found = next((each for each in await desk.list_builds() if each.id == build.id), None)
    return msgspec.structs.replace(build, status="retired") if found is None else found
