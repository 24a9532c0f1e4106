"""Signs of the workers on this database, in any process: the last heartbeat, and the unread lines."""

from collections.abc import Awaitable, Callable

import asyncpg
from msgspec import Struct

from domain.log.record import parse_at
from infra.postgres.connection import borrowed

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
         select 'timekeeper', position from timekeeper
         union all
         select 'projector.' || projection, position from projection_build where status = 'live'
     )
select worker, beat.at_ms as heartbeat_ms, head.position - place.position as behind,
       (select convert_from(substr(body, 8, 24), 'UTF8') from event
         where event.position > place.position order by event.position limit 1) as oldest_at
  from place full join worker_heartbeat beat using (worker) cross join head
"""


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
