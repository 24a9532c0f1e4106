"""A projector stopped anywhere, in every way, or killed: the finished build equals the live one, byte for byte."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.postgres.connection import build_app_pool
from infra.postgres.projection_store import PostgresProjections, projector_desk
from infra.postgres.queries import Queries
from infra.projection_store import BuildMoved
from infra.store_faults import StoreUnavailable
from projections.players import PLAYERS
from projections.released import PROJECTIONS, AnyProjection
from services.workers.projector import Session, rebuild
from simulate.stores.projection_store import MemoryProjections
from tests.database import Database
from tests.projections.games import interleave, random_games
from tests.services.killable import killable_process
from tests.services.workers.projecting import (
    Break,
    BreakingDesk,
    OpenDesk,
    PagedLog,
    Rows,
    Way,
    busy_log,
    drain,
    expected_rows,
    memory_desk,
    memory_rows,
    opened_session,
    postgres_rows,
    sources_of,
)

SEED = 20261118
KILLS = 8
PATIENCE_S = 30.0
LOG = PagedLog(interleave(random_games(3)), page=60)
# Calls of a whole run: a session to the end of the log, and a rebuild.
CALLS = 40

breaks = st.lists(st.builds(Break, st.integers(0, CALLS), st.sampled_from(Way)), max_size=6)


async def keep_and_rebuild(open_desk: OpenDesk, projection: AnyProjection, breaks: Sequence[Break]) -> None:
    """Catch up, then build anew; stopped and begun again as it is told, and left alone in the end."""
    for seconds in breaks:
        with suppress(StoreUnavailable, BuildMoved, asyncio.CancelledError):
            async with open_desk() as real:
                desk = BreakingDesk(real, breaks_at=seconds.calls, way=seconds.way)
                session = Session(sources_of(LOG, open_desk, projection), desk, projection)
                await session.begin()
                await session.look_around()
                while await session.step():
                    pass
                await rebuild(LOG, desk, projection, on_progress=lambda *_: None)
    async with opened_session(sources_of(LOG, open_desk, projection)) as session:
        await drain(session)


def differing(found: dict[int, Rows], expected: Rows) -> list[int]:
    """List the builds whose rows are others than they should be."""
    return [build for build, rows in found.items() if rows != expected]


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
@settings(max_examples=40, deadline=None)
@given(breaks=breaks)
def test_wherever_it_is_stopped_every_build_comes_to_the_same(projection: Any, breaks: list[Break]) -> None:
    store = MemoryProjections()

    asyncio.run(keep_and_rebuild(lambda: memory_desk(store), projection, breaks))

    in_use = {build.id for build in store.builds.values() if build.status != "retired"}
    assert in_use
    assert {build.position for build in store.builds.values() if build.id in in_use} == {len(LOG.events)}
    assert differing({build: memory_rows(store)[build] for build in in_use}, expected_rows(projection, LOG)) == []


@pytest.mark.parametrize("way", Way)
async def test_whichever_call_to_postgres_breaks_rows_and_position_agree(database: Database, way: Way) -> None:
    def open_desk() -> Any:
        return projector_desk(database.app_url)

    await keep_and_rebuild(open_desk, PLAYERS, [Break(calls, way) for calls in range(0, CALLS, 3)])

    async with build_app_pool(database.app_url) as pool:
        builds = await PostgresProjections(Queries(pool)).list_builds()
    in_use = {build.id for build in builds if build.status != "retired"}
    found = await postgres_rows(database.owner_url)
    assert {build.position for build in builds if build.id in in_use} == {len(LOG.events)}
    assert differing({build: found[build] for build in in_use}, expected_rows(PLAYERS, LOG)) == []


async def wait_for_steps(projections: PostgresProjections, count: int) -> None:
    """Wait until the builds have been advanced, swapped or begun that often."""
    seen, changes = None, 0
    async with asyncio.timeout(PATIENCE_S):
        while changes < count:
            builds = await projections.list_builds()
            changes += builds != seen
            seen = builds


async def test_a_projector_killed_at_any_moment_leaves_what_can_be_gone_on_with(database: Database) -> None:
    random = Random(SEED)  # noqa: S311 - a seed that can be repeated
    log = busy_log()
    async with build_app_pool(database.app_url) as pool:
        projections = PostgresProjections(Queries(pool))
        for _ in range(KILLS):
            async with killable_process("workers.projector_process", database.app_url):
                # Killed at another place of its work each time.
                await wait_for_steps(projections, random.randrange(2, 60))
        async with opened_session(sources_of(log, lambda: projector_desk(database.app_url), PLAYERS)) as session:
            await drain(session)
        async with projector_desk(database.app_url) as desk:
            await rebuild(log, desk, PLAYERS, on_progress=lambda *_: None)

        (live,) = [build for build in await projections.list_builds() if build.status == "live"]
    assert live.id > KILLS // 2
    assert (await postgres_rows(database.owner_url))[live.id] == expected_rows(PLAYERS, log)
