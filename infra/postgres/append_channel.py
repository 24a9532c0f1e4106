"""The connection an appender works on: opened when needed, opened again when lost, and the lost call sent again.

Sending again is safe: the append function compares versions and heads, and states whether just these lines are there.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import asyncpg
from msgspec import Struct

from infra.event_store import Append
from infra.postgres.append_call import APPEND_BATCH, APPEND_ONE, Lost, columns, is_lone, values
from infra.postgres.connection import CONNECTION_LOST, REPLY_TIMEOUT_S, open_append_connection
from infra.postgres.hosts import Session

# A restart of the database takes a second or two, a failover some more. A caller is better refused than kept longer.
PATIENCE_S = 15.0
PAUSE_FIRST_S = 0.05
PAUSE_MAX_S = 1.0


class Answer(Struct, frozen=True):
    """The rows of the appends that lost, and whether a call before this one went unanswered."""

    lost: Sequence[Lost]
    was_resent: bool


class Unanswered(Exception):
    """Patience ran out; `was_sent` states whether the database may have taken the batch."""

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


class AppendConnection(Protocol):
    """Every method but `terminate` may raise what CONNECTION_LOST names; `send` then may be done."""

    async def send(self, batch: Sequence[Append], *, timeout_s: float) -> Sequence[Lost]:
        """Append all that can be, and return a row for each append that lost."""

    async def close(self, *, timeout: float) -> None: ...  # noqa: ASYNC109  as the driver names it

    def terminate(self) -> None: ...


# Opens a connection to a URL within so many seconds.
Connect = Callable[[str, float], Awaitable[AppendConnection]]


class PostgresAppends:
    """See `AppendConnection`."""

    def __init__(self, connection: Session) -> None:
        self._connection = connection
        self.close = connection.close
        self.terminate = connection.terminate

    async def send(self, batch: Sequence[Append], *, timeout_s: float) -> Sequence[Lost]:
        """Return the rows of the appends that lost. One that lost alone is sent once more, for the reason."""
        timeout_s = min(timeout_s, REPLY_TIMEOUT_S)
        if is_lone(batch) and await self._connection.fetchval(APPEND_ONE, *values(batch[0]), timeout=timeout_s):
            return []
        rows: list[asyncpg.Record] = await self._connection.fetch(APPEND_BATCH, *columns(batch), timeout=timeout_s)
        if rows:
            # They lost to lines that another primary may not have: nothing was committed that would show it.
            await self._connection.confirm(timeout_s=timeout_s)
        return rows


async def connect_postgres(url: str, timeout_s: float) -> AppendConnection:
    """Connect; every fault is a reason to try once more, as nothing was sent."""
    try:
        return PostgresAppends(await open_append_connection(url, timeout_s=timeout_s))
    except asyncpg.PostgresError as error:
        raise ConnectionError(f"{type(error).__name__}: {error}") from error


class AppendChannel:
    def __init__(self, url: str, *, patience_s: float = PATIENCE_S, connect: Connect = connect_postgres) -> None:
        self._url = url
        self._patience_s = patience_s
        self._connect = connect
        self._connection: AppendConnection | None = None

    async def call(self, batch: Sequence[Append]) -> Answer:
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._patience_s
        reason, pause_s, was_sent, was_resent = "no answer", PAUSE_FIRST_S, False, False
        # Each wait has its limit from the deadline: to set one around them all costs more than any of them here.
        while (left_s := deadline - clock()) > 0:
            try:
                if self._connection is None:
                    self._connection = await self._connect(self._url, left_s)
                was_resent, was_sent = was_sent, True
                return Answer(await self._connection.send(batch, timeout_s=left_s), was_resent)
            except CONNECTION_LOST as error:
                reason = f"{type(error).__name__}: {error}"
                self._drop()
            except asyncpg.PostgresError as error:
                raise Refused(error, was_resent=was_resent) from error
            await asyncio.sleep(min(pause_s, left_s))
            pause_s = min(pause_s * 2, PAUSE_MAX_S)
        raise Unanswered(reason, was_sent=was_sent)

    async def close(self) -> None:
        if self._connection is None:
            return
        try:
            await self._connection.close(timeout=PAUSE_MAX_S)
        except CONNECTION_LOST:
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
