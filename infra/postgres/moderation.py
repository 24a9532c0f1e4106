"""Acts of operators on players' accounts, done as the owner of the database in a transaction of the caller."""

from uuid import UUID

import asyncpg

from domain.names import build_name_key
from infra.postgres.accounts import end_all

# Shown in place of a name that an operator took away, with a number behind it.
NEUTRAL_NAME = "Player"

# No session is opened beside it: `END_ALL` sees all there are.
LOCK_TOKENS = """
lock table spina.token in share row exclusive mode
"""

SET_MUTED = """
update spina.account set is_muted = coalesce($2, is_muted) where id = $1 and role = 'player'
"""

NAME = """
select spina.name_player($1, $2, $3)
"""

NOTE_NAME = """
insert into spina.ended (kind, key) values ('name', $1) on conflict do nothing
"""


async def mute(owner: asyncpg.Connection, account: UUID, *, is_muted: bool | None) -> bool:
    """Take a player's choice of a name away, or give it back; None leaves it. False where it is no player's account."""
    return await owner.execute(SET_MUTED, account, is_muted) == "UPDATE 1"


async def name_player(owner: asyncpg.Connection, account: UUID, name: str) -> None:
    """Give a player a name; the old one has ended."""
    await owner.execute(NAME, account, name, build_name_key(name))
    await owner.execute(NOTE_NAME, str(account))


async def end_every_way_in(owner: asyncpg.Connection, account: UUID) -> None:
    """End all tokens and sessions of an account."""
    await owner.execute(LOCK_TOKENS)
    await end_all(owner, account)
