"""The connection an appender works on: opened when needed, opened again when lost, and the lost call sent again.

Sending again is safe: the append function compares versions and heads, and says whether just these lines are there.
"""

import asyncio
from collections.abc import Sequence

import asyncpg
from msgspec import Struct

from infra.event_store import Append
from infra.postgres.append_call import APPEND_BATCH, columns
from infra.postgres.connection import CONNECTION_LOST, open_append_connection

# A restart of the database takes a second or two, a failover some more. Whoever waits longer is better told.
PATIENCE_S = 15.0
PAUSE_FIRST_S = 0.05
PAUSE_MAX_S = 1.0


class Answer(Struct, frozen=True):
    """The rows of the appends that lost, and whether a call before this one went unanswered."""

    lost: list[asyncpg.Record]
    was_resent: bool


class Unanswered(Exception):
    """Patience ran out; `was_sent` says whether the database may have taken the batch."""

    def __init__(self, reason: str, *, was_sent: bool) -> None:
        self.reason = reason
        self.was_sent = was_sent
        super().__init__(reason)


class Refused(Exception):
    """The database raised and rolled the call back; a call before it may have gone unanswered."""

    def __init__(self, error: asyncpg.PostgresError, *, was_resent: bool) -> None:
        self.error = error
        self.was_resent = was_resent
        super().__init__(str(error))


class AppendChannel:
    def __init__(self, url: str, *, patience_s: float = PATIENCE_S) -> None:
        self._url = url
        self._patience_s = patience_s
        self._connection: asyncpg.Connection | None = None

    async def call(self, batch: Sequence[Append]) -> Answer:
        arguments = columns(batch)
        reason, pause_s, was_sent, was_resent = "", PAUSE_FIRST_S, False, False
        try:
            async with asyncio.timeout(self._patience_s):
                while True:
                    connection, reason = await self._find_connection(reason)
                    if connection is not None:
                        was_resent, was_sent = was_sent, True
                        try:
                            return Answer(await connection.fetch(APPEND_BATCH, *arguments), was_resent)
                        except CONNECTION_LOST as error:
                            reason = f"{type(error).__name__}: {error}"
                            self._drop()
                    await asyncio.sleep(pause_s)
                    pause_s = min(pause_s * 2, PAUSE_MAX_S)
        except TimeoutError:
            # A call may still be under way on it.
            self._drop()
            raise Unanswered(reason or "no answer", was_sent=was_sent) from None
        except asyncpg.PostgresError as error:
            raise Refused(error, was_resent=was_resent) from error

    async def close(self) -> None:
        if self._connection is None:
            return
        try:
            await self._connection.close(timeout=PAUSE_MAX_S)
        except CONNECTION_LOST:
            self._drop()

    async def _find_connection(self, reason: str) -> tuple[asyncpg.Connection | None, str]:
        """Whatever goes wrong while connecting is a reason to try once more; nothing was sent."""
        if self._connection is None:
            try:
                self._connection = await open_append_connection(self._url)
            except (*CONNECTION_LOST, asyncpg.PostgresError) as error:
                return None, f"{type(error).__name__}: {error}"
        return self._connection, reason

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
