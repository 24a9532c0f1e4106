"""Operators' records in Postgres, for the owner of the database alone: a line stands in the transaction of its act."""

from collections.abc import Sequence

import asyncpg

from domain.ids import StreamId, StreamVersion
from domain.log.entry import Entry
from infra.postgres.queries import Queries

# A shell that is stopped within an act, or that waits for one, keeps neither servers nor other operators waiting.
SET_TIMEOUTS = """
select set_config('lock_timeout', '5s', true), set_config('idle_in_transaction_session_timeout', '5s', true)
"""

# Of two operators the second reads the line of the first. The server's role may read the table, and so cannot hold this
# lock, as it could one of an advisory number.
LOCK = """
lock table spina.record in share row exclusive mode
"""

# One clock for all acts, on whichever machine their shells are.
READ_CLOCK = """
select (extract(epoch from clock_timestamp()) * 1000)::bigint
"""

HAS_RECORDS = """
select to_regclass('spina.record') is not null
"""

FIND_NEWEST = """
select id from spina.record order by number desc limit 1
"""

USE = """
insert into spina.record (id) values ($1)
"""

LIST = """
select id from spina.record group by id order by min(number)
"""

READ = """
select body from spina.event where stream = $1 order by version
"""

READ_ENDS = """
select body from spina.event
 where stream = $1 and version in (1, (select max(version) from spina.event where stream = $1)) order by version
"""

HAS_LINE = """
select from spina.event where stream = $1 and version = $2 and hash = $3
"""

APPEND = """
select spina.append_record($1, $2, $3, $4, $5, $6)
"""


class RecordMoved(Exception):
    """Lines were added that this session did not read, or its record cannot begin where another stream is."""

    def __init__(self, record: StreamId, version: StreamVersion) -> None:
        super().__init__(f"expected the record {record} at version {version}, found another one")


async def lock_records(owner: asyncpg.Connection) -> None:
    """Let no other operator write until the transaction ends. Raises LockNotAvailableError after seconds."""
    await owner.execute(SET_TIMEOUTS)
    await owner.execute(LOCK)


async def read_clock(owner: asyncpg.Connection) -> int:
    """Return the time of the database in milliseconds."""
    return int(await owner.fetchval(READ_CLOCK))


async def find_newest(owner: asyncpg.Connection) -> StreamId | None:
    """Return the record in use, if one was opened."""
    found = await owner.fetchval(FIND_NEWEST)
    return None if found is None else StreamId(str(found))


async def use_record(owner: asyncpg.Connection, record: StreamId) -> None:
    """Put lines into this record from now on."""
    await owner.execute(USE, record)


async def has_records(queries: Queries) -> bool:
    """Return whether a database can have records: before its upgrade from an earlier release it cannot."""
    ((found,),) = await queries.fetch_at_primary(HAS_RECORDS)
    return bool(found)


async def list_records(owner: asyncpg.Connection) -> Sequence[StreamId]:
    """List the records in the order of their first use."""
    return [StreamId(str(row["id"])) for row in await owner.fetch(LIST)]


async def read_record(owner: asyncpg.Connection, record: StreamId) -> Sequence[bytes]:
    """Read all lines of a record."""
    return [row["body"] for row in await owner.fetch(READ, record)]


async def read_ends(owner: asyncpg.Connection, record: StreamId) -> Sequence[bytes]:
    """Read the first line of a record, and the newest where it is another."""
    return [row["body"] for row in await owner.fetch(READ_ENDS, record)]


async def has_line(queries: Queries, entry: Entry) -> bool:
    """Return whether the primary that queries go to has a line."""
    line = entry.line
    return bool(await queries.fetch_at_primary(HAS_LINE, line.stream, line.version, bytes.fromhex(entry.hash)))


async def append_record(owner: asyncpg.Connection, entry: Entry) -> None:
    """Append a line that follows from the newest one. Raises RecordMoved."""
    line = entry.line
    before = StreamVersion(line.version - 1)
    hashes, bodies = [bytes.fromhex(entry.hash)], [entry.raw]
    if not await owner.fetchval(APPEND, line.stream, before, bytes.fromhex(line.prev), [line.type], hashes, bodies):
        raise RecordMoved(line.stream, before)
