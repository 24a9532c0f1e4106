"""The outbox of notices in Postgres: one row for each notice and way, stored with the bookmark of the log's reader.

A row is deleted once its notice is delivered, so that any stop repeats a notice under its id, and loses none.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager

import asyncpg

from domain.accounts.notice import DEADLINES, ORDER, Notice, format_fact, parse_fact
from domain.ids import LogPosition, PlayerId
from infra.clock_book import BookMoved
from infra.postgres.connection import borrowed, telling_unavailable
from infra.postgres.worker_signs import NOTIFIER_LOCK, locked_session

# Notices that wait for one way: a player's games, and as many again that an hour of tournaments brings.
DEADLINES_WAITING_MAX = 200
OTHERS_WAITING_MAX = 100

READ_POSITION = """
select position from notifier
"""

# One statement, so that a way stored before an event is seen beside it.
SKIP = """
update notifier set position = (select coalesce(max(position), 0) from event)
 where position < (select coalesce(max(position), 0) from event)
   and not exists (select from notice_way where end_reason is null)
returning position
"""

MOVE = """
update notifier set position = $2 where position = $1 returning true
"""

# Beyond the bound of a way one notice states so. A deadline does not wait for a rest that began without one.
ADD = """
with wanted as (
    select way.id as way, given.id, given.kind, stream, fact, version, position, at_ms,
           given.kind = any ($10::text[]) as is_deadline,
           row_number() over (partition by way.id, given.kind = any ($10::text[]) order by position, version)
           + (select count(*) from notice
               where notice.way = way.id and (notice.kind = any ($10::text[])) = (given.kind = any ($10::text[])))
           > case when given.kind = any ($10::text[]) then $11::bigint else $12::bigint end as is_beyond
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[])
           as given (id, account, kind, stream, fact, version, position, at_ms)
      join notice_way way
        on way.account = given.account and given.kind = any (way.kinds) and way.end_reason is null
       and way.kind <> 'calendar'
       and given.position > way.added_position
), added as (
    insert into notice (way, id, kind, stream, fact, version, position, at_ms)
    select way, id, kind, stream, fact, version, position, at_ms from wanted where not is_beyond
    on conflict do nothing
    returning way, kind = any ($10::text[]) as is_deadline
), more as (
    insert into notice (way, id, kind, stream, fact, version, position, at_ms)
    select distinct on (way) way, id, 'more', way, '', 0, position, at_ms from wanted
     where is_beyond and not exists (select from notice where notice.way = wanted.way and notice.kind = 'more')
     order by way, position
    on conflict do nothing
    returning way
)
update notice_way
   set due_ms = case when is_light_rest and failures = 0
                          and id in (select way from added where is_deadline) then least(due_ms, $9)
                     else coalesce(due_ms, $9) end
 where id in (select way from added union select way from more) and end_reason is null
"""

FIND_TOLD = """
select distinct account from notice_way where account = any ($1::uuid[]) and end_reason is null
"""

# Of one account at once, those that are served already included: slow addresses are cheap, accounts less so.
WAYS_OF_ACCOUNT_MAX = 4

LIST_DUE = """
select id from (
    select id, due_ms, id = any ($2::uuid[]) as is_served,
           row_number() over (partition by account order by id <> all ($2::uuid[]), due_ms) as place
      from notice_way where due_ms <= $1 and (has_worked and failures = 0) = $3
) due
 where place <= $5 and not is_served order by due_ms limit $4
"""

READ_WAITING = """
select notice.id, way.account, notice.kind, stream, fact, version, position, at_ms
  from notice join notice_way way on way.id = notice.way
 where way = $1 order by array_position($3::text[], notice.kind), position, version, notice.id limit $2
"""

SETTLE = """
select settle_notice($1, $2, $3)
"""

PUT_OFF = """
update notice_way set due_ms = $2, is_light_rest = $3 where id = $1 and end_reason is null
"""

# The rest after the first failure; twice as long after each further one.
FIRST_REST_MS = 5_000
REST_MAX_MS = 6 * 3_600_000

FAIL = """
update notice_way
   set due_ms = $2::bigint + greatest($3::bigint, least($4 * 2 ^ least(failures, 20), $5)::bigint),
       failures = failures + 1, failing_since_ms = coalesce(failing_since_ms, $2), failing_reason = $6
 where id = $1 and end_reason is null and not (is_proven and $7) returning $2 - failing_since_ms
"""

RECOVER = """
update notice_way set has_worked = true, failures = 0, failing_since_ms = null, failing_reason = null where id = $1
"""

# An answer that comes later than the challenge wakes the way.
PROVE = """
update notice_way
   set is_proven = true, failures = 0, failing_since_ms = null, failing_reason = null, due_ms = least(due_ms, $2)
 where id = $1 and end_reason is null returning true
