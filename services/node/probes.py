"""Probes of the parts of a running server: whether each is ready. A probe raises nothing."""

import shutil
from collections.abc import Callable
from pathlib import Path

import asyncpg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from domain.ledger.policy import evaluate
from domain.ledger.signers import BadSignature
from domain.ledger.spelling import Misspelt
from infra.postgres.connection import borrowed
from infra.postgres.migrations import Migration, MigrationChanged, list_pending, read_migrations
from infra.postgres.worker_signs import ReadSigns, WorkerSigns
from infra.store_faults import StoreUnavailable
from services.api.http.health import READY, Check, Probe, Probes, WorkersProbe, probe_no_workers, probe_nothing
from services.commands.arena import Arena
from services.ledger.public_ledger import PublicLedger
from services.node.steady_clock import SteadyClock
from services.workers.kinds import NOTARY, TIMEKEEPER, WORKERS, WorkerKind, list_worker_names

MEGABYTE = 1_000_000
# A busy day, and the time to make room: from here on an operator must act.
FREE_BYTES_MIN = 500 * MEGABYTE
# A standby answers everything but an append.
MAY_WRITE = "select not pg_is_in_recovery()"
NOT_STORING = Check(status="unavailable", found="it answers, but a command could not be stored; the log says why")
NOT_ANNOUNCING = Check(status="unavailable", found="it answers, but hints are not published; the log says why")
NOT_KEPT = Check(status="unavailable", found="clocks were not kept for a while; games get the time back")
NO_CONNECTION = Check(status="unavailable", found="no connection")


def build_probes(
    *,
    pool: asyncpg.Pool,
    redis: Redis | None,
    arena: Arena,
    folder: Path | None = None,
    clock: SteadyClock | None = None,
    workers: WorkersProbe = probe_no_workers,
) -> Probes:
    """Read the migrations' files once; questions to the database go through the pool. `folder` has files of our own."""
    return Probes(
        postgres=postgres_probe(pool, arena),
        disk=probe_nothing if folder is None else disk_probe(folder),
        clock=probe_nothing if clock is None else clock_probe(clock),
        redis=no_redis_probe if redis is None else redis_probe(redis, arena),
        migrations=migrations_probe(pool, read_migrations()),
        workers=workers,
    )


def disk_probe(folder: Path, *, free_min: int = FREE_BYTES_MIN) -> Probe:
    async def probe() -> Check:
        try:
            free = shutil.disk_usage(folder).free
        except FileNotFoundError:
            # A process without files of its own.
            return READY
        found = f"{free // MEGABYTE} MB are free, expected {free_min // MEGABYTE}"
        return READY if free >= free_min else Check(status="unavailable", found=found)

    return probe


def clock_probe(clock: SteadyClock) -> Probe:
    async def probe() -> Check:
        clock.now_ms()
        if not clock.is_apart:
            return READY
        where = f"{abs(clock.ahead_s)} s {'ahead of' if clock.ahead_s > 0 else 'behind'} this process"
        return Check(status="unavailable", found=f"the machine's clock was set: it is {where}; a restart follows it")

    return probe


def postgres_probe(pool: asyncpg.Pool, arena: Arena) -> Probe:
    async def probe() -> Check:
        try:
            async with borrowed(pool) as connection:
                may_write = await connection.fetchval(MAY_WRITE)
        except StoreUnavailable:
            return NO_CONNECTION
        if not may_write:
            return Check(status="unavailable", found="it only reads")
        return READY if arena.is_storing else NOT_STORING

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


def workers_probe(
    read_signs: ReadSigns, now_ms: Callable[[], int], *, ledger: PublicLedger | None = None
) -> WorkersProbe:
    """Build the probe of all workers, by their stored heartbeats. After the start of a server each has a moment.

    The notary is judged by the newest checkpoint of the `ledger` as well, the timekeeper by absences that it notes.
    """
    begun_ms = now_ms()
    # The number of the newest absence, and the time at which it was new here.
    newest: int | None = None
    noted_ms = begun_ms - TIMEKEEPER.late_s * 1000

    async def probe() -> dict[str, Check]:
        nonlocal newest, noted_ms
        try:
            signs = await read_signs()
        except StoreUnavailable:
            return dict.fromkeys(list_worker_names(), NO_CONNECTION)
        now = now_ms()
        absence = signs.get(TIMEKEEPER.name, WorkerSigns()).absence
        noted_ms = noted_ms if newest in (None, absence) else now
        newest = absence

        def count_s(since_ms: int) -> int:
            return (now - max(since_ms, begun_ms)) // 1000

        found = {
            name: judge_worker(kind, signs.get(name, WorkerSigns()), count_s) for kind in WORKERS for name in kind.names
        }
        if (now - noted_ms) // 1000 < TIMEKEEPER.late_s and found[TIMEKEEPER.name] == READY:
            found[TIMEKEEPER.name] = NOT_KEPT
        if ledger is not None and found[NOTARY.name] == READY:
            found[NOTARY.name] = await judge_checkpoint(ledger)
        return found

    return probe


async def judge_checkpoint(ledger: PublicLedger) -> Check:
    """Judge the newest checkpoint by the keys of the operator's own policy, as a reader would."""
    try:
        signed = await ledger.find_checkpoint()
        is_signed = signed is None or evaluate(ledger.policy, signed).log is not None
    except (Misspelt, BadSignature):
        is_signed = False
    except StoreUnavailable:
        return NO_CONNECTION
    return READY if is_signed else Check(status="unavailable", found="the newest checkpoint has a wrong signature")


def judge_worker(kind: WorkerKind, signs: WorkerSigns, count_s: Callable[[int], int]) -> Check:
    """Judge a worker by its heartbeat, then by its oldest unread line; `count_s` counts seconds since a time."""
    silent_s = count_s(signs.heartbeat_ms or 0)
    if silent_s <= -kind.late_s:
        return Check(status="unavailable", found=f"its heartbeat is {-silent_s} s in the future")
    if silent_s >= kind.late_s:
        return Check(status="unavailable", found=f"no heartbeat for {silent_s} s; the logs say why")
    if signs.oldest_ms is not None and (late_s := count_s(signs.oldest_ms)) >= kind.late_s:
        return Check(status="unavailable", found=f"{signs.behind} events behind, for {late_s} s")
    return READY
