"""The log in Postgres: appended through one `Appender`, read by `Queries`.

Every read is one statement and so one snapshot of the log.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from domain.ids import CommandId, LineHash, LogPosition, StreamId, StreamVersion, is_uuid
from infra.event_store import (
    READ_LINES_MAX,
    Append,
    CommandAnswer,
    HeldOpening,
    StoredComponents,
    StoredEvent,
    StoredStream,
    StreamHead,
)
from infra.postgres.appender import Appender
from infra.postgres.connection import build_app_pool, telling_unavailable
from infra.postgres.queries import Queries
from infra.store_faults import UnknownComponents, UnknownStream

READ_STREAM = """
select body from event where stream = $1 and version > $2 order by version limit $3
"""

READ_GAME = """
select head,
       array(select body from event where stream = $1 order by version) as lines,
       (select sealed_box from secret where stream = $1) as secret_box,
       array(select version from held_opening where stream = $1 order by version) as held_versions,
       array(select sealed_box from held_opening where stream = $1 order by version) as held_boxes
from stream where id = $1
"""

READ_VERSIONS = """
select id, version from stream where id = any($1::uuid[])
"""

READ_HEADS = """
select event.stream, event.version, event.type
  from stream join event on event.stream = stream.id and event.version = stream.version
 where stream.id = any($1::uuid[])
"""

READ_HELD = """
select version, sealed_box from held_opening where stream = $1 and version > $2 order by version limit $3
"""

FIND_COMMAND = """
select first_version, last_version, head, body_hash from command where stream = $1 and id = $2
"""

READ_LOG = """
select position, stream, version, hash, body from event where position > $1 order by position limit $2
"""

# Of committed events; the sequence is ahead of them while an append is under way.
READ_HEAD = """
select coalesce(max(position), 0) from event
"""

SAVE_COMPONENTS = """
select save_components($1, $2, $3, $4)
"""

READ_COMPONENTS = """
select body from components where hash = $1
"""

LIST_COMPONENTS = """
select hash, ruleset, version, body from components order by hash
"""


@asynccontextmanager
async def open_event_store(url: str) -> AsyncIterator["PostgresEventStore"]:
    with telling_unavailable():
        pool = await build_app_pool(url)
    async with pool, Appender(url) as appender:
        yield PostgresEventStore(Queries(pool), appender)


class PostgresEventStore:
    """See `EventStore` for the contract of each method."""

    def __init__(self, queries: Queries, appender: Appender) -> None:
        self._queries = queries
        self._appender = appender

    async def append(self, append: Append) -> None:
        await self._appender.append(append)

    async def read_stream(self, stream: StreamId, *, after: StreamVersion, limit: int) -> list[bytes]:
        assert 1 <= limit <= READ_LINES_MAX, limit
        if not is_uuid(stream):
            return []
        rows = await self._queries.fetch(READ_STREAM, stream, after, limit)
        return [row["body"] for row in rows]

    async def load_stream(self, stream: StreamId) -> StoredStream:
        if not is_uuid(stream):
            raise UnknownStream(stream)
        row = await self._queries.fetch_row(READ_GAME, stream)
        if row is None:
            raise UnknownStream(stream)
        return StoredStream(
            lines=tuple(row["lines"]),
            head=LineHash(row["head"].hex()),
            secret_box=row["secret_box"],
            held=tuple(
                HeldOpening(version=StreamVersion(version), sealed_box=box)
                for version, box in zip(row["held_versions"], row["held_boxes"], strict=True)
            ),
        )

    async def read_versions(self, streams: Sequence[StreamId]) -> dict[StreamId, StreamVersion]:
        known = [stream for stream in streams if is_uuid(stream)]
        rows = await self._queries.fetch(READ_VERSIONS, known)
        return {StreamId(str(row["id"])): StreamVersion(row["version"]) for row in rows}

    async def read_heads(self, streams: Sequence[StreamId]) -> dict[StreamId, StreamHead]:
        known = [stream for stream in streams if is_uuid(stream)]
        rows = await self._queries.fetch(READ_HEADS, known)
        return {
            StreamId(str(row["stream"])): StreamHead(version=StreamVersion(row["version"]), type=row["type"])
            for row in rows
        }

    async def read_held(self, stream: StreamId, *, after: StreamVersion, limit: int) -> list[HeldOpening]:
        assert 1 <= limit <= READ_LINES_MAX, limit
        if not is_uuid(stream):
            return []
        rows = await self._queries.fetch(READ_HELD, stream, after, limit)
        return [HeldOpening(version=StreamVersion(row["version"]), sealed_box=row["sealed_box"]) for row in rows]

    async def find_command(self, stream: StreamId, command: CommandId) -> CommandAnswer | None:
        if not (is_uuid(stream) and is_uuid(command)):
            return None
        row = await self._queries.fetch_row(FIND_COMMAND, stream, command)
        if row is None:
            return None
        return CommandAnswer(
            first_version=StreamVersion(row["first_version"]),
            last_version=StreamVersion(row["last_version"]),
            head=LineHash(row["head"].hex()),
            body_hash=row["body_hash"],
        )

    async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]:
        assert 1 <= limit <= READ_LINES_MAX, limit
        rows = await self._queries.fetch(READ_LOG, after, limit)
        return [
            StoredEvent(
                position=LogPosition(row["position"]),
                stream=StreamId(str(row["stream"])),
                version=StreamVersion(row["version"]),
                hash=LineHash(row["hash"].hex()),
                body=row["body"],
            )
            for row in rows
        ]

    async def read_head(self) -> LogPosition:
        return LogPosition(await self._queries.fetch_value(READ_HEAD))

    async def save_components(self, components_hash: str, *, ruleset: str, version: int, body: bytes) -> None:
        await self._queries.execute(SAVE_COMPONENTS, bytes.fromhex(components_hash), ruleset, version, body)

    async def read_components(self, components_hash: str) -> bytes:
        body: bytes | None = await self._queries.fetch_value(READ_COMPONENTS, bytes.fromhex(components_hash))
        if body is None:
            raise UnknownComponents(components_hash)
        return body

    async def list_components(self) -> list[StoredComponents]:
        rows = await self._queries.fetch(LIST_COMPONENTS)
        return [
            StoredComponents(hash=row["hash"].hex(), ruleset=row["ruleset"], version=row["version"], body=row["body"])
            for row in rows
        ]
