"""The workers' health: asked of what they stored, so that any process tells the truth about all of them."""

from functools import partial

import asyncpg
import pytest

from domain.log.record import parse_at
from infra.metrics import Metrics
from infra.postgres.clock_book import timekeeper_book
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.worker_lag import ReadLag, read_worker_lag
from services.api.health import READY, Check, Probes, SharedHealth, read_health
from services.ledger.notary_state import NotaryState
from services.node.probes import NOTARY_LATE_S, REFUSING, TIMEKEEPER_LATE_S, worker_probes
from services.node.vitals import Lag, Vitals
from tests.appends import AT, new_game, opening
from tests.database import Database
from tests.services.api.server import ready
from tests.services.ledger.ledger_harness import ORIGIN

LATE = Check(status="unavailable", found="late")
BEGUN_MS = parse_at(AT)


async def late() -> Check:
    return LATE


def lag_of(pool: asyncpg.Pool) -> ReadLag:
    return partial(read_worker_lag, pool, ORIGIN)


async def check(database: Database, worker: str, *, later_s: int, notary: NotaryState | None = None) -> Check:
    """Ask about a worker so long after a server has begun."""
    now_ms = [BEGUN_MS]
    async with build_app_pool(database.app_url) as pool:
        probe = worker_probes(lag_of(pool), lambda: now_ms[0], notary or NotaryState())[worker]
        now_ms[0] += later_s * 1_000
        return await probe()


@pytest.mark.parametrize(("later_s", "is_ready"), [(NOTARY_LATE_S - 1, True), (NOTARY_LATE_S, False)])
async def test_the_notary_is_late_when_an_event_is_not_in_the_ledger_for_long(
    database: Database, later_s: int, *, is_ready: bool
) -> None:
    async with open_event_store(database.app_url) as store:
        await store.append(opening(new_game(), 2))

    found = await check(database, "notary", later_s=later_s)

    late = Check(status="unavailable", found=f"2 events are under no checkpoint, for {later_s} s")
    assert found == (READY if is_ready else late)


async def test_a_notary_that_has_everything_is_ready_however_long_nothing_happens(database: Database) -> None:
    assert await check(database, "notary", later_s=100 * NOTARY_LATE_S) == READY


async def test_a_notary_that_refuses_is_not_ready_though_nothing_is_late(database: Database) -> None:
    assert await check(database, "notary", later_s=1, notary=NotaryState(is_refusing=True)) == REFUSING


@pytest.mark.parametrize(("later_s", "is_ready"), [(TIMEKEEPER_LATE_S - 1, True), (TIMEKEEPER_LATE_S, False)])
async def test_the_timekeeper_is_away_when_there_is_no_beat(
    database: Database, later_s: int, *, is_ready: bool
) -> None:
    async with timekeeper_book(database.app_url) as book:
        assert book is not None
        await book.beat(BEGUN_MS, absence_min_ms=3_000)

    found = await check(database, "timekeeper", later_s=later_s)

    away = Check(status="unavailable", found=f"nobody has kept the clocks for {later_s} s")
    assert found == (READY if is_ready else away)


async def test_a_database_that_is_away_is_told_for_its_workers_too(database: Database) -> None:
    async with build_app_pool(database.app_url) as pool:
        probes = worker_probes(lag_of(pool), lambda: BEGUN_MS, NotaryState())
    # The pool is closed by now.

    with pytest.raises(asyncpg.InterfaceError):
        await pool.acquire()
    assert (await probes["notary"]()).status == "unavailable"


@pytest.mark.parametrize(("worker", "status"), [(READY, "ok"), (LATE, "degraded")])
async def test_a_worker_that_is_late_degrades_the_server_and_keeps_it_ready(worker: Check, status: str) -> None:
    async def probe() -> Check:
        return worker

    health = await read_health(Probes(postgres=ready, redis=ready, migrations=ready, workers={"projections": probe}))

    assert (health.status, health.checks.workers) == (status, {"projections": worker})


async def test_metrics_show_parts_and_the_lag_of_every_worker(database: Database) -> None:
    metrics = Metrics()
    async with build_app_pool(database.app_url) as pool, open_event_store(database.app_url) as store:
        await store.append(opening(new_game(), 2))
        health = SharedHealth(
            Probes(postgres=ready, redis=ready, migrations=ready, workers={"notary": ready, "projector": late})
        )
        others = {"lobby": lambda: Lag(events=3, seconds=0.5), "players": lambda: None}
        vitals = Vitals(health, lag_of(pool), now_ms=lambda: BEGUN_MS + 4_000, others=others)
        vitals.show_in(metrics)
        before = metrics.render()
        await vitals.refresh()

    shown = metrics.render()
    assert "{" not in before
    assert 'spina_up{part="postgres"} 1' in shown
    assert 'spina_worker_ready{worker="notary"} 1' in shown
    assert 'spina_worker_ready{worker="projector"} 0' in shown
    assert 'spina_worker_lag_events{worker="notary"} 2' in shown
    assert 'spina_worker_lag_seconds{worker="notary"} 4' in shown
    assert 'spina_worker_lag_events{worker="lobby"} 3' in shown
    assert 'worker="players"' not in shown
    assert not any(line.startswith("spina_timekeeper_beat_age_seconds") for line in shown.splitlines())
