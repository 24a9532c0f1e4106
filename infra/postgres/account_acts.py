"""Acts of operators on accounts, done as the owner of the database and recorded in the same transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

import asyncpg
from msgspec import Struct

from domain.names import build_name_key
from infra.postgres.accounts import end_all

Kind = Literal["created", "renewed", "revoked", "renamed", "muted", "unmuted", "closed"]
# Shown in place of a name that an operator took away, with a number behind it.
NEUTRAL_NAME = "Player"

# No session is opened beside it: `END_ALL` sees all there are.
LOCK_TOKENS = """
lock table spina.token in share row exclusive mode
"""

SET_MUTED = """
update spina.account set is_muted = case $2 when 'renamed' then is_muted else $2 <> 'unmuted' end
 where id = $1 and role = 'player'
"""

NAME = """
select spina.name_player($1, $2, $3)
"""

ADD = """
insert into spina.account_act (account, act, by, reason) values ($1, $2, $3, $4)
"""

LIST = """
select at, account, act, by, reason from spina.account_act where $1::uuid is null or account = $1 order by id
"""


class Act(Struct, frozen=True, kw_only=True):
    """`by` is the operator, `reason` their words."""

    account: UUID
    act: Kind
    by: str
    reason: str = ""


class DoneAct(Act, frozen=True, kw_only=True):
    at: datetime


async def moderate(owner: asyncpg.Connection, act: Act, *, name: str | None) -> bool:
    """Do and record an act, with the name that the account has from then on; False where it is no player's."""
    async with owner.transaction():
        if act.act == "closed":
            await owner.execute(LOCK_TOKENS)
        if await owner.execute(SET_MUTED, act.account, act.act) != "UPDATE 1":
            return False
        if act.act == "closed":
            await end_all(owner, act.account)
        if name is not None:
            await owner.execute(NAME, act.account, name, build_name_key(name))
        await record(owner, act)
    return True


async def record(owner: asyncpg.Connection, act: Act) -> None:
    """Store an act, in the transaction that does it."""
    await owner.execute(ADD, act.account, act.act, act.by, act.reason)


async def list_acts(owner: asyncpg.Connection, account: UUID | None) -> Sequence[DoneAct]:
    """List the acts on an account, or all, in their order."""
    return [DoneAct(**row) for row in await owner.fetch(LIST, account)]
