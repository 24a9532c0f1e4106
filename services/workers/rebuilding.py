"""Building a projection anew beside the one that is served, which goes on; when it has caught up, takes its place."""

import asyncio
from collections.abc import Callable

from domain.ids import LogPosition
from infra.projection_store import Build, ProjectorDesk
from projections.catalogue import AnyProjection
from services.workers.tail import PositionedLog, Tail

# How often whoever finds another process at it looks how far that has come.
LOOK_EVERY_S = 0.2

# Told after each step: how far the build is, and how far the log.
OnProgress = Callable[[LogPosition, LogPosition], None]


async def rebuild(
    log: PositionedLog, desk: ProjectorDesk, projection: AnyProjection, *, on_progress: OnProgress
) -> None:
    """Return when a new build is served. One that was begun and left is gone on with; one under way is waited for."""
    build = await desk.begin_another(projection.name, projection.version)
    while not await desk.hold(build):
        found = await _find(desk, build)
        if found is None or found.status != "building":
            return
        on_progress(found.position, await log.read_head())
        await asyncio.sleep(LOOK_EVERY_S)
    # Whoever held it before may have come further, or have finished it.
    found = await _find(desk, build)
    if found is None or found.status == "retired":
        return
    tail = Tail(log, desk, projection, found)
    while not (await _catch_up(tail, log, on_progress) and await desk.swap(tail.build)):
        pass
    await drop_retired(desk, projection)


async def drop_retired(desk: ProjectorDesk, projection: AnyProjection) -> None:
    """Delete what is no longer served, unless somebody else is about to."""
    for each in await desk.list_builds():
        if each.projection == projection.name and each.status == "retired" and await desk.hold(each):
            while await desk.drop_some(each):
                pass


async def _catch_up(tail: Tail, log: PositionedLog, on_progress: OnProgress) -> bool:
    while await tail.step():
        on_progress(tail.build.position, await log.read_head())
    return True


async def _find(desk: ProjectorDesk, build: Build) -> Build | None:
    return next((each for each in await desk.list_builds() if each.id == build.id), None)
