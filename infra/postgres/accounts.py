"""Accounts: an id for ever, a role for ever, and a name."""

from collections.abc import Collection, Sequence
from uuid import UUID

import asyncpg

from domain.accounts.account import Account
from domain.accounts.token import TokenKind, hash_token
from domain.house import NAMES_BY_PLAYER
from domain.ids import OrganiserId, PlayerId
from domain.names import build_name_key
from infra.postgres.connection import borrowed
from infra.postgres.tokens import build_token

# The name of the token that an account begins with.
FIRST = "First token"

ADD_PLAYER = """
select add_player($1, $2, $3, $4, $5, $6, $7)
"""

DECLARE_BOT = """
select declare_bot($1, $2, $3)
"""

IS_BOT = """
select exists (select from account where id = $1 and is_bot)
"""

RENAME_PLAYER = """
select rename_player($1, $2, $3)
"""

FORGET_ACCOUNT = """
select forget_account($1)
"""

ADD_ACCOUNT = """
insert into spina.account (id, name, role) values ($1, $2, $3)
"""

ADD_FIRST = """
insert into spina.token (hash, account, kind, name, scopes)
select $2, id, 'token', $3, spina.list_scopes(role) from spina.account where id = $1
"""

LIST_RULING = """
select account.id, account.name, account.role, count(token.id) as tokens
  from spina.account left join spina.token on token.account = account.id and spina.is_live(token)
 where account.role <> 'player' group by account.id order by account.created_at, account.id
"""

END_ALL = """
with ways as (delete from spina.notice_way where account = $1 or added_by = $1)
update spina.token set ends_at = now() where (account = $1 or id = $1) and spina.is_live(token) returning account
"""

# Players only: organisers play in no game.
FIND_NAMES = """
select id, name from account where id = any ($1::uuid[]) and role = 'player'
"""


FIND_PEOPLE = """
select id, name from account where id = any ($1::uuid[]) and role in ('player', 'organiser')
"""


FIND_ORGANISERS = """
select id from account where id = any ($1::uuid[]) and role = 'organiser'
   and exists (select from token where token.account = account.id and (ends_at is null or ends_at > now()))
"""


class RulingAccount(Account, frozen=True, kw_only=True):
    """An organiser or operator, and its live tokens."""

    tokens: int


class Accounts:
    """The server's operations on accounts, all that its role may do."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def create_player(
        self,
        player_id: str,
        name: str,
        *,
        kind: TokenKind = "token",
        token_name: str = FIRST,
        days: int | None = None,
        is_bot: bool = False,
    ) -> str:
        """Store a new player and return the first token, which cannot be read again. A name in use gets a number."""
        token = build_token()
        named = UUID(player_id), name, build_name_key(name)
        async with borrowed(self._pool) as connection, connection.transaction():
            await connection.execute(ADD_PLAYER, *named, hash_token(token), kind, token_name, days)
            if is_bot:
                await connection.execute(DECLARE_BOT, *named)
        return token

    async def is_bot(self, player: PlayerId) -> bool:
        """Return whether a program plays: a declared bot, or one of the house."""
        async with borrowed(self._pool) as connection:
            return player in NAMES_BY_PLAYER or bool(await connection.fetchval(IS_BOT, player))

    async def rename_player(self, asking: bytes, name: str) -> str | None:
        """Rename the account of a token, and return the name as it is shown; None for one that is no player's."""
        async with borrowed(self._pool) as connection:
            shown: str | None = await connection.fetchval(RENAME_PLAYER, asking, name, build_name_key(name))
        return shown

    async def forget(self, asking: bytes) -> None:
        """Delete the name of an account and all that opens it."""
        async with borrowed(self._pool) as connection:
            await connection.execute(FORGET_ACCOUNT, asking)

    async def find_names(self, players: Collection[PlayerId]) -> dict[PlayerId, str]:
        """Return the names of the players that exist."""
        if not players:
            return {}
        async with borrowed(self._pool) as connection:
            rows = await connection.fetch(FIND_NAMES, list(players))
        return _with_house(players, {PlayerId(str(row["id"])): row["name"] for row in rows})

    async def find_people(self, people: Collection[PlayerId]) -> dict[PlayerId, str]:
        """Return the names of the players and organisers that exist: tournaments name both."""
        if not people:
            return {}
        async with borrowed(self._pool) as connection:
            rows = await connection.fetch(FIND_PEOPLE, list(people))
        return _with_house(people, {PlayerId(str(row["id"])): row["name"] for row in rows})

    async def find_organisers(self, named: Collection[OrganiserId]) -> set[OrganiserId]:
        """Return those of them that are accounts of organisers with a live token."""
        if not named:
            return set()
        async with borrowed(self._pool) as connection:
            rows = await connection.fetch(FIND_ORGANISERS, list(named))
        return {OrganiserId(str(row["id"])) for row in rows}


async def create_account(owner: asyncpg.Connection, account: Account) -> str:
    """Store an account of any role, as the owner of the database, and return its token."""
    async with owner.transaction():
        await owner.execute(ADD_ACCOUNT, UUID(account.id), account.name, account.role)
        token = await add_owned_token(owner, UUID(account.id), name=FIRST)
    assert token is not None
    return token


async def add_owned_token(owner: asyncpg.Connection, account: UUID, *, name: str) -> str | None:
    """Store a token with all scopes, as the owner of the database, and return it; None without such an account."""
    token = build_token()
    done = await owner.execute(ADD_FIRST, account, hash_token(token), name)
    return token if done == "INSERT 0 1" else None


async def list_ruling(owner: asyncpg.Connection) -> Sequence[RulingAccount]:
    """List the organisers and operators."""
    return [RulingAccount(**{**row, "id": str(row["id"])}) for row in await owner.fetch(LIST_RULING)]


async def end_all(owner: asyncpg.Connection, named: UUID) -> list[UUID]:
    """End a token or all tokens of an account, with the ways they added; return the account of each that was live."""
    return [row["account"] for row in await owner.fetch(END_ALL, named)]


def _with_house(players: Collection[PlayerId], names: dict[PlayerId, str]) -> dict[PlayerId, str]:
    return names | {player: NAMES_BY_PLAYER[player] for player in players if player in NAMES_BY_PLAYER}
