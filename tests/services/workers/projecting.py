"""Doubles for projectors: a log read in small pages, both kinds of stores, desks that stop where told."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from enum import Enum
from typing import Any, TypeVar

import asyncpg
from msgspec import Struct

from domain.ids import LogPosition
from infra.event_store import StoredEvent
from infra.postgres.projection_store import split_labels
from infra.projection_store import Advance, Build, ProjectorDesk, StoredRow
from infra.store_faults import StoreUnavailable
from projections.released import AnyProjection
from services.workers.projector import ProjectorSources, Session
from services.workers.standby import Pace
from simulate.stores.projection_store import MemoryProjections, MemoryProjectorDesk
from tests.projections.games import MemoryLog, fold_whole, golden_games, interleave

T = TypeVar("T")
OpenDesk = Callable[[], AbstractAsyncContextManager[ProjectorDesk]]
Rows = dict[tuple[str, bytes], bytes]

READ_ROWS = """
select build, owner, place, labels, from_ms, body from projection_row
"""


class PagedLog(MemoryLog):
    """Gives a few events at a time, so that there are many steps to stop at."""

    def __init__(self, events: Sequence[StoredEvent], *, page: int) -> None:
        super().__init__(events)
        self._page = page

    async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]:
        return await super().read_log(after=after, limit=min(limit, self._page))


class Way(Enum):
    NOT_DONE = "not done"
    REPLY_LOST = "done, and the reply lost"
    UNDER_WAY = "stopped while it was done"
    CANCELLED = "cancelled before it was begun"


class BreakingDesk:
    """The real desk, until the call of that number; counts from 0. After that it is of no more use."""

    def __init__(self, desk: ProjectorDesk, *, breaks_at: int, way: Way) -> None:
        self._desk = desk
        self._left = breaks_at
        self._way = way

    async def list_builds(self) -> list[Build]:
        return await self._call(self._desk.list_builds())

    async def begin_missing(self, projection: str, version: int) -> None:
        await self._call(self._desk.begin_missing(projection, version))

    async def begin_another(self, projection: str, version: int) -> Build:
        return await self._call(self._desk.begin_another(projection, version))

    async def hold(self, build: Build) -> bool:
        return await self._call(self._desk.hold(build))

    async def read_states(self, build: Build, owners: Sequence[str]) -> dict[str, bytes]:
        return await self._call(self._desk.read_states(build, owners))

    async def advance(self, advance: Advance) -> None:
        await self._call(self._desk.advance(advance))

    async def swap(self, build: Build) -> bool:
        return await self._call(self._desk.swap(build))

    async def drop_some(self, build: Build) -> bool:
        return await self._call(self._desk.drop_some(build))

    async def _call(self, call: Awaitable[T]) -> T:
        self._left -= 1
        if self._left >= 0:
            return await call
        doing = asyncio.ensure_future(call)
        if self._way is Way.REPLY_LOST:
            await doing
        elif self._way is Way.UNDER_WAY:
            # As far as its first message to the server.
            await asyncio.sleep(0)
        doing.cancel()
        await asyncio.gather(doing, return_exceptions=True)
        raise asyncio.CancelledError if self._way is Way.CANCELLED else StoreUnavailable("cut by the test")


class Break(Struct, frozen=True):
    """After how many calls of a session it is stopped, and how."""

    calls: int
    way: Way


# Tests look soon, and take over soon.
QUICK = Pace(look_every_s=0.001, stand_by_s=0.01)


def sources_of(log: MemoryLog, open_desk: OpenDesk, *projections: AnyProjection) -> ProjectorSources:
    return ProjectorSources(log=log, open_desk=open_desk, projections=projections)


@asynccontextmanager
async def opened_session(sources: ProjectorSources) -> AsyncIterator[Session]:
    """Return a session that has begun and taken over as much as it can."""
    (projection,) = sources.projections
    async with sources.open_desk() as desk:
        session = Session(sources, desk, projection)
        await session.begin()
        await session.look_around()
        yield session


async def drain(session: Session) -> None:
    while await session.step():
        pass
    # Once more, as a build that has nothing left to read is swapped then.
    await session.step()


@asynccontextmanager
async def memory_desk(store: MemoryProjections) -> AsyncIterator[ProjectorDesk]:
    desk = MemoryProjectorDesk(store)
    try:
        yield desk
    finally:
        desk.close()


def expected_rows(projection: AnyProjection, log: MemoryLog) -> Rows:
    """Fold the log by itself, at once."""
    folded = fold_whole(projection, [event.body for event in log.events])
    return {key: spell(row) for key, row in folded.items()}


def memory_rows(store: MemoryProjections) -> dict[int, Rows]:
    """Give the rows of each build, every column of them."""
    return {build: {key: spell(row) for key, row in rows.items()} for build, rows in store.rows.items()}


async def postgres_rows(url: str) -> dict[int, Rows]:
    connection = await asyncpg.connect(url, server_settings={"search_path": "spina"})
    try:
        found: dict[int, Rows] = {}
        for row in await connection.fetch(READ_ROWS):
            stored = StoredRow(
                owner=str(row["owner"]),
                place=row["place"],
                labels=split_labels(row["labels"]),
                from_ms=row["from_ms"],
                body=row["body"],
            )
            found.setdefault(row["build"], {})[stored.owner, stored.place] = spell(stored)
    finally:
        await connection.close()
    return found


def spell(row: Any) -> bytes:
    """Write out everything that is stored of a row."""
    body: bytes = row.body
    return repr((row.owner, row.place, row.labels, row.from_ms)).encode() + body


def busy_log() -> PagedLog:
    """Give the same log in every process: golden games side by side, a page of it some milliseconds of folding."""
    return PagedLog(interleave(golden_games()), page=40)
