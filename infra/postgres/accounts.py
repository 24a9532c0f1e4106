"""Accounts and their tokens. A token is shown once, when it is made; only its hash is kept."""

import hashlib
import secrets
from collections.abc import Collection
from typing import Literal
from uuid import UUID

import asyncpg
from msgspec import Struct

from domain.house import NAMES_BY_PLAYER
from domain.ids import OrganiserId, PlayerId
from domain.names import build_name_key
from infra.postgres.connection import borrowed

Scope = Literal["player", "organiser", "operator"]
TOKEN_PREFIX = "spina_"  # noqa: S105  a token's prefix is no secret: scanners of leaked text look for it
TOKEN_BYTES = 32

ADD_PLAYER = """
select add_player($1, $2, $3, $4)
"""

ADD_ACCOUNT = """
insert into spina.account (id, name, scope, token_hash) values ($1, $2, $3, $4)
"""

FIND_ACCOUNT = """
select id, name, scope from account where token_hash = $1
"""


# Players only: organisers play in no game.
FIND_NAMES = """
select id, name from account where id = any ($1::uuid[]) and scope = 'player'
"""


FIND_PEOPLE = """
select id, name from account where id = any ($1::uuid[]) and scope in ('player', 'organiser')
"""


FIND_ORGANISERS = """
select id from account where id = any ($1::uuid[]) and scope = 'organiser'
"""


class Account(Struct, frozen=True, kw_only=True):
    id: str
    name: str
    scope: Scope


class Accounts:
    """The server's operations on accounts, all that its role may do."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def create_player(self, player_id: str, name: str) -> str:
        """Store a new player and return the token, which cannot be read again. A name in use gets a number."""
        token = build_token()
        async with borrowed(self._pool) as connection:
            await connection.execute(ADD_PLAYER, UUID(player_id), name, build_name_key(name), hash_token(token))
        return token

    async def find(self, token: str) -> Account | None:
        """Return whose token it is."""
        async with borrowed(self._pool) as connection:
            row = await connection.fetchrow(FIND_ACCOUNT, hash_token(token))
        return None if row is None else Account(id=str(row["id"]), name=row["name"], scope=row["scope"])

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
        """Return those of them that are organisers' accounts."""
        if not named:
            return set()
        async with borrowed(self._pool) as connection:
            rows = await connection.fetch(FIND_ORGANISERS, list(named))
        return {OrganiserId(str(row["id"])) for row in rows}


async def create_account(owner: asyncpg.Connection, account: Account) -> str:
    """Store an account of any scope, as the owner of the database, and return its token."""
    token = build_token()
    await owner.execute(ADD_ACCOUNT, UUID(account.id), account.name, account.scope, hash_token(token))
    return token


def _with_house(players: Collection[PlayerId], names: dict[PlayerId, str]) -> dict[PlayerId, str]:
    return names | {player: NAMES_BY_PLAYER[player] for player in players if player in NAMES_BY_PLAYER}


def build_token() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> bytes:
    """Hash a token. It is random throughout, so a plain hash is as good as a slow one."""
    return hashlib.sha256(token.encode()).digest()
