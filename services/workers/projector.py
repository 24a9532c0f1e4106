"""Keeps the projections of a process's release up to date: whoever holds a build's lock advances it, the others wait.

A projection whose stored version is an earlier one than the code's is built anew beside it, while that is served on.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import asyncpg
import structlog
from msgspec import Struct

from domain.log.record import parse_at, parse_line
from infra.postgres.connection import CONNECTION_LOST
from infra.projection_store import Build, BuildMoved, ProjectorDesk
from infra.store_faults import StoreUnavailable
from projections.catalogue import PROJECTIONS, AnyProjection
from services.workers.at_work import at_work
from services.workers.tail import PositionedLog, Tail

log = structlog.get_logger()

# An event is in the projections about this much after its commit.
LOOK_EVERY_S = 0.2
# How long a projector that died is missed, and how often lag is measured and what is no longer served is deleted.
STAND_BY_S = 2.0
# What only a mistake of ours can cause is told, and tried again in case somebody has mended it.
FAILED_PAUSE_S = 30.0

# What the world does: the next session begins from what is stored.
PASSING = (StoreUnavailable, asyncpg.PostgresError, *CONNECTION_LOST)


class Lag(Struct, frozen=True, kw_only=True):
    """How far what is served of a projection is behind the log, whoever advances it."""

    projection: str
    events_behind: int
    seconds_behind: float


class ProjectorSources(Struct, frozen=True, kw_only=True):
    """What a projector works with. `open_desk` gives a connection of its own."""

    log: PositionedLog
    open_desk: Callable[[], AbstractAsyncContextManager[ProjectorDesk]]
    now_ms: Callable[[], int]
    projections: Sequence[AnyProjection] = PROJECTIONS


class Pace(Struct, frozen=True, kw_only=True):
    """How often what repeats is repeated; tests do not wait so long."""

    stand_by_s: float
    look_every_s: float


class Session:
    """What one connection holds of one projection. After any exception it is over."""

    def __init__(self, sources: ProjectorSources, desk: ProjectorDesk, projection: AnyProjection) -> None:
        self._sources = sources
        self._desk = desk
        self._projection = projection
        self._tails: dict[int, Tail] = {}

    @property
    def is_acting(self) -> bool:
        """Say whether it advances anything."""
        return bool(self._tails)

    async def begin(self) -> None:
        """Begin what this release has and the store has not."""
        await self._desk.begin_missing(self._projection.name, self._projection.version)

    async def look_around(self) -> None:
        """Take over what nobody advances, and delete some of what is no longer served."""
        builds = await self._list_builds()
        in_use = {build.id for build in builds if build.status != "retired"}
        self._tails = {number: tail for number, tail in self._tails.items() if number in in_use}
        for build in builds:
            if build.status == "retired":
                if await self._desk.hold(build):
                    await self._desk.drop_some(build)
            elif build.version == self._projection.version and build.id not in self._tails:
                await self._take_over(build)

    async def step(self) -> int:
        """Advance every build that is ours by one step, and say how many events there were."""
        count = 0
        for number, tail in list(self._tails.items()):
            try:
                count += await self._advance(tail)
            except BuildMoved:
                # Another build is served now, or somebody else has been here: what is stored says which.
                self._tails.pop(number, None)
        return count

    async def follow(self, pace: Pace) -> None:
        """Go on for a while."""
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + pace.stand_by_s
        while loop.time() < deadline_s:
            if await self.step() == 0:
                await asyncio.sleep(pace.look_every_s)

    async def measure_lag(self) -> Lag | None:
        """Compare what is served with the end of the log; None where nothing is served."""
        head = await self._sources.log.read_head()
        live = next((build for build in await self._list_builds() if build.status == "live"), None)
        if live is None:
            return None
        unread = await self._sources.log.read_log(after=live.position, limit=1) if live.position < head else []
        # Of a clock that was moved back nothing is told.
        behind_ms = max(0, self._sources.now_ms() - parse_at(parse_line(unread[0].body).at)) if unread else 0
        behind = max(0, head - live.position)
        return Lag(projection=self._projection.name, events_behind=behind, seconds_behind=behind_ms / 1000)

    async def _advance(self, tail: Tail) -> int:
        count = await tail.step()
        if count == 0 and tail.build.status == "building" and await self._desk.swap(tail.build):
            log.info("projection_swapped", projection=tail.build.projection, version=tail.build.version)
            self._tails.pop(tail.build.id)
            await self.look_around()
        return count

    async def _take_over(self, build: Build) -> None:
        if not await self._desk.hold(build):
            return
        # What was listed before the lock was ours may have moved since.
        for found in await self._list_builds():
            if found.id == build.id and found.status != "retired":
                self._tails[build.id] = Tail(self._sources.log, self._desk, self._projection, found)

    async def _list_builds(self) -> list[Build]:
        return [build for build in await self._desk.list_builds() if build.projection == self._projection.name]


class Projector:
    """One for each process. Its projections know nothing of each other: what stops one does not stop the rest."""

    def __init__(self, sources: ProjectorSources) -> None:
        self._sources = sources
        self._lag: dict[str, Lag] = {}

    @property
    def projections(self) -> Sequence[AnyProjection]:
        return self._sources.projections

    def lag(self) -> tuple[Lag, ...]:
        """Return what was measured some seconds ago at most; without what this process cannot say at the moment."""
        return tuple(self._lag[name] for name in sorted(self._lag))

    def find_lag(self, projection: str) -> Lag | None:
        return self._lag.get(projection)

    async def work(self, *, stand_by_s: float = STAND_BY_S, look_every_s: float = LOOK_EVERY_S) -> None:
        """Advance whatever nobody else does. Ends by being cancelled."""
        pace = Pace(stand_by_s=stand_by_s, look_every_s=look_every_s)
        async with asyncio.TaskGroup() as tasks:
            for projection in self._sources.projections:
                tasks.create_task(self._keep(projection, pace))

    async def _keep(self, projection: AnyProjection, pace: Pace) -> None:
        while True:
            pause_s = pace.stand_by_s
            try:
                async with self._sources.open_desk() as desk:
                    await self._hold(Session(self._sources, desk, projection), pace)
            except PASSING as fault:
                log.warning("projector_interrupted", projection=projection.name, reason=f"{fault}")
            except Exception:
                # The outermost loop: a bug of ours is told, and the next session begins from what is stored.
                log.exception("projector_failed", projection=projection.name)
                pause_s = FAILED_PAUSE_S
            # Nobody here knows any more how far behind it is.
            self._lag.pop(projection.name, None)
            await asyncio.sleep(pause_s)

    async def _hold(self, session: Session, pace: Pace) -> None:
        await session.begin()
        while True:
            await session.look_around()
            lag = await session.measure_lag()
            if lag is not None:
                self._lag[lag.projection] = lag
            await session.follow(pace)


@asynccontextmanager
async def projector_at_work(sources: ProjectorSources) -> AsyncIterator[Projector]:
    """Keep the projections while the block runs."""
    projector = Projector(sources)
    async with at_work(projector.work(), name="projector"):
        yield projector
