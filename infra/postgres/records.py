"""Operators' records in Postgres, for the owner of the database alone: a line stands in the transaction of its act."""

from collections.abc import Sequence

import asyncpg

from domain.ids import StreamId, StreamVersion
from domain.log.entry import Entry

# Held until the act is done: of two operators the second reads what the first wrote. No server waits for it.
LOCK = """
select pg_advisory_xact_lock(5785247042123)
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

APPEND = """
select spina.append_record($1, $2, $3, $4, $5, $6)
"""


class RecordMoved(Exception):
    """Lines were added that this session did not read, or its record cannot begin where another stream is."""

    def __init__(self, record: StreamId, version: StreamVersion) -> None:
        super().__init__(f"expected the record {record} at version {version}, found another one")


async def lock_records(owner: asyncpg.Connection) -> None:
    """Let no other operator write until the transaction ends."""
    await owner.execute(LOCK)


async def find_newest(owner: asyncpg.Connection) -> StreamId | None:
    """Return the record in use, if one was opened."""
    found = await owner.fetchval(FIND_NEWEST)
    return None if found is None else StreamId(str(found))


async def use_record(owner: asyncpg.Connection, record: StreamId) -> None:
    """Put lines into this record from now on."""
    await owner.execute(USE, record)


async def has_records(owner: asyncpg.Connection) -> bool:
    """Say whether the database can have records: before its upgrade from an earlier release it cannot."""
    found: bool = await owner.fetchval(HAS_RECORDS)
    return found


async def list_records(owner: asyncpg.Connection) -> Sequence[StreamId]:
    """List the records in the order of their first use."""
    return [StreamId(str(row["id"])) for row in await owner.fetch(LIST)]


async def read_record(owner: asyncpg.Connection, record: StreamId) -> Sequence[bytes]:
    """Read all lines of a record; none where it was not opened."""
    return [row["body"] for row in await owner.fetch(READ, record)]


async def append_record(owner: asyncpg.Connection, entries: Sequence[Entry]) -> None:
    """Append lines that follow from the newest one. Raises RecordMoved."""
    first = entries[0].line
    before = StreamVersion(first.version - 1)
    is_done = await owner.fetchval(
        APPEND,
        first.stream,
        before,
        bytes.fromhex(first.prev),
        [entry.line.type for entry in entries],
        [bytes.fromhex(entry.hash) for entry in entries],
        [entry.raw for entry in entries],
    )
    if not is_done:
        raise RecordMoved(first.stream, before)
