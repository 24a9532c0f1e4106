"""The lag of the workers on this database, in all processes: read from their stored progress."""

from collections.abc import Awaitable, Callable

import asyncpg
from msgspec import Struct

from domain.log.record import parse_at
from infra.postgres.connection import borrowed

# A worker's backlog begins with the line after its position; `at` stands in one place of every line. The notary has
# taken in the lines under a checkpoint of this name: an unsigned leaf proves nothing.
READ_LAG = """
with head as (select coalesce(max(position), 0) as position from event),
     covered as (select coalesce(max(tree_size), 0) as tree_size from ledger_checkpoint where origin = $1),
     place (worker, position, beat_ms) as (
         select 'notary', coalesce(max(position), 0), null::bigint
           from ledger_entry where index = (select tree_size - 1 from covered)
         union all
         select 'timekeeper', position, beat_ms from timekeeper
     )
select place.worker, head.position - place.position as behind, place.beat_ms,
       (select convert_from(substr(body, 8, 24), 'UTF8') from event
         where event.position > place.position order by event.position limit 1) as oldest_at
  from place cross join head
"""


class WorkerLag(Struct, frozen=True, kw_only=True):
    """`oldest_ms`: when the first event that it has not taken in became true. `beat_ms`: when it was last at work."""

    worker: str
    behind: int
    oldest_ms: int | None
    beat_ms: int | None


ReadLag = Callable[[], Awaitable[dict[str, WorkerLag]]]


async def read_worker_lag(pool: asyncpg.Pool, origin: str) -> dict[str, WorkerLag]:
    """Return the lag of each worker by its name; the ledger's under the name of `origin`. Raises StoreUnavailable."""
    async with borrowed(pool) as connection:
        rows = await connection.fetch(READ_LAG, origin)
    return {row["worker"]: _lag(row) for row in rows}


def _lag(row: asyncpg.Record) -> WorkerLag:
    return WorkerLag(
        worker=row["worker"],
        # A timekeeper or notary of another process may read on between head and place.
        behind=max(0, row["behind"]),
        oldest_ms=None if row["oldest_at"] is None else parse_at(row["oldest_at"]),
        beat_ms=row["beat_ms"],
    )
