"""How the parts of a running server are asked whether they are ready. A probe answers, whatever happens."""

import asyncpg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from infra.postgres.connection import borrowed
from infra.postgres.migrations import Migration, MigrationChanged, list_pending, read_migrations
from infra.store_faults import StoreUnavailable
from services.api.health import READY, Check, Probe, Probes

# A standby answers everything but an append.
MAY_WRITE = "select not pg_is_in_recovery()"
NO_CONNECTION = Check(status="unavailable", found="no connection")


def build_probes(*, pool: asyncpg.Pool, redis: Redis | None) -> Probes:
    """Read the migrations' files once; what is asked of the database goes through the pool."""
    return Probes(
        postgres=postgres_probe(pool),
        redis=no_redis_probe if redis is None else redis_probe(redis),
        migrations=migrations_probe(pool, read_migrations()),
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


def redis_probe(redis: Redis) -> Probe:
    async def probe() -> Check:
        try:
            await redis.ping()
        except (RedisError, OSError):
            return NO_CONNECTION
        return READY

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
