"""Ends in the database: of tokens, accounts, names and ways of notice. A restored one is brought to them again."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import asyncpg

from infra.ends_file import End
from infra.postgres.moderation import NEUTRAL_NAME, name_player

LIST_SINCE = """
select kind, key, at_us from spina.ended where at_us >= $1
"""

ADD = """
insert into spina.ended (kind, key, at_us) values ($1, $2, $3) on conflict do nothing
"""

# One process ends again at a time; the next one finds the rows of the first.
LOCK = """
lock table spina.ended in share row exclusive mode
"""

REVOKE = """
update spina.token set ends_at = now() where hash = decode($1, 'hex') and spina.is_live(token)
"""

FORGET = """
with ended as (update spina.token set ends_at = least(ends_at, now()), name = '' where account = $1::text::uuid)
delete from spina.account where id = $1::text::uuid
"""

MUTE = """
update spina.account set is_muted = true where id = $1::text::uuid
"""

UNMUTE = """
update spina.account set is_muted = false where id = $1::text::uuid
"""

DELETE_WAY = """
delete from spina.notice_way where id = $1::text::uuid
"""


async def _execute(sql: str, owner: asyncpg.Connection, key: str) -> None:
    await owner.execute(sql, key)


async def _take_name(owner: asyncpg.Connection, key: str) -> None:
    await name_player(owner, UUID(key), NEUTRAL_NAME)


# Every kind of end, with the way to end it again in a database that does not know of it. Triggers of the tables note
# each kind but the name, which moderation notes.
KINDS: Mapping[str, Callable[[asyncpg.Connection, str], Awaitable[None]]] = {
    "token": partial(_execute, REVOKE),
    "account": partial(_execute, FORGET),
    "name": _take_name,
    "muted": partial(_execute, MUTE),
    "unmuted": partial(_execute, UNMUTE),
    "way": partial(_execute, DELETE_WAY),
}


async def list_ends(connection: Any, *, since_us: int = 0) -> list[End]:
    """List the ends that the database knows."""
    return [End(**row) for row in await connection.fetch(LIST_SINCE, since_us)]


async def list_undone(connection: asyncpg.Connection, known: Collection[End]) -> Sequence[End]:
    """List the ends that the database does not know, the earliest first: it was restored to an older state."""
    return sorted(set(known) - set(await list_ends(connection)))


async def end_again(owner: asyncpg.Connection, known: Collection[End]) -> int:
    """End all that had ended in a later state of the database, as its owner, and return the count. Done twice as once.

    An end of a kind of a later release stays in the file.
    """
    async with owner.transaction():
        await owner.execute(LOCK)
        undone = [end for end in await list_undone(owner, known) if end.kind in KINDS]
        for end in undone:
            await KINDS[end.kind](owner, end.key)
            await owner.execute(ADD, end.kind, end.key, end.at_us)
    return len(undone)
