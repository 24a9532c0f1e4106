"""The workers' health: read from their stored heartbeats, so that any process reports the truth about all of them."""

import asyncpg
import pytest

from domain.log.record import parse_at
from infra.metrics import Metrics
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.projection_store import projector_desk
from infra.postgres.worker_signs import Signs
from projections.lobby import LOBBY
from services.api.http.health import READY, Check, Probes, SharedHealth, read_health
from services.node.metrics import Vitals
from services.node.probes import NO_CONNECTION, workers_probe
from services.workers.kinds import LATE_S, NOTARY, WORKERS, WorkerKind, list_worker_names
from tests.appends import AT, new_game, opening
from tests.database import Database
from tests.services.api.server import KEY, ready
from tests.services.ledger.ledger_harness import ORIGIN

LATE = Check(status="unavailable", found="late")
BEGUN_MS = parse_at(AT)


def signs_of(pool: asyncpg.Pool) -> Signs:
    return Signs(pool, ORIGIN, KEY)


async def check(database: Database, worker: str, *, later_s: int, has_heartbeat: bool = True) -> Check:
    """Ask about a worker so long after a server has begun."""
    now_ms = [BEGUN_MS]
    async with build_app_pool(database.app_url) as pool:
        probe = workers_probe(signs_of(pool).read, lambda: now_ms[0])
        now_ms[0] += later_s * 1_000
        if has_heartbeat:
            await signs_of(pool).beat(worker, now_ms[0])
        return (await probe())[worker]


async def begin_lobby(database: Database) -> None:
    async with projector_desk(database.app_url) as desk:
        await desk.begin_missing(LOBBY.name, LOBBY.version)


@pytest.mark.parametrize("kind", WORKERS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("is_late", [False, True])
async def test_a_worker_without_a_heartbeat_is_away(database: Database, kind: WorkerKind, *, is_late: bool) -> None:
    later_s = kind.late_s - 1 + is_late

    found = await check(database, kind.names[0], later_s=later_s, has_heartbeat=False)

    away = Check(status="unavailable", found=f"no heartbeat for {later_s} s; the logs say why")
    assert found == (away if is_late else READY)


async def test_a_heartbeat_of_the_future_is_no_sign_of_life(database: Database) -> None:
    async with build_app_pool(database.app_url) as pool:
        await signs_of(pool).beat("steward", BEGUN_MS + 86_400_000)
        found = (await workers_probe(signs_of(pool).read, lambda: BEGUN_MS)())["steward"]

    assert found == Check(status="unavailable", found="its heartbeat is 86400 s in the future")


@pytest.mark.parametrize(
    ("name", "late_s"), [("notary", NOTARY.late_s), ("archivist", LATE_S), ("projector.lobby", LATE_S)]
)
@pytest.mark.parametrize("is_ready", [True, False])
async def test_a_worker_is_late_when_an_event_is_unread_for_long(
    database: Database, name: str, late_s: int, *, is_ready: bool
) -> None:
    later_s = late_s - is_ready
    await begin_lobby(database)
    async with open_event_store(database.app_url) as store:
        await store.append(opening(new_game(), 2))

    found = await check(database, name, later_s=later_s)

    late = Check(status="unavailable", found=f"2 events behind, for {later_s} s")
    assert found == (READY if is_ready else late)


@pytest.mark.parametrize("name", list_worker_names())
async def test_a_worker_that_has_read_everything_is_ready_however_long_nothing_happens(
    database: Database, name: str
) -> None:
    await begin_lobby(database)

    assert await check(database, name, later_s=100 * LATE_S) == READY


async def test_a_database_that_is_away_is_told_for_its_workers_too(database: Database) -> None:
    async with build_app_pool(database.app_url) as pool:
        probe = workers_probe(signs_of(pool).read, lambda: BEGUN_MS)
    # The pool is closed by now.

    with pytest.raises(asyncpg.InterfaceError):
        await pool.acquire()
    assert await probe() == dict.fromkeys(list_worker_names(), NO_CONNECTION)


@pytest.mark.parametrize(("worker", "status"), [(READY, "ok"), (LATE, "degraded")])
async def test_a_worker_that_is_late_degrades_the_server_and_keeps_it_ready(worker: Check, status: str) -> None:
    async def probe() -> dict[str, Check]:
        return {"steward": worker}

    health = await read_health(Probes(postgres=ready, redis=ready, migrations=ready, workers=probe))

    assert (health.status, health.checks.workers) == (status, {"steward": worker})


async def test_metrics_show_parts_and_the_signs_of_every_worker(database: Database) -> None:
    metrics = Metrics()

    async def probe() -> dict[str, Check]:
        return dict.fromkeys(list_worker_names(), READY) | {"steward": LATE}

    async with build_app_pool(database.app_url) as pool, open_event_store(database.app_url) as store:
        await begin_lobby(database)
        await store.append(opening(new_game(), 2))
        await signs_of(pool).beat("steward", BEGUN_MS + 1_000)
        await signs_of(pool).beat("of a later release", BEGUN_MS)
        health = SharedHealth(Probes(postgres=ready, redis=ready, migrations=ready, workers=probe))
        vitals = Vitals(health, signs_of(pool).read, now_ms=lambda: BEGUN_MS + 4_000)
        vitals.show_in(metrics)
        before = metrics.render()
        await vitals.refresh()

    shown = metrics.render().splitlines()
    assert "{" not in before
    assert 'spina_up{part="postgres"} 1' in shown
    ready_lines = [line for line in shown if line.startswith("spina_worker_ready{")]
    assert [line.endswith("0") for line in ready_lines] == ['"steward"' in line for line in ready_lines]
    assert len(ready_lines) == len(list_worker_names())
    for worker in ("notary", "archivist", "timekeeper", "projector.lobby"):
        assert f'spina_worker_lag_events{{worker="{worker}"}} 2' in shown
        assert f'spina_worker_lag_seconds{{worker="{worker}"}} 4' in shown
    assert [line for line in shown if line.startswith("spina_worker_heartbeat_age_seconds{")] == [
        'spina_worker_heartbeat_age_seconds{worker="steward"} 3'
    ]
