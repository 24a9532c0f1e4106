"""A connection that holds a lock until it ends, for any reason: at most one session of each worker acts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from infra.postgres.connection import open_app_connection, telling_unavailable

# One number for each worker, next to those of the migrations (…113) and of appends (…114).
NOTARY_LOCK = 5785247042115
TIMEKEEPER_LOCK = 5785247042116
STEWARD_LOCK = 5785247042117
ARCHIVIST_LOCK = 5785247042118
HOUSE_LOCK = 5785247042119

TRY_LOCK = """
select pg_try_advisory_lock($1)
"""

IS_THERE = """
select true
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
    finally:
        # Not closed in peace: a statement under way is to end with it.
        connection.terminate()


async def check_session(connection: asyncpg.Connection) -> None:
    """Raise StoreUnavailable where the connection is gone, and its lock with it."""
    with telling_unavailable():
        await connection.fetchval(IS_THERE)
