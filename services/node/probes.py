"""How the parts of a running server are asked whether they are ready. A probe answers, whatever happens."""

from collections.abc import Callable, Mapping

import asyncpg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from infra.postgres.connection import borrowed
from infra.postgres.migrations import Migration, MigrationChanged, list_pending, read_migrations
from infra.postgres.worker_lag import ReadLag, WorkerLag
from infra.store_faults import StoreUnavailable
from services.api.health import READY, Check, Probe, Probes
from services.commands.arena import Arena
from services.ledger.notary_state import NotaryState
from services.workers.projector import Projector

# A standby answers everything but an append.
MAY_WRITE = "select not pg_is_in_recovery()"
# An event is under a checkpoint within two seconds; a new notary first compares what is stored with what was signed.
NOTARY_LATE_S = 30
# It beats once a second; whoever stands by takes over after two.
TIMEKEEPER_LATE_S = 10
# An event is in the lists within a second; whoever stands by takes over after some.
PROJECTOR_LATE_S = 30
NOT_ANNOUNCING = Check(status="unavailable", found="it answers, but hints are not published; the log says why")
# With nothing new to sign for, no event would be late: the next one will be, whenever it comes.
REFUSING = Check(status="unavailable", found="it signs nothing until a person has seen to it; the log says why")
NO_CONNECTION = Check(status="unavailable", found="no connection")


def build_probes(
    *, pool: asyncpg.Pool, redis: Redis | None, arena: Arena, workers: Mapping[str, Probe] | None = None
) -> Probes:
    """Read the migrations' files once; what is asked of the database goes through the pool."""
    return Probes(
        postgres=postgres_probe(pool),
        redis=no_redis_probe if redis is None else redis_probe(redis, arena),
        migrations=migrations_probe(pool, read_migrations()),
        workers=workers or {},
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


def worker_probes(read_lag: ReadLag, now_ms: Callable[[], int], notary: NotaryState) -> dict[str, Probe]:
    """Build the probes of the workers that every database needs. A server that has just begun gives them a moment."""
    begun_ms = now_ms()

    async def probe_notary() -> Check:
        lag = await _find_lag(read_lag, "notary")
        if lag is None:
            return NO_CONNECTION
        if notary.is_refusing:
            return REFUSING
        late_s = 0 if lag.oldest_ms is None else (now_ms() - max(lag.oldest_ms, begun_ms)) // 1000
        if late_s < NOTARY_LATE_S:
            return READY
        return Check(status="unavailable", found=f"{lag.behind} events are under no checkpoint, for {late_s} s")

    async def probe_timekeeper() -> Check:
        lag = await _find_lag(read_lag, "timekeeper")
        if lag is None:
            return NO_CONNECTION
        late_s = (now_ms() - max(lag.beat_ms or 0, begun_ms)) // 1000
        if late_s < TIMEKEEPER_LATE_S:
            return READY
        return Check(status="unavailable", found=f"nobody has kept the clocks for {late_s} s")

    return {"notary": probe_notary, "timekeeper": probe_timekeeper}


def projector_probe(projector: Projector, now_ms: Callable[[], int]) -> Probe:
    """Build the probe of what keeps the projections, as far as this process can tell."""
    begun_ms = now_ms()

    async def probe() -> Check:
        if now_ms() - begun_ms < PROJECTOR_LATE_S * 1000:
            return READY
        for projection in projector.projections:
            lag = projector.find_lag(projection.name)
            if lag is None:
                return Check(status="unavailable", found=f"nobody here can say how far the {projection.name} is")
            if lag.seconds_behind >= PROJECTOR_LATE_S:
                behind = f"{lag.events_behind} events behind, for {lag.seconds_behind:.0f} s"
                return Check(status="unavailable", found=f"the {projection.name} is {behind}")
        return READY

    return probe


async def _find_lag(read_lag: ReadLag, worker: str) -> WorkerLag | None:
    try:
        return (await read_lag())[worker]
    except StoreUnavailable:
        return None
