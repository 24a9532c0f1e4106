"""Health: the answer to a load balancer, with each part there, away, or hanging."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import msgspec
import pytest
from httpx2 import ASGITransport, AsyncClient, Response
from litestar import Litestar
from redis.asyncio import Redis

from infra.postgres.connection import build_app_pool
from infra.redis.client import build_redis
from infra.store_faults import StoreUnavailable
from infra.version import VERSION
from services.api.app import build_app
from services.api.http.health import READY, SHARED_S, Check, Health, Probe, Probes, SharedHealth, read_health
from services.commands.arena import Arena
from services.node.probes import build_probes, disk_probe, redis_probe
from simulate.stores.announcer import MemoryAnnouncer
from simulate.stores.event_store import MemoryEventStore
from tests.database import Database, with_database
from tests.domain.game.game_harness import CATALOGUE, opening
from tests.services.api.server import VAULT, memory_parts
from tests.services.commands.test_arena import BreakingStore, arena_on

AWAY = Check(status="unavailable", found="no connection")
# Of the app's role in this database; a statement that has ended leaves its connection in the pool.
CONNECTIONS = "select count(*) from pg_stat_activity where usename = 'spina_app' and datname = current_database()"
# Nothing listens there: port 1 is reserved and never used.
NOWHERE_REDIS = "redis://127.0.0.1:1/0"


async def ask(app: Litestar, path: str) -> Response:
    """One request in the loop of the test, where the pools are open."""
    # The two packages write the same protocol with types of their own.
    transport = ASGITransport(app=app)  # type: ignore[arg-type]  # see above
    async with AsyncClient(transport=transport, base_url="http://spina.test") as client:
        return await client.get(path)


def build_app_over(pool: asyncpg.Pool, redis: Redis | None) -> Litestar:
    parts = memory_parts()
    return build_app(probes=build_probes(pool=pool, redis=redis, arena=parts.games.arena), parts=parts)


def answering(check: Check) -> Probe:
    async def probe() -> Check:
        return check

    return probe


async def hanging() -> Check:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.mark.parametrize(
    ("postgres", "redis", "migrations", "status"),
    [
        (READY, READY, READY, "ok"),
        (READY, AWAY, READY, "degraded"),
        (AWAY, READY, READY, "unavailable"),
        (READY, READY, AWAY, "unavailable"),
        (AWAY, AWAY, AWAY, "unavailable"),
    ],
)
async def test_the_whole_is_what_its_parts_allow(postgres: Check, redis: Check, migrations: Check, status: str) -> None:
    probes = Probes(postgres=answering(postgres), redis=answering(redis), migrations=answering(migrations))

    health = await read_health(probes)

    assert health.status == status
    assert (health.checks.postgres, health.checks.redis, health.checks.migrations) == (postgres, redis, migrations)


async def test_a_part_that_hangs_is_unavailable_after_the_timeout() -> None:
    probes = Probes(postgres=hanging, redis=hanging, migrations=answering(READY))

    health = await read_health(probes, timeout_s=0.02)

    assert health.status == "unavailable"
    assert health.checks.redis.found == "no answer within 0.02 s"


class CountedProbe:
    """Counts how often a part is asked; it answers when it may."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = asyncio.Event()

    async def __call__(self) -> Check:
        self.asked += 1
        await self.may_answer.wait()
        return READY


def shared_over(probe: Probe, now_s: Callable[[], float] = lambda: 0.0) -> SharedHealth:
    return SharedHealth(Probes(postgres=probe, redis=answering(READY), migrations=answering(READY)), now_s=now_s)


async def test_whoever_asks_at_the_same_time_shares_one_answer() -> None:
    probe = CountedProbe()
    shared = shared_over(probe)
    asking = [asyncio.ensure_future(shared.read()) for _ in range(400)]
    await asyncio.sleep(0)

    probe.may_answer.set()

    assert {(await task).status for task in asking} == {"ok"}
    assert probe.asked == 1


@pytest.mark.parametrize(("later_s", "asked"), [(SHARED_S / 2, 1), (SHARED_S, 2)])
async def test_an_answer_is_shared_for_a_second(later_s: float, asked: int) -> None:
    probe, now_s = CountedProbe(), [100.0]
    probe.may_answer.set()
    shared = shared_over(probe, lambda: now_s[0])
    await shared.read()

    now_s[0] += later_s
    await shared.read()

    assert probe.asked == asked


async def test_whoever_gives_up_leaves_the_question_to_the_next() -> None:
    probe = CountedProbe()
    shared = shared_over(probe)
    first, second = (asyncio.ensure_future(shared.read()) for _ in range(2))
    await asyncio.sleep(0)

    first.cancel()
    probe.may_answer.set()

    assert (await second).status == "ok"
    assert first.cancelled()


async def test_health_asks_through_the_pool(database: Database, redis_url: str) -> None:
    owner = await asyncpg.connect(database.owner_url)
    async with build_app_pool(database.app_url) as pool, build_redis(redis_url) as redis:
        app = build_app_over(pool, redis)
        answers = await asyncio.gather(*(ask(app, "/v1/health") for _ in range(50)))
        connections = await owner.fetchval(CONNECTIONS)
    await owner.close()

    assert {answer.status_code for answer in answers} == {200}
    assert connections <= 2


