"""A replica: a standby of the primary that streams from it. Reads leave it out from a fault until it is fit again."""

import asyncio
from collections.abc import Awaitable, Callable

import asyncpg
import structlog

from infra.postgres.connection import POOL_SIZE_MAX, SETTINGS, borrowed, keep_session
from infra.postgres.hosts import Session
from infra.store_faults import StoreUnavailable

# A replica on the same network answers within milliseconds; a read that waits longer is done at the primary.
ANSWER_TIMEOUT_S = 0.5
# The reading of a whole game is the longest statement.
READ_TIMEOUT_S = 2.0
# A replica is behind by a millisecond or two while it streams: longer than these pauses is behind.
PAUSES_S = (0.0, 0.001, 0.002, 0.004, 0.008, 0.016)
READ_REPLAYED = """
select pg_is_in_recovery() as is_standby, (pg_last_wal_replay_lsn() - '0/0')::bigint as replayed
"""

# No two servers start in the same microsecond.
READ_START = """
select pg_postmaster_start_time()
"""

READ_SYSTEM = """
select system_identifier, (select oid from pg_database where datname = current_database()) as database
  from pg_control_system()
"""

# The last line of a replica stands on the primary too, unless one of them has another history.
READ_LAST = """
select position, hash from event order by position desc limit 1
"""

FIND_HASH = """
select hash from event where position = $1
"""

AtPrimary = Callable[..., Awaitable[list[asyncpg.Record]]]

log = structlog.get_logger()


class NotAReplica(Exception):
    """The server at the address follows another primary, or none."""


# One of Postgres itself: a replica that has no schema yet, or gives no right to it.
FAULTS = (StoreUnavailable, TimeoutError, NotAReplica, asyncpg.PostgresError)


def build_replica_pool(url: str, *, size_max: int = POOL_SIZE_MAX) -> asyncpg.Pool:
    """Build a pool that connects at its first use, so that a replica that is away keeps no server from its start."""
    return asyncpg.create_pool(
        url,
        min_size=0,
        max_size=size_max,
        timeout=ANSWER_TIMEOUT_S,
        command_timeout=READ_TIMEOUT_S,
        server_settings=SETTINGS,
        connection_class=Session,
        reset=keep_session,
    )


class Replica:
    """`fault` is the reason why reads leave it out; one that is merely behind has none."""

    def __init__(self, number: int, pool: asyncpg.Pool, watching: asyncpg.Pool) -> None:
        self.name = str(number)
        self.is_fit = False
        # A list of all nodes of a cluster names the primary, too.
        self.is_primary = False
        self.fault: str | None = None
        self.lag_bytes: int | None = None
        self._pool = pool
        # Of its own, so that no number of slow reads makes a replica look like one that does not answer.
        self._watching = watching

    async def fetch(self, statement: str, *values: object) -> list[asyncpg.Record]:
        """Read rows. Raises StoreUnavailable."""
        async with borrowed(self._pool, timeout_s=ANSWER_TIMEOUT_S) as connection:
            rows: list[asyncpg.Record] = await connection.fetch(statement, *values)
        return rows

    async def reaches(self, written: int) -> bool:
        """Return whether it has the primary's log so far, now or in a moment; else leave it out."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                for pause_s in PAUSES_S:
                    await asyncio.sleep(pause_s)
                    self.lag_bytes = max(0, written - await self._read_replayed())
                    if not self.lag_bytes:
                        return True
            self.is_fit = False
        except FAULTS as fault:
            self.leave_out(str(fault) or f"no answer within {ANSWER_TIMEOUT_S:g} s")
        return False

    async def examine(self, at_primary: AtPrimary, written: int) -> None:
        """Find whether it is a replica of this primary, and has its log so far."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                await self._check_history(at_primary)
        except FAULTS as fault:
            self.leave_out(str(fault) or f"no answer within {ANSWER_TIMEOUT_S:g} s")
        else:
            if await self.reaches(written):
                self._take_in()

    def leave_out(self, fault: str) -> None:
        if self.fault is None:
            log.warning("replica_left_out", replica=self.name, reason=fault)
        self.is_fit, self.fault, self.lag_bytes = False, fault, None

    def _take_in(self) -> None:
        if self.fault is not None:
            log.info("replica_taken_in", replica=self.name)
        self.is_fit, self.fault = True, None

    async def _check_history(self, at_primary: AtPrimary) -> None:
        if await self._watch(READ_SYSTEM) != await at_primary(READ_SYSTEM):
            raise NotAReplica("expected a replica of the primary, found another database")
        for last in await self._watch(READ_LAST):
            there = await at_primary(FIND_HASH, last["position"])
            if [row["hash"] for row in there] != [last["hash"]]:
                raise NotAReplica("expected a replica of the primary, found another history")
        self.is_primary = await self._watch(READ_START) == await at_primary(READ_START)
        if self.is_primary:
            raise NotAReplica("expected a replica, found the primary itself")

    async def _watch(self, statement: str) -> list[asyncpg.Record]:
        async with borrowed(self._watching, timeout_s=ANSWER_TIMEOUT_S) as connection:
            rows: list[asyncpg.Record] = await connection.fetch(statement)
        return rows

    async def _read_replayed(self) -> int:
        (row,) = await self._watch(READ_REPLAYED)
        if not row["is_standby"]:
            raise NotAReplica("expected a replica, found a server that is a primary itself")
        replayed: int = row["replayed"]
        return replayed
