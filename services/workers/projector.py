"""The projector: advances the projections of a process's release. The session with a build's lock advances that build.

A projection whose stored version is an earlier one than the code's is built anew beside it, while served on. No
state is kept besides the store, so that after any stop the next session continues from there.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Protocol

import msgspec
import structlog
from msgspec import Struct

from domain.ids import LogPosition
from domain.log.record import Line, parse_line
from infra.event_store import StoredEvent
from infra.projection_store import Advance, Build, BuildMoved, ProjectorDesk
from infra.recent import Recent
from projections.folding import Versioned, decode_state, fold
from projections.released import PROJECTIONS, AnyProjection
from services.workers.kinds import PROJECTOR
from services.workers.standby import Step, Worker

# Events of one step: some ten milliseconds of folding, in which the process answers no request.
STEP_EVENTS_MAX = 500
# States kept between steps, a kilobyte or less each: as many as there are games played at once on a busy server.
STATES_MAX = 5_000

# A process that finds another one at work looks at its progress this often.
LOOK_EVERY_S = 0.2
# Called after each step: how far the build is, and how far the log.
OnProgress = Callable[[LogPosition, LogPosition], None]
log = structlog.get_logger()
# How long a build without a projector is missed, and how often rows that are no longer served are deleted.
LOOK_AROUND_EVERY_S = 2.0


class PositionedLog(Protocol):
    """The log as it is read, in the order of commits."""

    async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]: ...

    async def read_head(self) -> LogPosition: ...


class Tail:
    """Good until an exception; then another one begins from the store."""

    def __init__(self, log: PositionedLog, desk: ProjectorDesk, projection: AnyProjection, build: Build) -> None:
        assert build.version == projection.version, f"{build} is not of {projection.name} {projection.version}"
        self._log = log
        self._desk = desk
        self._projection = projection
        self._states: Recent[str, Versioned] = Recent(STATES_MAX)
        self.build = build

    async def step(self, *, limit: int = STEP_EVENTS_MAX) -> int:
        """Take in the next events and state how many there were. Raises BuildMoved and StoreUnavailable."""
        events = await self._log.read_log(after=self.build.position, limit=limit)
        if not events:
            return 0
        lines = [parse_line(event.body) for event in events]
        folded = fold(self._projection, await self._read_states(lines), lines)
        position = events[-1].position
        await self._desk.advance(Advance(build=self.build, position=position, rows=folded.rows))
        self.build = msgspec.structs.replace(self.build, position=position)
        for game, state in folded.states.items():
            self._states.keep(game, state)
        return len(events)

    async def _read_states(self, lines: list[Line]) -> dict[str, Versioned]:
        games: set[str] = {line.stream for line in lines}
        known = {game: state for game in games if (state := self._states.find(game)) is not None}
        # A game that begins with these lines has no state yet.
        missing = sorted(games - known.keys() - {line.stream for line in lines if line.version == 1})
        if not missing:
            return known
        stored = await self._desk.read_states(self.build, missing)
        return known | {game: decode_state(self._projection, body) for game, body in stored.items()}


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
    for build in await desk.list_builds():
        if build.projection == projection.name and build.status == "retired" and await desk.hold(build):
            while await desk.drop_some(build):
                pass


async def _catch_up(tail: Tail, log: PositionedLog, on_progress: OnProgress) -> None:
    while await tail.step():
        on_progress(tail.build.position, await log.read_head())


async def _find(desk: ProjectorDesk, build: Build) -> Build:
    """Return the build as it is now; one that was dropped meanwhile is retired."""
    found = next((each for each in await desk.list_builds() if each.id == build.id), None)
    return msgspec.structs.replace(build, status="retired") if found is None else found


class ProjectorSources(Struct, frozen=True, kw_only=True):
    """`open_desk` gives a connection of its own."""

    log: PositionedLog
    open_desk: Callable[[], AbstractAsyncContextManager[ProjectorDesk]]
    projections: Sequence[AnyProjection] = PROJECTIONS


class Session:
    """A session of one projection on one connection. After any exception it is over."""

    def __init__(self, sources: ProjectorSources, desk: ProjectorDesk, projection: AnyProjection) -> None:
        self._sources = sources
        self._desk = desk
        self._projection = projection
        self._tails: dict[int, Tail] = {}
        self._look_around_at_s = 0.0

    @property
    def is_acting(self) -> bool:
        """Return whether it advances anything."""
        return bool(self._tails)

    async def begin(self) -> None:
        """Begin builds that this release has and the store has not."""
        await self._desk.begin_missing(self._projection.name, self._projection.version)

    async def look_around(self) -> None:
        """Take over builds that no process advances, and delete some that are no longer served."""
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
        """Advance every build that is ours by one step, and state how many events there were."""
        count = 0
        for number, tail in list(self._tails.items()):
            try:
                count += await self._advance(tail)
            except BuildMoved:
                # Another build is served now, or another process was here: the store states which.
                self._tails.pop(number, None)
        return count

    async def keep_up(self) -> int:
        """Look around from time to time, and advance. Raises the faults of the store."""
        now_s = asyncio.get_running_loop().time()
        if now_s >= self._look_around_at_s:
            self._look_around_at_s = now_s + LOOK_AROUND_EVERY_S
            await self.look_around()
        return await self.step()

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
        # Builds listed before the lock was ours may have moved since.
        for found in await self._list_builds():
            if found.id == build.id and found.status != "retired":
                self._tails[build.id] = Tail(self._sources.log, self._desk, self._projection, found)

    async def _list_builds(self) -> list[Build]:
        return [build for build in await self._desk.list_builds() if build.projection == self._projection.name]


def build_projector(sources: ProjectorSources) -> list[Worker]:
    """Build a worker for each projection: a fault of one does not stop the others."""
    return [
        Worker(name=f"{PROJECTOR.name}.{projection.name}", open=partial(_open_session, sources, projection))
        for projection in sources.projections
    ]


@asynccontextmanager
async def _open_session(sources: ProjectorSources, projection: AnyProjection) -> AsyncIterator[Step]:
    async with sources.open_desk() as desk:
        session = Session(sources, desk, projection)
        await session.begin()
        yield session.keep_up
