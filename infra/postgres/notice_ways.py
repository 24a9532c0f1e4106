"""Ways of notice in Postgres."""

from collections.abc import Sequence
from uuid import uuid4

import asyncpg
import msgspec

from domain.accounts.notice import ChosenKind
from domain.accounts.way import WAYS_MAX, NewWay, Quiet, WayRow
from infra.postgres.connection import borrowed

# The account is locked first: two requests at once do not exceed the limit together.
LOCK = """
select pg_advisory_xact_lock(hashtextextended($1::text, 0))
"""

# A webhook and a browser are due at once, for their challenge.
# The link of a mail may be followed once its account was closed, or twice at once.
ADD = """
insert into notice_way (id, account, kind, name, sealed_box, kinds, quiet, added_by, added_position, is_proven, due_ms)
select $1, $2, $3, $4, $5, $6, $7, $8, (select coalesce(max(position), 0) from event), $3 not in ('webhook', 'browser'),
       case when $3 in ('webhook', 'browser') then 0 end
 where (select count(*) from notice_way where account = $2) < $9
   and exists (
       select from token where account = $2 and (id = $8 or $8 is null) and (ends_at is null or ends_at > now()))
on conflict do nothing returning true
"""

LIST = """
select id, account, kind, name, sealed_box, kinds, quiet, created_at, has_worked, failures,
       failing_since_ms, failing_reason, end_reason, is_proven, added_by
  from notice_way where account = $1 order by created_at, id
"""

# Not that of an account that was closed, or into which nothing leads any more.
FIND = """
select id, account, kind, name, sealed_box, kinds, quiet, created_at, has_worked, failures,
       failing_since_ms, failing_reason, end_reason, is_proven, added_by
  from notice_way way
 where id = $1 and exists (
     select from token where token.account = way.account and (token.ends_at is null or token.ends_at > now()))
"""

IS_OPEN = """
select exists (select from token where id = $1 and (ends_at is null or ends_at > now()))
"""

# Waiting notices are looked at anew, as the quiet hours may be others now; but a failing way rests on.
CHANGE = """
with changed as (
    update notice_way
       set name = $3, kinds = $4, quiet = $5,
           due_ms = case when due_ms is not null and failures = 0 then $6::bigint else due_ms end
     where id = $1 and account = $2 returning id
), passed as (
    delete from notice using changed where way = changed.id and notice.kind <> all ($4 || 'test'::text)
)
select true from changed
"""

REMOVE = """
delete from notice_way where id = $1 and account = $2 returning true
"""

# One test waits at a time. It comes after the notices that wait already, and does not wait for a mailbox's rest.
ADD_TEST = """
with added as (
    insert into notice (way, id, kind, stream, version, position, at_ms)
    select id, $3, 'test', id, 0, (select position from notifier), $4 from notice_way
     where id = $1 and account = $2 and end_reason is null and kind <> 'calendar'
       and not exists (select from notice where way = $1 and kind = 'test')
    returning way
)
update notice_way set due_ms = case when kind = 'mail' then $4 else coalesce(due_ms, $4) end
 where id in (select way from added) returning true
"""


class NoticeWays:
    """The ways of accounts. Each method is asked for an account, and touches no other's."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def add(self, row: NewWay) -> bool:
        """Store a new way; False where the account has too many, or the token that adds it has ended."""
        given = (row.id, row.account, row.kind, row.name, row.sealed_box, list(row.kinds), _encode(row.quiet))
        async with borrowed(self._pool) as connection, connection.transaction():
            await connection.execute(LOCK, row.account)
            return bool(await connection.fetchval(ADD, *given, row.added_by, WAYS_MAX))

    async def list_of(self, account: str) -> list[WayRow]:
        async with borrowed(self._pool) as connection:
            return [_read(row) for row in await connection.fetch(LIST, account)]

    async def find(self, way: str) -> WayRow | None:
        """Return a way of any account that is open, for the notifier."""
        async with borrowed(self._pool) as connection:
            row = await connection.fetchrow(FIND, way)
        return None if row is None else _read(row)

    async def is_open(self, token: str) -> bool:
        """Return whether a token or a session still opens its account."""
        async with borrowed(self._pool) as connection:
            return bool(await connection.fetchval(IS_OPEN, token))

    async def change(
        self, account: str, way: str, *, name: str, kinds: Sequence[ChosenKind], quiet: Quiet | None, now_ms: int
    ) -> bool:
        async with borrowed(self._pool) as connection:
            given = (way, account, name, list(kinds), _encode(quiet), now_ms)
            return bool(await connection.fetchval(CHANGE, *given))

    async def remove(self, account: str, way: str) -> bool:
        async with borrowed(self._pool) as connection:
            return bool(await connection.fetchval(REMOVE, way, account))

    async def add_test(self, account: str, way: str, *, now_ms: int) -> bool:
        """Let a way be tested; False where it has ended, or a test waits already."""
        async with borrowed(self._pool) as connection:
            return bool(await connection.fetchval(ADD_TEST, way, account, uuid4(), now_ms))


def _encode(quiet: Quiet | None) -> str | None:
    return None if quiet is None else msgspec.json.encode(quiet).decode()


def _read(row: asyncpg.Record) -> WayRow:
    quiet = None if row["quiet"] is None else msgspec.json.decode(row["quiet"], type=Quiet)
    added_by = None if row["added_by"] is None else str(row["added_by"])
    found = {"id": str(row["id"]), "account": str(row["account"]), "kinds": tuple(row["kinds"]), "quiet": quiet}
    return WayRow(**{**row, **found, "added_by": added_by})
