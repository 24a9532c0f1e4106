"""Brings a database to the form this release needs: the numbered SQL files beside this module, forward only.

A file that was applied anywhere is never edited: its hash is kept in the database, and a difference is refused.
"""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
from asyncpg.pool import PoolConnectionProxy
from msgspec import Struct

from infra.postgres.connection import CONNECT_TIMEOUT_S
from infra.postgres.hosts import connect

FOLDER = Path(__file__).with_suffix("")
FILE_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")

# Runners of all processes that start at once stand in one line here; the key is only for them.
MIGRATION_LOCK = 5785247042113
LOCK_POLL_S = 0.05
# A migration is short; one that rewrites a big table is run by hand, with the servers down.
LOCK_PATIENCE_S = 60.0
# A migration that waits for a lock makes all sessions wait behind it, so it gives up soon and may be run again.
TABLE_LOCK_TIMEOUT = "5s"

CREATE_HISTORY = """
create schema if not exists spina;
create table if not exists spina.migration (
    number integer primary key,
    name text not null,
    hash bytea not null,
    applied_at timestamptz not null default clock_timestamp()
)
"""
TRY_LOCK = "select pg_try_advisory_lock($1)"
HAS_HISTORY = "select to_regclass('spina.migration') is not null"
READ_HISTORY = "select number, name, hash from spina.migration order by number"
ADD_TO_HISTORY = "insert into spina.migration (number, name, hash) values ($1, $2, $3)"

# A connection of our own, or one of a pool's.
Session = asyncpg.Connection | PoolConnectionProxy


class Migration(Struct, frozen=True, kw_only=True):
    number: int
    name: str
    sql: str

    @property
    def hash(self) -> bytes:
        return hashlib.sha256(self.sql.encode()).digest()


class MigrationChanged(Exception):
    """The database was made with another text of this file than the one here."""

    def __init__(self, number: int, *, applied: str, found: str) -> None:
        self.number = number
        super().__init__(f"migration {number} was applied as {applied}, and here it is {found}")


class MigrationBusy(Exception):
    """Another runner has held the lock for too long."""

    def __init__(self) -> None:
        super().__init__(f"another process has been migrating for {LOCK_PATIENCE_S:.0f} s")


def read_migrations(folder: Path = FOLDER) -> tuple[Migration, ...]:
    """Read the files of the folder in order, numbered from 1 without a hole."""
    found = []
    for path in sorted(folder.glob("*.sql")):
        match = FILE_NAME.match(path.name)
        assert match, f"{path.name} is not named like 0001_log.sql"
        found.append(Migration(number=int(match[1]), name=path.stem, sql=path.read_text()))
    assert [one.number for one in found] == list(range(1, len(found) + 1)), "migrations are numbered 1, 2, 3, …"
    return tuple(found)


async def migrate(owner_url: str, migrations: tuple[Migration, ...] | None = None) -> None:
    """Apply the missing ones, each file in a transaction of its own. Any number of runners may do so at once."""
    wanted = read_migrations() if migrations is None else migrations
    async with _connection(owner_url) as connection:
        await _take_lock(connection)
        await connection.execute(CREATE_HISTORY)
        for migration in await _find_missing(connection, wanted):
            async with connection.transaction():
                await connection.execute(f"set local lock_timeout = '{TABLE_LOCK_TIMEOUT}'")
                await connection.execute("set local search_path = spina, pg_temp")
                await connection.execute(migration.sql)
                await connection.execute(ADD_TO_HISTORY, migration.number, migration.name, migration.hash)


async def find_pending(url: str, migrations: tuple[Migration, ...] | None = None) -> tuple[str, ...]:
    """Names of the files the database has not been given yet. The app's role may ask as well."""
    wanted = read_migrations() if migrations is None else migrations
    async with _connection(url) as connection:
        return await list_pending(connection, wanted)


async def list_pending(connection: Session, wanted: tuple[Migration, ...]) -> tuple[str, ...]:
    """State the same on a connection that is open already."""
    if not await connection.fetchval(HAS_HISTORY):
        return tuple(migration.name for migration in wanted)
    return tuple(migration.name for migration in await _find_missing(connection, wanted))


@asynccontextmanager
async def _connection(url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await connect(url, timeout=CONNECT_TIMEOUT_S)
    try:
        yield connection
    finally:
        await connection.close()


async def _take_lock(connection: asyncpg.Connection) -> None:
    """Poll for it: a waiting session holds a snapshot, and `create index concurrently` waits for snapshots.

    The lock is the session's and goes with the connection.
    """
    try:
        async with asyncio.timeout(LOCK_PATIENCE_S):
            while not await connection.fetchval(TRY_LOCK, MIGRATION_LOCK):  # noqa: ASYNC110 - it is another process
                await asyncio.sleep(LOCK_POLL_S)
    except TimeoutError:
        raise MigrationBusy from None


async def _find_missing(connection: Session, wanted: tuple[Migration, ...]) -> list[Migration]:
    applied = {row["number"]: row for row in await connection.fetch(READ_HISTORY)}
    for migration in wanted:
        row = applied.get(migration.number)
        if row is not None and row["hash"] != migration.hash:
            raise MigrationChanged(
                migration.number,
                applied=f"{row['name']} ({row['hash'].hex()[:12]})",
                found=f"{migration.name} ({migration.hash.hex()[:12]})",
            )
    # Migrations of a newer release stay: they are made so that this one still works.
    return [migration for migration in wanted if migration.number not in applied]
