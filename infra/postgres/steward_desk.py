"""The one connection that holds the steward's lock, and with it the care of all tournaments' tables."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from infra.postgres.connection import telling_unavailable
from infra.postgres.session_lock import locked_session

# Held by one session for as long as it is the steward; next to the numbers of the timekeeper and the notary.
STEWARD_LOCK = 5785247042117

IS_THERE = """
select true
"""


class StewardDesk:
    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def check(self) -> None:
        """Raise StoreUnavailable where the connection is gone, and the lock with it."""
        with telling_unavailable():
            await self._connection.fetchval(IS_THERE)


@asynccontextmanager
async def steward_desk(url: str) -> AsyncIterator[StewardDesk | None]:
    """Give the desk while the block runs, or None where another session is the steward."""
    async with locked_session(url, STEWARD_LOCK) as connection:
        yield None if connection is None else StewardDesk(connection)