"""

END = """
with passed as (delete from notice where way = $1)
update notice_way set sealed_box = null, due_ms = null, end_reason = $2 where id = $1 and end_reason is null
"""


class NoticeBook:
    """The notifier's bookmark, on the one connection that holds the notifier's lock."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def read_position(self) -> LogPosition:
        """Return how far the log was read; to its end at once, while no account has a way."""
        with telling_unavailable():
            position = await self._connection.fetchval(SKIP)
            return LogPosition(await self._connection.fetchval(READ_POSITION) if position is None else position)

    async def find_reached(self, accounts: Collection[PlayerId]) -> set[PlayerId]:
        """Return those of the accounts that have a way."""
        with telling_unavailable():
            rows = await self._connection.fetch(FIND_TOLD, list(accounts))
        return {PlayerId(str(row["account"])) for row in rows}

    async def follow(self, before: LogPosition, after: LogPosition, notices: Sequence[Notice], *, now_ms: int) -> None:
        """Store notices for the ways that want them, with the bookmark. Raises BookMoved."""
        columns = [(notice.id, notice.account, notice.kind, notice.stream) for notice in notices]
        rest = [(format_fact(notice.fact), notice.version, notice.position, notice.at_ms) for notice in notices]
        with telling_unavailable():
            async with self._connection.transaction():
                if not await self._connection.fetchval(MOVE, before, after):
                    raise BookMoved(before)
                if notices:
                    lists = map(list, (*zip(*columns, strict=True), *zip(*rest, strict=True)))
                    bounds = list(DEADLINES), DEADLINES_WAITING_MAX, OTHERS_WAITING_MAX
                    await self._connection.execute(ADD, *lists, now_ms, *bounds)


@asynccontextmanager
async def notice_book(url: str) -> AsyncIterator[NoticeBook | None]:
    """Give the bookmark while the block runs, or None where another session is the notifier."""
    async with locked_session(url, NOTIFIER_LOCK) as connection:
        yield None if connection is None else NoticeBook(connection)


class Outbox:
    """The notices that wait, by way. A way has one sender at a time."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def list_due(self, now_ms: int, *, is_proven: bool, without: Collection[str], limit: int) -> list[str]:
        """List the ways with a notice that is due, the longest due first: those that work, or the others.

        Few of one account are served at once.
        """
        async with borrowed(self._pool) as connection:
            given = (now_ms, list(without), is_proven, limit, WAYS_OF_ACCOUNT_MAX)
            return [str(row["id"]) for row in await connection.fetch(LIST_DUE, *given)]

    async def read_waiting(self, way: str, *, limit: int) -> list[Notice]:
        """Return the first notices of a way, in the order of their kinds, and of one kind in the order of the log."""
        async with borrowed(self._pool) as connection:
            rows = await connection.fetch(READ_WAITING, way, limit, list(ORDER))
        return [_read(row) for row in rows]

    async def settle(self, way: str, *notices: str, now_ms: int) -> None:
        """Delete notices that were delivered, or that hold no more. While others wait, the way is due from now on."""
        async with borrowed(self._pool) as connection:
            await connection.executemany(SETTLE, [(way, notice, now_ms) for notice in notices or (None,)])

    async def put_off(self, way: str, until_ms: int, *, is_light: bool = False) -> None:
        """Let a way be due then, whether any notice waits or not; a light rest ends with a deadline."""
        async with borrowed(self._pool) as connection:
            await connection.execute(PUT_OFF, way, until_ms, is_light)

    async def fail(self, way: str, reason: str, *, now_ms: int, rest_ms: int, is_challenge: bool = False) -> int:
        """Count a failure, and let the way rest so long or longer. Return how long it has been failing.

        A challenge that was answered meanwhile is no failure.
        """
        async with borrowed(self._pool) as connection:
            given = (way, now_ms, rest_ms, FIRST_REST_MS, REST_MAX_MS, reason, is_challenge)
            return await connection.fetchval(FAIL, *given) or 0

    async def recover(self, way: str) -> None:
        """Note that a way works, and count no failure of it any more."""
        async with borrowed(self._pool) as connection:
            await connection.execute(RECOVER, way)

    async def prove(self, way: str, *, now_ms: int) -> bool:
        """Note that a program or a browser answered its challenge; False for a way that has ended."""
        async with borrowed(self._pool) as connection:
            return bool(await connection.fetchval(PROVE, way, now_ms))

    async def end(self, way: str, reason: str) -> None:
        """End a way: its address and its notices are deleted."""
        async with borrowed(self._pool) as connection:
            await connection.execute(END, way, reason)


def _read(row: asyncpg.Record) -> Notice:
    named = {name: str(row[name]) for name in ("id", "account", "stream")}
    return Notice(**{**row, **named, "fact": parse_fact(row["fact"])})
