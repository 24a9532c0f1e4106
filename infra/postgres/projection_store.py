"""Projections in Postgres: read by `Queries`, written on the one connection that holds a build's lock.

Each read is one statement, so that a swap is seen whole or not at all.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import asyncpg

from domain.ids import LogPosition
from infra.postgres.connection import open_app_connection, telling_unavailable
from infra.postgres.queries import Queries
from infra.projection_store import ROWS_MAX, Advance, Build, BuildMoved, Sought, SoughtPlaces, StoredRow, find_rank

# The first half of the locks of builds; the second is the build's id. Apart from all locks of one number.
BUILD_LOCKS = 578524704
# Rows of a retired build deleted in one statement: some ten milliseconds.
DROPPED_MAX = 2_000

LIST_BUILDS = """
select id, projection, version, position, status from projection_build order by id
"""

# One descent of the index finds the next text of labels: there are some for each ruleset. Of each that fits no more
# rows are read than the page has, in their order.
LIST_OWNERS = """
with recursive live (id) as (
    select id from projection_build where projection = $1 and status = 'live'
), known (build, labels) as (
    select id, '' from live
    union all
    select build, (select labels from projection_row row
                    where row.build = known.build and place = '' and row.labels <> '' and row.labels > known.labels
                    order by labels limit 1)
      from known where labels is not null
)
select owner, place, labels, from_ms, body, rank
  from live
 cross join (select labels from known
              where labels <> '' and (string_to_array(labels, ' ') @> $2 or string_to_array(labels, ' ') @> $3)) fitting
 cross join lateral (
       select owner, place, from_ms, body, rank from projection_row row
        where row.build = live.id and row.place = '' and row.labels <> '' and row.labels = fitting.labels
          and ($4::text is null or rank < $4)
          and (from_ms <= $5 or owner = any ($6::uuid[]))
        order by rank desc limit $7) page
 order by rank desc limit $7
"""

LIST_PLACES = """
select owner, place, labels, from_ms, body, rank
  from projection_row row join projection_build build on build.id = row.build
 where projection = $1 and status = 'live' and owner = $2 and place > ''
   and ($3::text is null or rank < $3) and rank > $7 and not string_to_array(labels, ' ') && $4::text[]
   and ($5::bigint is null or from_ms <= $5)
 order by rank desc limit $6
"""

LIST_HIDDEN = """
select owner, place, labels, from_ms, body, rank
  from projection_row row join projection_build build on build.id = row.build
 where projection = $1 and status = 'live' and owner = $2 and place <> '' and from_ms > 0
 order by place desc limit $3
"""

COUNT_LABELS = """
select labels, count(*) as count
  from projection_row row join projection_build build on build.id = row.build
 where projection = $1 and status = 'live' and owner = $2 and place > ''
 group by labels order by labels
"""

# Where two begin at once, one of them meets the other's row in an index.
ADD_BUILD = """
insert into projection_build (projection, version, status)
select $1, $2,
       case when exists (select from projection_build where projection = $1 and status = 'live')
            then 'building' else 'live' end
    on conflict do nothing
"""

ADD_BUILD_UNLESS_THERE = """
insert into projection_build (projection, version, status)
select $1, $2,
       case when exists (select from projection_build where projection = $1 and status = 'live')
            then 'building' else 'live' end
 where not exists (
       select from projection_build where projection = $1 and version >= $2 and status <> 'retired')
    on conflict do nothing
"""

FIND_ADDED = """
select id, projection, version, position, status from projection_build
 where projection = $1 and version = $2 and (status = 'building' or (status = 'live' and position = 0))
 order by id desc limit 1
"""

TRY_LOCK = """
select pg_try_advisory_lock($1, $2)
"""

READ_STATES = """
select owner, body from projection_row where build = $1 and owner = any ($2::uuid[]) and place = ''
"""

# One statement, so one transaction: a process that lost the race for the position writes no row either.
ADVANCE = """
with moved as (
    update projection_build set position = $3
     where id = $1 and position = $2 and status <> 'retired' returning id
), written as (
    insert into projection_row (build, owner, place, labels, from_ms, body, rank)
    select moved.id, given.owner, given.place, given.labels, given.from_ms, given.body, given.rank
      from moved, unnest($4::uuid[], $5::bytea[], $6::text[], $7::bigint[], $8::bytea[], $9::text[])
                  as given (owner, place, labels, from_ms, body, rank)
     where given.body <> ''
        on conflict (build, owner, place) do update
       set labels = excluded.labels, from_ms = excluded.from_ms, body = excluded.body, rank = excluded.rank
), deleted as (
    delete from projection_row row
     using moved, unnest($4::uuid[], $5::bytea[], $8::bytea[]) as given (owner, place, body)
     where row.build = moved.id and row.owner = given.owner and row.place = given.place and given.body = ''
)
select count(*) from moved
"""

# The live build cannot move while the two change places.
LOCK_BUILDS = """
select id, position, status from projection_build where projection = $1 and status <> 'retired' order by id for update
"""

# With the live one go the unfinished builds of earlier releases.
RETIRE = """
update projection_build set status = 'retired'
 where projection = $1 and id <> $2 and (status = 'live' or (status = 'building' and version <= $3))
