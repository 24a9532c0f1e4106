"""A connection that holds a lock until it ends."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from infra.postgres.connection import open_app_connection, telling_unavailable

TRY_LOCK = """
select pg_try_advisory_lock($1)
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