async def test_a_ready_server_answers_200(database: Database, redis_url: str) -> None:
    async with build_app_pool(database.app_url) as pool, build_redis(redis_url) as redis:
        app = build_app_over(pool, redis)
        response = await ask(app, "/v1/health")

    ready = {"status": "ok", "found": "ready"}
    checks = {"postgres": ready, "redis": ready, "migrations": ready, "disk": ready, "clock": ready, "workers": {}}
    assert response.json() == {"status": "ok", "version": VERSION, "checks": checks}
    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-store"


async def test_without_redis_a_server_is_degraded_and_still_answers_200(database: Database) -> None:
    async with build_app_pool(database.app_url) as pool, build_redis(NOWHERE_REDIS) as redis:
        app = build_app_over(pool, redis)
        response = await ask(app, "/v1/health")

    assert (response.status_code, response.json()["status"]) == (200, "degraded")
    assert response.json()["checks"]["redis"] == {"status": "unavailable", "found": "no connection"}


async def test_a_server_whose_announcer_fails_is_degraded_and_says_so(redis_url: str) -> None:
    announcer = MemoryAnnouncer()
    announcer.is_failing = True
    arena = Arena(store=MemoryEventStore(), announcer=announcer, catalogue=CATALOGUE, vault=VAULT)
    async with build_redis(redis_url) as redis:
        probes = Probes(postgres=answering(READY), redis=redis_probe(redis, arena), migrations=answering(READY))

        health = await read_health(probes)

    assert health.status == "degraded"
    assert health.checks.redis.found == "it answers, but hints are not published; the log says why"


async def test_a_server_that_was_given_no_redis_says_so(database: Database) -> None:
    async with build_app_pool(database.app_url) as pool:
        health = await read_health(build_probes(pool=pool, redis=None, arena=memory_parts().games.arena))

    assert (health.status, health.checks.redis.found) == ("degraded", "SPINA_REDIS_URL is not given")


async def test_a_command_that_could_not_be_stored_makes_a_server_answer_503(database: Database) -> None:
    store, opened = BreakingStore(), opening()
    store.is_breaking = True
    arena = arena_on(store)
    with pytest.raises(StoreUnavailable):
        await arena.handle(opened)
    async with build_app_pool(database.app_url) as pool:
        failing = await read_health(build_probes(pool=pool, redis=None, arena=arena))
        await arena.handle(opened)
        stored = await read_health(build_probes(pool=pool, redis=None, arena=arena))

    assert (failing.status, stored.checks.postgres) == ("unavailable", READY)


async def test_a_disk_that_is_nearly_full_degrades_a_server(tmp_path: Path) -> None:
    full, empty = await disk_probe(tmp_path, free_min=2**63)(), await disk_probe(tmp_path, free_min=0)()

    health = await read_health(
        Probes(postgres=answering(READY), redis=answering(READY), migrations=answering(READY), disk=answering(full))
    )

    assert (full.status, empty, health.status) == ("unavailable", READY, "degraded")


async def test_without_postgres_a_server_answers_503(database: Database, redis_url: str) -> None:
    async with build_app_pool(database.app_url) as pool, build_redis(redis_url) as redis:
        app = build_app_over(pool, redis)
        await close_database(database)
        response = await ask(app, "/v1/health")

    assert (response.status_code, response.json()["status"]) == (503, "unavailable")
    assert response.json()["checks"]["postgres"] == {"status": "unavailable", "found": "no connection"}
    assert "postgresql://" not in response.text


async def close_database(database: Database) -> None:
    """Refuse all connections, as if the server were gone."""
    name = urlsplit(database.owner_url).path.removeprefix("/")
    neighbour = await asyncpg.connect(with_database(database.owner_url, "postgres"))
    await neighbour.execute(f"alter database {name} with allow_connections false")
    await neighbour.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", name)
    await neighbour.close()


async def open_database(database: Database) -> None:
    """Let everyone in again."""
    name = urlsplit(database.owner_url).path.removeprefix("/")
    neighbour = await asyncpg.connect(with_database(database.owner_url, "postgres"))
    await neighbour.execute(f"alter database {name} with allow_connections true")
    await neighbour.close()


async def test_pending_migrations_make_a_server_answer_503(database: Database, redis_url: str) -> None:
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute("delete from spina.migration where number = 5")
    await owner.close()

    async with build_app_pool(database.app_url) as pool, build_redis(redis_url) as redis:
        health = await read_health(build_probes(pool=pool, redis=redis, arena=memory_parts().games.arena))

    assert health.status == "unavailable"
    assert health.checks.migrations.found == "pending: 0005_master_key_check"


async def test_the_description_has_an_example_that_is_a_health(database: Database) -> None:
    async with build_app_pool(database.app_url) as pool:
        app = build_app_over(pool, None)
        description = (await ask(app, "/v1/openapi.json")).json()

    responses = description["paths"]["/v1/health"]["get"]["responses"]
    examples = [one["value"] for code in ("200", "503") for one in examples_of(responses[code])]
    assert description["openapi"].startswith("3.1")
    assert [msgspec.convert(example, Health).status for example in examples] == ["ok", "degraded", "unavailable"]


def examples_of(response: dict[str, dict[str, dict[str, dict[str, dict[str, object]]]]]) -> list[dict[str, object]]:
    return list(response["content"]["application/json"]["examples"].values())
