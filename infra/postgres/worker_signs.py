"""Locks and signs of workers: the lock that a session holds while it works, its heartbeat, its place in the log."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import asyncpg
from msgspec import Struct

from domain.log.record import parse_at
from infra.postgres.connection import borrowed, open_app_connection, telling_unavailable
from infra.store_faults import StoreUnavailable

# One number for each worker, next to those of the migrations (…113) and of appends (…114).
NOTARY_LOCK = 5785247042115
TIMEKEEPER_LOCK = 5785247042116
STEWARD_LOCK = 5785247042117
ARCHIVIST_LOCK = 5785247042118
HOUSE_LOCK = 5785247042119
NOTIFIER_LOCK = 5785247042120

CLOSE_TIMEOUT_S = 1.0

TRY_LOCK = """
select pg_try_advisory_lock($1)
"""

IS_THERE = """
select true
"""

BEAT = """
select worker_beat($1, $2)
"""
# A worker's unread lines begin after its position; `at` stands in one place of every line. The position of the notary
# is the last line under a checkpoint of this name: a leaf without a signature proves nothing.
READ_SIGNS = """
with head as (select coalesce(max(position), 0) as position from event),
     covered as (select coalesce(max(tree_size), 0) as tree_size from ledger_checkpoint where origin = $1),
     place (worker, position) as (
         select 'notary', coalesce(max(position), 0)
           from ledger_entry where index = (select tree_size - 1 from covered)
         union all
         select 'archivist', coalesce(max(position), 0)
           from ledger_entry where index = (select index - 1 from kept_proof_progress)
         union all
         select 'timekeeper', position from timekeeper
         union all
         select 'notifier', position from notifier
         union all
         select 'projector.' || projection, position from projection_build where status = 'live'
     )
select worker, beat.at_ms as heartbeat_ms, head.position - place.position as behind,
       (select convert_from(substr(body, 8, 24), 'UTF8') from event
         where event.position > place.position order by event.position limit 1) as oldest_at
  from place full join worker_heartbeat beat using (worker) cross join head
"""


@asynccontextmanager
async def locked_session(url: str, lock: int) -> AsyncIterator[asyncpg.Connection | None]:
    """Give a connection that holds the lock while the block runs, or None where another session has it."""
    with telling_unavailable():
        connection = await open_app_connection(url)
    try:
        with telling_unavailable():
            has_lock = await connection.fetchval(TRY_LOCK, lock)
        yield connection if has_lock else None
        # Once a connection is closed in peace, its lock is free for the next session.
        with suppress(StoreUnavailable), telling_unavailable():
            await connection.close(timeout=CLOSE_TIMEOUT_S)
    finally:
        # After an error it is not closed in peace: a statement under way is to end with it.
        connection.terminate()


async def check_session(connection: asyncpg.Connection) -> None:
    """Raise StoreUnavailable where the connection is gone, and its lock with it."""
    with telling_unavailable():
        await connection.fetchval(IS_THERE)


class WorkerSigns(Struct, frozen=True, kw_only=True):
    """`behind` counts unread lines, None for a worker without a position; `oldest_ms` is the time of the first one."""

    heartbeat_ms: int | None = None
    behind: int | None = None
    oldest_ms: int | None = None


ReadSigns = Callable[[], Awaitable[dict[str, WorkerSigns]]]


async def beat(pool: asyncpg.Pool, worker: str, now_ms: int) -> None:
    """Store a heartbeat of a worker. Raises StoreUnavailable."""
    async with borrowed(pool) as connection:
        await connection.execute(BEAT, worker, now_ms)


async def read_signs(pool: asyncpg.Pool, origin: str) -> dict[str, WorkerSigns]:
    """Return the signs of each worker, and of the ledger under the name of `origin`. Raises StoreUnavailable."""
    async with borrowed(pool) as connection:
        rows = await connection.fetch(READ_SIGNS, origin)
    return {row["worker"]: _read(row) for row in rows}


def _read(row: asyncpg.Record) -> WorkerSigns:
    return WorkerSigns(
        heartbeat_ms=row["heartbeat_ms"],
        # A worker of another process may read on between head and place.
        behind=None if row["behind"] is None else max(0, row["behind"]),
        oldest_ms=None if row["oldest_at"] is None else parse_at(row["oldest_at"]),
    )
