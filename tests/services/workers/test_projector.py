"""A projector's sessions: one advances a build, the next takes over, and a new version is built beside the old one."""

import asyncio
from typing import Any

import msgspec
import pytest

from domain.ids import LogPosition
from projections.folding import Marks
from projections.lobby import LOBBY
from projections.players import PLAYERS
from projections.released import PROJECTIONS
from services.workers.projector import ProjectorSources, build_projector, rebuild
from services.workers.standby import standing_by
from simulate.stores.projection_store import MemoryProjections
from tests.projections.games import golden_games, interleave, random_games
from tests.services.heartbeats import no_beat
from tests.services.workers.projecting import (
    QUICK,
    PagedLog,
    drain,
    expected_rows,
    memory_desk,
    memory_rows,
    opened_session,
    sources_of,
)

EVENTS = interleave([golden_games()[1], *random_games(4)])
PATIENCE_S = 20.0
# The same fold, but for how its rows are looked up.
LATER_LOBBY = msgspec.structs.replace(LOBBY, version=LOBBY.version + 1, mark=lambda _game: Marks(labels=("second",)))


@pytest.fixture
def store() -> MemoryProjections:
    return MemoryProjections()


def sources_on(store: MemoryProjections, *projections: Any, events: Any = EVENTS, page: int = 100) -> ProjectorSources:
    return sources_of(PagedLog(events, page=page), lambda: memory_desk(store), *projections)


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
async def test_a_session_brings_a_projection_to_the_end_of_the_log(store: MemoryProjections, projection: Any) -> None:
    sources = sources_on(store, projection)

    async with opened_session(sources) as session:
        await drain(session)

    assert memory_rows(store)[1] == expected_rows(projection, PagedLog(EVENTS, page=1))
    assert store.builds[1].position == len(EVENTS)


async def test_one_session_acts_and_the_next_goes_on_where_it_stopped(store: MemoryProjections) -> None:
    sources = sources_on(store, LOBBY)
    async with opened_session(sources) as first:
        await first.step()
        async with opened_session(sources) as second:
            idle = await second.step()
        at = store.builds[1].position
    async with opened_session(sources) as third:
        await drain(third)

    assert (idle, at) == (0, 100)
    assert memory_rows(store)[1] == expected_rows(LOBBY, PagedLog(EVENTS, page=1))


async def test_a_new_version_is_built_while_the_old_one_is_served(store: MemoryProjections) -> None:
    async with opened_session(sources_on(store, LOBBY)) as old:
        await drain(old)
        async with opened_session(sources_on(store, LATER_LOBBY)) as new:
            await new.step()
            served_meanwhile = [build.status for build in store.builds.values()]
            await drain(new)
        refused = await old.step()

    assert served_meanwhile == ["live", "building"]
    assert refused == 0
    assert [(build.version, build.status) for build in store.builds.values()][-1] == (LATER_LOBBY.version, "live")
    assert memory_rows(store)[2] == expected_rows(LATER_LOBBY, PagedLog(EVENTS, page=1))


async def test_an_earlier_release_leaves_what_a_later_one_serves(store: MemoryProjections) -> None:
    async with opened_session(sources_on(store, LATER_LOBBY)) as new:
        await drain(new)

    async with opened_session(sources_on(store, LOBBY)) as old:
        await drain(old)

    assert [(build.version, build.status) for build in store.builds.values()] == [(LATER_LOBBY.version, "live")]


async def test_what_is_no_longer_served_is_deleted(store: MemoryProjections) -> None:
    async with opened_session(sources_on(store, LOBBY)) as session:
        await drain(session)
        async with memory_desk(store) as desk:
            await rebuild(PagedLog(EVENTS, page=500), desk, LOBBY, on_progress=lambda *_: None)
        await session.look_around()
        await session.look_around()

    assert [build.id for build in store.builds.values()] == [2]
    assert memory_rows(store).keys() == {2}


async def test_a_rebuild_gives_the_same_bytes_and_tells_how_far_it_is(store: MemoryProjections) -> None:
    told: list[tuple[LogPosition, LogPosition]] = []
    async with opened_session(sources_on(store, PLAYERS)) as session:
        await drain(session)
        live = memory_rows(store)[1]

    async with memory_desk(store) as desk:
        log = PagedLog(EVENTS, page=100)
        await rebuild(log, desk, PLAYERS, on_progress=lambda at, head: told.append((at, head)))

    assert memory_rows(store) == {2: live}
    assert [at for at, _ in told] == [min(100 * step, len(EVENTS)) for step in range(1, len(told) + 1)]
    assert {head for _, head in told} == {len(EVENTS)}


async def test_a_rebuild_that_was_left_is_gone_on_with(store: MemoryProjections) -> None:
    class Left(Exception):
        pass

    def leave(at: LogPosition, _head: LogPosition) -> None:
        if at == 300:
            raise Left

    log = PagedLog(EVENTS, page=100)
    async with opened_session(sources_on(store, LOBBY)) as session:
        await drain(session)
    async with memory_desk(store) as desk:
        with pytest.raises(Left):
            await rebuild(log, desk, LOBBY, on_progress=leave)
    first: list[LogPosition] = []

    async with memory_desk(store) as desk:
        await rebuild(log, desk, LOBBY, on_progress=lambda at, _head: first.append(at))

    assert first[0] == 400
    assert memory_rows(store) == {2: expected_rows(LOBBY, log)}


class FailingLog(PagedLog):
    """Fails the first times it is asked."""

    failures = 2

    async def read_log(self, *, after: LogPosition, limit: int) -> Any:
        if self.failures:
            self.failures -= 1
            raise OSError("cut by the test")
        return await super().read_log(after=after, limit=limit)


async def test_a_projector_survives_what_the_world_does_and_follows_all_projections(store: MemoryProjections) -> None:
    log = FailingLog(EVENTS, page=500)
    workers = build_projector(sources_of(log, lambda: memory_desk(store), *PROJECTIONS))

    async with asyncio.timeout(PATIENCE_S), standing_by(workers, no_beat, QUICK):
        ends = [len(EVENTS)] * len(PROJECTIONS)
        while [build.position for build in store.builds.values()] != ends:  # noqa: ASYNC110 - it is measured
            await asyncio.sleep(0)

    assert store.locks == {}
    for build in store.builds.values():
        projection = next(projection for projection in PROJECTIONS if projection.name == build.projection)
        assert memory_rows(store)[build.id] == expected_rows(projection, log)
