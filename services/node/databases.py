"""Connections to a given database, refused in a sentence. Acts of an operator need no more of a server than this."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from domain.log.record import BadLine, parse_line
from infra.postgres.connection import CONNECT_TIMEOUT_S, CONNECTION_LOST, DURABLE, POSTGRES_MIN, REPLY_TIMEOUT_S
from infra.postgres.hosts import connect
from infra.postgres.migrations import MigrationChanged, Session, list_pending, read_migrations
from infra.redaction import redact_text

HAS_LOG = "select to_regclass('spina.event') is not null"
READ_NEWEST = "select body from spina.event order by position desc limit 1"
# Reported by a database whose tables are not those of this release.
OTHER_TABLES = (
    asyncpg.InvalidSchemaNameError,
    asyncpg.UndefinedTableError,
    asyncpg.UndefinedColumnError,
    asyncpg.UndefinedFunctionError,
)

# Inside a block a file may be missing, too.
LOST = (ConnectionError, *(error for error in CONNECTION_LOST if error is not OSError))


class DatabaseRefused(Exception):
    """A given database cannot be used."""

    def __init__(self, variable: str, reason: str) -> None:
        self.variable = variable
        super().__init__(f"expected a database at {variable}, found: {redact_text(reason)}")


class DatabaseAway(DatabaseRefused):
    """A given database cannot be reached just now, or takes no writes."""


@asynccontextmanager
async def database_at(url: str, *, variable: str) -> AsyncIterator[asyncpg.Connection]:
    """Connect once. Raises DatabaseAway, also inside the block, or DatabaseRefused; they show no URL."""
    try:
        connection = await connect(
            url, timeout=CONNECT_TIMEOUT_S, command_timeout=REPLY_TIMEOUT_S, server_settings=DURABLE
        )
    except (ValueError, OverflowError) as error:
        # Of a wrong option or certificate the message is shown; others quote the URL.
        is_told = isinstance(error, asyncpg.ClientConfigurationError | OSError)
        raise DatabaseRefused(variable, str(error) if is_told else "a URL that cannot be read") from None
    except CONNECTION_LOST as error:
        raise DatabaseAway(variable, str(error) or f"no answer within {CONNECT_TIMEOUT_S:g} s") from None
    except asyncpg.PostgresError as error:
        raise DatabaseRefused(variable, str(error)) from error
    try:
        version = connection.get_server_version()
        if version.major < POSTGRES_MIN:
            found = f"PostgreSQL {version.major}.{version.minor}; Spina needs {POSTGRES_MIN} or later"
            raise DatabaseRefused(variable, found)
        yield connection
    except OTHER_TABLES as error:
        other = await _find_other_tables(connection)
        if other is None:
            raise
        raise DatabaseRefused(variable, other) from error
    except LOST as error:
        raise DatabaseAway(variable, str(error) or f"no answer within {REPLY_TIMEOUT_S:g} s") from None
    finally:
        await connection.close()


async def _find_other_tables(connection: asyncpg.Connection) -> str | None:
    """Return how the tables differ from those of this release, and the remedy; None where they do not."""
    wanted = read_migrations()
    try:
        pending = await list_pending(connection, wanted)
    except (MigrationChanged, asyncpg.PostgresError) as other:
        return f"tables of another build ({other}); see Upgrade in docs/operating.md"
    if len(pending) == len(wanted):
        return "no tables of Spina; the first start of `spina serve` makes them"
    if pending:
        found = f"tables of an earlier release, without {len(pending)} migrations"
        return f"{found}; the next start of `spina serve` applies them"
    return None


async def check_log(owner: Session, *, variable: str) -> None:
    """Raise DatabaseRefused where this release cannot read the newest line, before anything is changed."""
    newest = await owner.fetchval(READ_NEWEST) if await owner.fetchval(HAS_LOG) else None
    if newest is None:
        return
    try:
        parse_line(newest)
    except BadLine as unread:
        raise DatabaseRefused(variable, f"a log of another build, which this one does not read: {unread}") from None
