"""Connections of the server to its database, always as the role that may only read and append.

Each connection sets the options on which correctness rests, independent of the server's defaults.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import cast

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from infra.postgres.hosts import Session, connect
from infra.store_faults import StoreUnavailable

APP_ROLE = "spina_app"

# The migrations ask for a member's right to hand connections on (`pg_has_role(…, 'set')`), which came with this one.
POSTGRES_MIN = 16

# A server on the same network answers within milliseconds; one that needs longer is down for us.
CONNECT_TIMEOUT_S = 3.0
# The longest statement is the reading of a whole game. A longer one stands behind something that hangs.
STATEMENT_TIMEOUT_S = 10.0
# The append lock is held for milliseconds. A session that waits this long waits for one that hangs.
LOCK_TIMEOUT_S = 5.0
# Longer than the server's own limit, so that this one speaks only when the network has swallowed the answer.
REPLY_TIMEOUT_S = STATEMENT_TIMEOUT_S + 2.0
# A few workers read at once; further reads wait for a connection in their turn.
POOL_SIZE_MAX = 8
# Longer than a connection takes to open. A read that waits this long stands behind reads that hang.
ACQUIRE_TIMEOUT_S = 5.0
# Together with REPLY_TIMEOUT_S shorter than a primary is silent before it has a successor: 17 s with the `ttl` of 20 s
# in infra/deploy/patroni/patroni.yaml, where it renews its office every 3 s.
CONFIRMED_FOR_S = 2.0

# Sent when the connection starts: stronger than the settings of the server, the database or the login role.
# `synchronous_commit`: the answer to an append promises that it survives a crash.
DURABLE = {"synchronous_commit": "on"}
SETTINGS = {
    **DURABLE,
    "role": APP_ROLE,
    "search_path": "spina, pg_temp",
    "default_transaction_isolation": "read committed",
    "default_transaction_read_only": "off",
    "statement_timeout": f"{STATEMENT_TIMEOUT_S:.0f}s",
    "lock_timeout": f"{LOCK_TIMEOUT_S:.0f}s",
    "idle_in_transaction_session_timeout": f"{STATEMENT_TIMEOUT_S:.0f}s",
    "application_name": "spina",
    # A statement whose caller has gone ends by itself; nothing cancels it.
    "client_connection_check_interval": "2s",
    # A vanished machine closes no connection. Its sessions, and its workers' locks, are gone within a dozen seconds.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10s",
}

# The append function's statements are the same for a batch of one and of two hundred; planning them anew for each
# call, as the server does on its own when it hopes for a better plan, takes as long as running them.
# They are planned once, perhaps on an empty log, for arrays of unknown length. To look each game up by its key costs
# the same for ever; a scan of all games, which the server would choose, is a little faster among hundreds of them and
# four times slower among ten thousand.
APPEND_SETTINGS = SETTINGS | {
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}

# Raised by asyncpg when the server is away, goes away, or is about to. The outcome of a sent statement is unknown.
CONNECTION_LOST = (
    OSError,
    EOFError,
    asyncio.TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
)

# Faults of the world, named by a running server: another session's lock, a full disk, a standby. Its other errors are
# about the statement, which is ours.
ABANDONED = (
    # A lock was not had in time, or the database takes no connections just now.
    asyncpg.ObjectNotInPrerequisiteStateError,
    asyncpg.InsufficientResourcesError,
    asyncpg.TransactionRollbackError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.PostgresSystemError,
)


async def open_app_connection(url: str) -> asyncpg.Connection:
    """One connection, closed by the caller."""
    return await connect(url, timeout=CONNECT_TIMEOUT_S, command_timeout=REPLY_TIMEOUT_S, server_settings=SETTINGS)


async def open_append_connection(url: str, *, timeout_s: float = CONNECT_TIMEOUT_S) -> Session:
    """Open the same for the appender, which may have less time left."""
    return await connect(
        url, timeout=min(timeout_s, CONNECT_TIMEOUT_S), command_timeout=REPLY_TIMEOUT_S, server_settings=APPEND_SETTINGS
    )


def build_app_pool(url: str) -> asyncpg.Pool:
    """Build a pool opened by awaiting it, or as a context manager."""
    return asyncpg.create_pool(
        url,
        min_size=1,
        max_size=POOL_SIZE_MAX,
        timeout=CONNECT_TIMEOUT_S,
        command_timeout=REPLY_TIMEOUT_S,
        server_settings=SETTINGS,
        connect=connect,
        connection_class=Session,
        reset=keep_session,
    )


async def keep_session(connection: asyncpg.Connection) -> None:
    """Reset nothing: no borrower sets anything on a connection, and asking would double every read.

    An open transaction is rolled back before this is called.
    """


@asynccontextmanager
async def borrowed(
    pool: asyncpg.Pool, *, timeout_s: float = ACQUIRE_TIMEOUT_S, confirmed_for_s: float = CONFIRMED_FOR_S
) -> AsyncIterator[PoolConnectionProxy]:
    """Lend one of the pool's connections, confirmed anew after so long, with a limit on each wait."""
    with telling_unavailable():
        try:
            connection = await pool.acquire(timeout=timeout_s)
        except asyncpg.PostgresError as error:
            # Nothing was asked yet: its error is not about a statement.
            raise StoreUnavailable(f"no connection: {type(error).__name__}: {error}") from error
        try:
            # The pool hands on the methods of its sessions.
            session = cast("Session", connection)
            await session.confirm_after(confirmed_for_s, timeout_s=min(timeout_s, CONNECT_TIMEOUT_S))
            yield connection
        except CONNECTION_LOST:
            # The other connections lead to the same node, which may be frozen: each would be waited for in its turn.
            await pool.expire_connections()
            raise
        finally:
            # A session that ended while it was waited for is back already. Its fault would hide a cancellation.
            with suppress(asyncpg.InternalClientError):
                await pool.release(connection)


@contextmanager
def telling_unavailable() -> Iterator[None]:
    """Around one statement: the many faults of the world become one; a mistake of ours stays as it is."""
    try:
        yield
    except (*CONNECTION_LOST, *ABANDONED) as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            # A transaction whose connection ended cannot be rolled back; its fault would hide the cancellation, and a
            # loop that goes on after a fault would never end.
            raise asyncio.CancelledError from error
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error
