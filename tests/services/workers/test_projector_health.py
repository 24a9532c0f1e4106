"""What is said of a projector's health: as far as this process knows, and for all who look at the same rows."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import msgspec
import pytest

from domain.log.record import parse_at, parse_line
from infra.memory.projection_store import MemoryProjections
from infra.metrics import Metrics
from infra.postgres.connection import build_app_pool
from infra.postgres.worker_lag import read_worker_lag
from projections.lobby import LOBBY
from services.api.health import READY, Check, Probes, SharedHealth
from services.node.probes import PROJECTOR_LATE_S, projector_probe
from services.node.vitals import Vitals, list_projector_lags
from services.workers.projector import Projector, ProjectorSources
from tests.database import Database
from tests.infra.embedded.conditions import eventually
from tests.projections.games import golden_games, interleave
from tests.services.api.server import ready
from tests.services.ledger.ledger_harness import ORIGIN
from tests.services.workers.projecting import PagedLog, memory_desk, sources_of

EVENTS = interleave([golden_games()[1]])
FIRST_MS = parse_at(parse_line(EVENTS[0].body).at)
LATE_MS = FIRST_MS + PROJECTOR_LATE_S * 1_000


class Clock:
    def __init__(self) -> None:
        self.now_ms = FIRST_MS


def sources_on(store: MemoryProjections, clock: Clock) -> ProjectorSources:
    sources = sources_of(PagedLog(EVENTS, page=500), lambda: memory_desk(store), LOBBY)
    return msgspec.structs.replace(sources, now_ms=lambda: clock.now_ms)


@asynccontextmanager
async def working(projector: Projector) -> AsyncIterator[None]:
    """Let it work until it has said how far it is, and on while the block runs."""
    task = asyncio.create_task(projector.work(stand_by_s=0.01, look_every_s=0.001))
    try:
        await eventually(lambda: projector.lag() != ())
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def test_a_projector_that_keeps_up_is_ready_however_long_nothing_happens(clock: Clock) -> None:
    projector = Projector(sources_on(MemoryProjections(), clock))
    probe = projector_probe(projector, lambda: clock.now_ms)

    async with working(projector):
        await eventually(lambda: projector.lag()[0].events_behind == 0)
        clock.now_ms = 100 * LATE_MS
        found = await probe()

    assert found == READY


async def test_a_projection_that_nobody_advances_is_told_with_how_far_it_is_behind(clock: Clock) -> None:
    store = MemoryProjections()
    projector = Projector(sources_on(store, clock))
    probe = projector_probe(projector, lambda: clock.now_ms)
    async with memory_desk(store) as hanging:
        await hanging.begin_missing(LOBBY.name, LOBBY.version)
        assert await hanging.hold(store.builds[1])
        clock.now_ms = LATE_MS - 1
        early = await probe()
        clock.now_ms = LATE_MS
        async with working(projector):
            late = await probe()

    behind = f"the lobby is {len(EVENTS)} events behind, for {PROJECTOR_LATE_S} s"
    assert (early, late) == (READY, Check(status="unavailable", found=behind))


async def test_what_nobody_can_say_is_not_called_ready(clock: Clock) -> None:
    probe = projector_probe(Projector(sources_on(MemoryProjections(), clock)), lambda: clock.now_ms)
    clock.now_ms = LATE_MS

    found = await probe()

    assert found == Check(status="unavailable", found="nobody here can say how far the lobby is")


async def test_the_lag_of_each_projection_is_a_metric(clock: Clock, database: Database) -> None:
    projector, metrics = Projector(sources_on(MemoryProjections(), clock)), Metrics()
    health = SharedHealth(Probes(postgres=ready, redis=ready, migrations=ready))
    async with build_app_pool(database.app_url) as pool, working(projector):
        await eventually(lambda: projector.lag()[0].events_behind == 0)
        vitals = Vitals(
            health,
            partial(read_worker_lag, pool, ORIGIN),
            now_ms=lambda: clock.now_ms,
            others=list_projector_lags(projector),
        )
        vitals.show_in(metrics)
        await vitals.refresh()

    assert 'spina_worker_lag_events{worker="projector.lobby"} 0' in metrics.render()
    assert 'spina_worker_lag_seconds{worker="projector.lobby"} 0' in metrics.render()
