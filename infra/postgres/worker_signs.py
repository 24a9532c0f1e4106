"""Locks and signs of workers: the lock that a session holds while it works, its heartbeat, its place in the log."""

import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

import asyncpg
from msgspec import Struct

from domain.log.record import parse_at
from infra.keys import MasterKey
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
select worker_beat($1, $2, $3)
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
select worker, beat.at_ms as heartbeat_ms, beat.mark,
       coalesce((select max(id) from absence where worker = 'timekeeper'), 0) as absence,
       head.position - place.position as behind,
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


@asynccontextmanager
async def checked_lock(url: str, lock: int) -> AsyncIterator[Callable[[], Awaitable[None]] | None]:
    """Hold a lock while the block runs, and give the check that it is held; None where another session has it."""
    async with locked_session(url, lock) as connection:
        yield None if connection is None else partial(check_session, connection)


class WorkerSigns(Struct, frozen=True, kw_only=True):
    """`behind` counts unread lines, None for a worker without a position; `oldest_ms` is the time of the first one.

    `absence` is the number of the newest absence that the timekeeper noted, 0 where there is none.
    """

    heartbeat_ms: int | None = None
    behind: int | None = None
    oldest_ms: int | None = None
    absence: int = 0


ReadSigns = Callable[[], Awaitable[dict[str, WorkerSigns]]]


class Signs:
    """The signs of all workers, and of the ledger under the name of `origin`.

    A heartbeat is marked by the key, which no login of the database knows: no other program can act alive.
    """

    def __init__(self, pool: asyncpg.Pool, origin: str, key: MasterKey) -> None:
        self._pool = pool
        self._origin = origin
        self._key = key

    async def beat(self, worker: str, now_ms: int) -> None:
        """Store a heartbeat of a worker. Raises StoreUnavailable."""
        async with borrowed(self._pool) as connection:
            await connection.execute(BEAT, worker, now_ms, self._mark(worker, now_ms))

    async def read(self) -> dict[str, WorkerSigns]:
        """Return the signs of each worker. Raises StoreUnavailable."""
        async with borrowed(self._pool) as connection:
            rows = await connection.fetch(READ_SIGNS, self._origin)
        return {row["worker"]: self._read_row(row) for row in rows}

    def _read_row(self, row: asyncpg.Record) -> WorkerSigns:
        at_ms, mark = row["heartbeat_ms"], row["mark"]
        is_ours = mark is not None and hmac.compare_digest(mark, self._mark(row["worker"], at_ms))
        return WorkerSigns(
            heartbeat_ms=at_ms if is_ours else None,
            # A worker of another process may read on between head and place.
            behind=None if row["behind"] is None else max(0, row["behind"]),
            oldest_ms=None if row["oldest_at"] is None else parse_at(row["oldest_at"]),
            absence=row["absence"],
        )

    def _mark(self, worker: str, at_ms: int) -> bytes:
        return hmac.digest(self._key, f"spina/heartbeat/v1\0{worker}\0{at_ms}".encode(), "sha256")
