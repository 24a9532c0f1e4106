"""The ledger in Postgres: read by `Queries`, written on the one connection that holds the notary's lock.

A notary whose connection is gone has lost its lock and can write nothing; one that merely hung fails at the head.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from domain.ids import LineHash, LogPosition, StreamId, StreamVersion
from domain.ledger.leaf import Leaf
from domain.ledger.tiles import Tile
from infra import ledger_store
from infra.postgres.connection import telling_unavailable
from infra.postgres.queries import Queries
from infra.postgres.worker_signs import NOTARY_LOCK, locked_session

READ_LEDGER_HEAD = """
select tree_size, root, position, edge from ledger_head
"""

READ_ENTRIES = """
select position, stream, version, mac from ledger_entry where index >= $1 and index < $2 order by index
"""

# A wider tile begins with the narrower one, whether it is full by now or still at the edge.
READ_TILES = """
select asked.place,
       substr(coalesce(full_tile.hashes,
                       case when asked.index = tree_size >> 8 * (asked.level + 1) then edge[asked.level + 1] end),
              1, 32 * asked.width) as hashes
  from unnest($1::int[], $2::bigint[], $3::int[]) with ordinality asked (level, index, width, place)
 cross join ledger_head
  left join ledger_tile full_tile on full_tile.level = asked.level and full_tile.index = asked.index
"""

READ_LEDGER_STREAMS = """
select id, version, head, leaf_key from ledger_stream where id = any ($1)
"""

FIND_INDEX = """
select index from ledger_entry where stream = $1 and version = $2
"""

FIND_CHECKPOINTS_AFTER = """
select tree_size, root,
       note || coalesce((select string_agg(line, '' order by witness) from ledger_cosignature cosigned
                          where cosigned.origin = signed.origin and cosigned.tree_size = signed.tree_size), '') as note
  from ledger_checkpoint signed where origin = $1 and tree_size > $2 order by tree_size limit $3
"""

FIND_COSIGNED_AFTER = """
select tree_size, root, note || string_agg(line, '' order by witness) as note
  from ledger_checkpoint join ledger_cosignature using (origin, tree_size)
 where origin = $1 and tree_size > $2 group by origin, tree_size having count(*) >= $3 order by tree_size limit $4
"""

FIND_CHECKPOINT = """
select tree_size, root,
       note || coalesce((select string_agg(line, '' order by witness) from ledger_cosignature cosigned
                          where cosigned.origin = signed.origin and cosigned.tree_size = signed.tree_size), '') as note
  from ledger_checkpoint signed where origin = $1 order by tree_size desc limit 1
