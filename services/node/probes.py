"""Probes of the parts of a running server: whether each is ready. A probe raises nothing."""

from collections.abc import Callable

import asyncpg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from infra.postgres.connection import borrowed
from infra.postgres.migrations import Migration, MigrationChanged, list_pending, read_migrations
from infra.postgres.worker_signs import ReadSigns, WorkerSigns
from infra.store_faults import StoreUnavailable
from services.api.health import READY, Check, Probe, Probes, WorkersProbe, probe_no_workers
from services.commands.arena import Arena
from services.workers.kinds import WORKERS, WorkerKind, list_worker_names

# A standby answers everything but an append.
MAY_WRITE = "select not pg_is_in_recovery()"
NOT_ANNOUNCING = Check(status="unavailable", found="it answers, but hints are not published; the log says why")
NO_CONNECTION = Check(status="unavailable", found="no connection")


def build_probes(
    *, pool: asyncpg.Pool, redis: Redis | None, arena: Arena, workers: WorkersProbe = probe_no_workers
) -> Probes:
    """Read the migrations' files once; questions to the database go through the pool."""
    return Probes(
        postgres=postgres_probe(pool),
        redis=no_redis_probe if redis is None else redis_probe(redis, arena),
        migrations=migrations_probe(pool, read_migrations()),
        workers=workers,
    )


def postgres_probe(pool: asyncpg.Pool) -> Probe:
    async def probe() -> Check:
        try:
            async with borrowed(pool) as connection:
                may_write = await connection.fetchval(MAY_WRITE)
        except StoreUnavailable:
            return NO_CONNECTION
        return READY if may_write else Check(status="unavailable", found="it only reads")

    return probe


def redis_probe(redis: Redis, arena: Arena) -> Probe:
    async def probe() -> Check:
        try:
            await redis.ping()
        except (RedisError, OSError):
            return NO_CONNECTION
        return READY if arena.is_announcing else NOT_ANNOUNCING

    return probe


async def no_redis_probe() -> Check:
    return Check(status="unavailable", found="SPINA_REDIS_URL is not given")


def migrations_probe(pool: asyncpg.Pool, wanted: tuple[Migration, ...]) -> Probe:
    async def probe() -> Check:
        try:
            async with borrowed(pool) as connection:
                pending = await list_pending(connection, wanted)
        except MigrationChanged:
            return Check(status="unavailable", found="applied from another text than this release has")
        except StoreUnavailable:
            return NO_CONNECTION
        except asyncpg.PostgresError:
            return Check(status="unavailable", found="the app's role may not read them")
        return Check(status="unavailable", found=f"pending: {', '.join(pending)}") if pending else READY

    return probe


def workers_probe(read_signs: ReadSigns, now_ms: Callable[[], int]) -> WorkersProbe:
    """Build the probe of all workers, by their stored heartbeats. After the start of a server each has a moment."""
    begun_ms = now_ms()

    async def probe() -> dict[str, Check]:
        try:
            signs = await read_signs()
        except StoreUnavailable:
            return dict.fromkeys(list_worker_names(), NO_CONNECTION)
        now = now_ms()

        def count_s(since_ms: int) -> int:
            return (now - max(since_ms, begun_ms)) // 1000

        return {
            name: judge_worker(kind, signs.get(name, WorkerSigns()), count_s) for kind in WORKERS for name in kind.names
        }

    return probe


def judge_worker(kind: WorkerKind, signs: WorkerSigns, count_s: Callable[[int], int]) -> Check:
    """Judge a worker by its heartbeat, then by its oldest unread line; `count_s` counts seconds since a time."""
    silent_s = count_s(signs.heartbeat_ms or 0)
    if silent_s >= kind.late_s:
        return Check(status="unavailable", found=f"no heartbeat for {silent_s} s; the logs say why")
    if signs.oldest_ms is not None and (late_s := count_s(signs.oldest_ms)) >= kind.late_s:
        return Check(status="unavailable", found=f"{signs.behind} events behind, for {late_s} s")
    return READY