"""

SERVE = """
update projection_build set status = 'live' where id = $1
"""

DROP_ROWS = """
delete from projection_row where build = $1 and (owner, place) in (
    select owner, place from projection_row where build = $1 limit $2
)
"""

DROP_BUILD = """
delete from projection_build where id = $1 and status = 'retired'
"""


class PostgresProjections:
    """See `Projections` for the contract of each method."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    async def list_builds(self) -> list[Build]:
        return [_build(row) for row in await self._queries.fetch(LIST_BUILDS)]

    async def list_owners(self, projection: str, sought: Sought, *, limit: int) -> list[StoredRow]:
        assert 1 <= limit <= ROWS_MAX, limit
        # Every row has all of no labels.
        labels, or_labels = list(sought.labels), list(sought.or_labels or sought.labels)
        found = await self._queries.fetch(
            LIST_OWNERS, projection, labels, or_labels, sought.before, sought.now_ms, list(sought.known), limit
        )
        return [_stored(row) for row in found]

    async def list_places(self, projection: str, owner: str, sought: SoughtPlaces, *, limit: int) -> list[StoredRow]:
        assert 1 <= limit <= ROWS_MAX, limit
        without = list(sought.without)
        given = (projection, owner, sought.before, without, sought.now_ms, limit, sought.after)
        found = await self._queries.fetch(LIST_PLACES, *given)
        return [_stored(row) for row in found]

    async def list_hidden(self, projection: str, owner: str, *, limit: int) -> list[StoredRow]:
        assert 1 <= limit <= ROWS_MAX, limit
        return [_stored(row) for row in await self._queries.fetch(LIST_HIDDEN, projection, owner, limit)]

    async def count_labels(self, projection: str, owner: str) -> list[tuple[tuple[str, ...], int]]:
        rows = await self._queries.fetch(COUNT_LABELS, projection, owner)
        return [(split_labels(row["labels"]), row["count"]) for row in rows]


class PostgresProjectorDesk:
    """See `ProjectorDesk`. One call at a time: it is one connection."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def list_builds(self) -> list[Build]:
        with telling_unavailable():
            return [_build(row) for row in await self._connection.fetch(LIST_BUILDS)]

    async def begin_missing(self, projection: str, version: int) -> None:
        with telling_unavailable():
            await self._connection.execute(ADD_BUILD_UNLESS_THERE, projection, version)

    async def begin_another(self, projection: str, version: int) -> Build:
        with telling_unavailable():
            async with self._connection.transaction():
                await self._connection.execute(ADD_BUILD, projection, version)
                row = await self._connection.fetchrow(FIND_ADDED, projection, version)
                assert row is not None, f"no build of {projection} {version} was begun"
                # Before others can see it: the process that begins a build continues it.
                await self._connection.fetchval(TRY_LOCK, BUILD_LOCKS, row["id"])
        return _build(row)

    async def hold(self, build: Build) -> bool:
        with telling_unavailable():
            return bool(await self._connection.fetchval(TRY_LOCK, BUILD_LOCKS, build.id))

    async def read_states(self, build: Build, owners: Sequence[str]) -> dict[str, bytes]:
        with telling_unavailable():
            rows = await self._connection.fetch(READ_STATES, build.id, list(owners))
        return {str(row["owner"]): row["body"] for row in rows}

    async def advance(self, advance: Advance) -> None:
        build, rows = advance.build, advance.rows
        assert advance.position > build.position, (advance.position, build.position)
        columns = (
            [row.owner for row in rows],
            [row.place for row in rows],
            [" ".join(row.labels) for row in rows],
            [row.from_ms for row in rows],
            [row.body for row in rows],
            [find_rank(row) for row in rows],
        )
        with telling_unavailable():
            moved = await self._connection.fetchval(ADVANCE, build.id, build.position, advance.position, *columns)
        if not moved:
            raise BuildMoved(build)

    async def swap(self, build: Build) -> bool:
        with telling_unavailable():
            async with self._connection.transaction():
                builds = {row["id"]: row for row in await self._connection.fetch(LOCK_BUILDS, build.projection)}
                ours = builds.get(build.id)
                live = next((row for row in builds.values() if row["status"] == "live"), None)
                if ours is None or (live is not None and live["position"] > ours["position"]):
                    return False
                await self._connection.execute(RETIRE, build.projection, build.id, build.version)
                await self._connection.execute(SERVE, build.id)
        return True

    async def drop_some(self, build: Build) -> bool:
        with telling_unavailable():
            dropped = await self._connection.execute(DROP_ROWS, build.id, DROPPED_MAX)
            if dropped != "DELETE 0":
                return True
            await self._connection.execute(DROP_BUILD, build.id)
        return False


@asynccontextmanager
async def projector_desk(url: str) -> AsyncIterator[PostgresProjectorDesk]:
    """Give a desk while the block runs. Its locks go with the connection."""
    with telling_unavailable():
        connection = await open_app_connection(url)
    try:
        yield PostgresProjectorDesk(connection)
    finally:
        # Not closed in peace: a statement under way is to end with it.
        connection.terminate()


def split_labels(labels: str) -> tuple[str, ...]:
    return tuple(labels.split())


def _build(row: asyncpg.Record) -> Build:
    return Build(
        id=row["id"],
        projection=row["projection"],
        version=row["version"],
        position=LogPosition(row["position"]),
        status=row["status"],
    )


def _stored(row: asyncpg.Record) -> StoredRow:
    return StoredRow(
        owner=str(row["owner"]),
        place=row["place"],
        labels=split_labels(row["labels"]),
        from_ms=row["from_ms"],
        body=row["body"],
        rank=row["rank"],
    )