"""

# One descent of the index for each origin: there are as many as restored backups, and very many checkpoints.
LIST_ORIGINS = """
with recursive found (origin) as (
    select min(origin) from ledger_checkpoint
    union all
    select (select min(origin) from ledger_checkpoint where origin > found.origin) from found where origin is not null
)
select origin from found where origin is not null
"""

GROW = """
select ledger_grow($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
"""

PUBLISH = """
select ledger_publish($1, $2, $3, $4)
"""

COSIGN = """
select ledger_cosign($1, $2, $3, $4)
"""


class PostgresLedger:
    """See `Ledger` for the contract of each method."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    async def read_head(self) -> ledger_store.LedgerHead:
        row = await self._queries.fetch_row(READ_LEDGER_HEAD)
        assert row is not None, "the head is there from the first migration on"
        return ledger_store.LedgerHead(
            tree_size=row["tree_size"], root=row["root"], position=LogPosition(row["position"]), edge=tuple(row["edge"])
        )

    async def read_entries(self, first: int, end: int) -> list[ledger_store.LedgerEntry]:
        assert 0 <= end - first <= ledger_store.ENTRIES_MAX, (first, end)
        rows = await self._queries.fetch(READ_ENTRIES, first, end)
        return [
            ledger_store.LedgerEntry(
                position=LogPosition(row["position"]),
                leaf=Leaf(
                    stream=StreamId(str(row["stream"])), version=StreamVersion(row["version"]), mac=row["mac"].hex()
                ),
            )
            for row in rows
        ]

    async def read_tiles(self, tiles: list[Tile]) -> dict[Tile, bytes]:
        columns = [tile.level for tile in tiles], [tile.index for tile in tiles], [tile.width for tile in tiles]
        rows = await self._queries.fetch(READ_TILES, *columns)
        found = {tiles[row["place"] - 1]: row["hashes"] for row in rows}
        # `substr` of a narrower tile gives all of it: a tile of less than the requested width does not exist.
        return {tile: raw for tile, raw in found.items() if raw is not None and len(raw) == 32 * tile.width}

    async def read_streams(self, streams: list[StreamId]) -> dict[StreamId, ledger_store.LedgerStream]:
        rows = await self._queries.fetch(READ_LEDGER_STREAMS, streams)
        return {
            StreamId(str(row["id"])): ledger_store.LedgerStream(
                version=StreamVersion(row["version"]), head=LineHash(row["head"].hex()), leaf_key=row["leaf_key"]
            )
            for row in rows
        }

    async def find_index(self, stream: StreamId, version: StreamVersion) -> int | None:
        index: int | None = await self._queries.fetch_value(FIND_INDEX, stream, version)
        return index

    async def find_checkpoint(self, origin: str) -> ledger_store.StoredCheckpoint | None:
        row = await self._queries.fetch_row(FIND_CHECKPOINT, origin)
        return None if row is None else _checkpoint(row)

    async def find_checkpoints_after(
        self, origin: str, tree_size: int, *, limit: int
    ) -> list[ledger_store.StoredCheckpoint]:
        rows = await self._queries.fetch(FIND_CHECKPOINTS_AFTER, origin, tree_size, limit)
        return [_checkpoint(row) for row in rows]

    async def find_cosigned_after(
        self, origin: str, tree_size: int, *, witnesses: int, limit: int
    ) -> list[ledger_store.StoredCheckpoint]:
        rows = await self._queries.fetch(FIND_COSIGNED_AFTER, origin, tree_size, witnesses, limit)
        return [_checkpoint(row) for row in rows]

    async def list_origins(self) -> list[str]:
        rows = await self._queries.fetch(LIST_ORIGINS)
        return [row["origin"] for row in rows]

    async def cosign(self, origin: str, *, tree_size: int, witness: str, line: str) -> None:
        await self._queries.execute(COSIGN, origin, tree_size, witness, line)


class PostgresNotaryDesk:
    """See `NotaryDesk`. One call at a time: it is one connection, and one notary."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def grow(self, growth: ledger_store.Growth) -> None:
        assert growth.after.tree_size == growth.before.tree_size + len(growth.entries), growth.after.tree_size
        with telling_unavailable():
            is_stored = await self._connection.fetchval(GROW, *_columns(growth))
        if not is_stored:
            raise ledger_store.HeadMoved(growth.before)

    async def publish(self, origin: str, checkpoint: ledger_store.StoredCheckpoint) -> None:
        try:
            with telling_unavailable():
                await self._connection.execute(
                    PUBLISH, origin, checkpoint.tree_size, checkpoint.root, checkpoint.note.decode()
                )
        except asyncpg.RestrictViolationError as error:
            raise ledger_store.CheckpointRefused(origin, tree_size=checkpoint.tree_size, reason=str(error)) from error


@asynccontextmanager
async def notary_desk(url: str) -> AsyncIterator[PostgresNotaryDesk | None]:
    """Give the desk while the block runs, or None where another session is the notary."""
    async with locked_session(url, NOTARY_LOCK) as connection:
        yield None if connection is None else PostgresNotaryDesk(connection)


def _checkpoint(row: asyncpg.Record) -> ledger_store.StoredCheckpoint:
    return ledger_store.StoredCheckpoint(tree_size=row["tree_size"], root=row["root"], note=row["note"].encode())


def _columns(growth: ledger_store.Growth) -> tuple[object, ...]:
    leaves = [entry.leaf for entry in growth.entries]
    moved = growth.moved.values()
    return (
        growth.before.tree_size,
        growth.before.root,
        growth.before.position,
        growth.after.root,
        growth.after.edge,
        [entry.position for entry in growth.entries],
        [leaf.stream for leaf in leaves],
        [leaf.version for leaf in leaves],
        [bytes.fromhex(leaf.mac) for leaf in leaves],
        [tile.level for tile, _ in growth.tiles],
        [tile.index for tile, _ in growth.tiles],
        [raw for _, raw in growth.tiles],
        list(growth.moved),
        [stream.version for stream in moved],
        [bytes.fromhex(stream.head) for stream in moved],
        [stream.leaf_key for stream in moved],
    )
