"""Tokens of accounts in Postgres, stored as hashes."""

import secrets
from collections.abc import Collection, Sequence
from datetime import timedelta
from uuid import UUID

import asyncpg

from domain.accounts.account import Account, Scope
from domain.accounts.token import (
    CODE_LETTERS,
    SESSION_DAYS,
    SESSIONS_MAX,
    TOKEN_PREFIX,
    TOKENS_MAX,
    Login,
    TokenKind,
    TokenRow,
    hash_token,
)
from infra.postgres.connection import borrowed

TOKEN_BYTES = 32
CODE_GROUPS, GROUP_LETTERS = 4, 5

FIND_LOGIN = """
select id, kind, scopes, account, name, role from find_login($1)
"""

LIST_TOKENS = """
select id, kind, name, scopes, created_at, ends_at from list_tokens($1)
"""

ADD = """
select add_token($1, $2, $3, $4, $5, $6, $7)
"""

END_TOKENS = """
select end_tokens($1, $2)
"""

OPEN_SESSION = """
select open_session($1, $2, $3, $4, $5)
"""

RENEW_SESSION = """
select renew_session($1, $2)
"""

END_SESSION = """
select end_session($1)
"""

LIST_ENDED = """
select id from token where ends_at between now() - $1::interval and now()
"""


class Tokens:
    """The server's operations on tokens. `asking` is the hash of the token that asks for them."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def find(self, token: str) -> Login | None:
        async with borrowed(self._pool) as connection:
            row = await connection.fetchrow(FIND_LOGIN, hash_token(token))
        if row is None:
            return None
        account = Account(id=str(row["account"]), name=row["name"], role=row["role"])
        return Login(id=str(row["id"]), kind=row["kind"], scopes=frozenset(row["scopes"]), account=account)

    async def list_of(self, asking: bytes) -> list[TokenRow]:
        async with borrowed(self._pool) as connection:
            rows = await connection.fetch(LIST_TOKENS, asking)
        return [TokenRow(**{**row, "id": str(row["id"]), "scopes": tuple(row["scopes"])}) for row in rows]

    async def add(
        self, asking: bytes, *, kind: TokenKind, name: str, scopes: Collection[Scope], minutes: int | None
    ) -> tuple[str, str] | None:
        """Store a new token and return its id and itself; None where there are too many, or more scopes than asking."""
        token = build_code() if kind == "code" else build_token()
        async with borrowed(self._pool) as connection:
            added = await connection.fetchval(
                ADD, asking, hash_token(token), kind, name, list(scopes), minutes, TOKENS_MAX
            )
        return None if added is None else (str(added), token)

    async def end(self, asking: bytes, named: Sequence[str] | None) -> int:
        """End the named tokens of an account, or all but the one that asks, and return how many were live."""
        ids = None if named is None else [UUID(name) for name in named]
        async with borrowed(self._pool) as connection:
            return int(await connection.fetchval(END_TOKENS, asking, ids))

    async def open_session(self, secret: str, *, name: str) -> str | None:
        """Return the token of a new session, by a code, which is used up, or by a token with the scope `account`."""
        token = build_token()
        given = (hash_token(secret), hash_token(token), name, SESSION_DAYS, SESSIONS_MAX)
        async with borrowed(self._pool) as connection:
            is_open = await connection.fetchval(OPEN_SESSION, *given)
        return token if is_open else None

    async def renew_session(self, asking: bytes) -> None:
        """Count the days of a session again."""
        async with borrowed(self._pool) as connection:
            await connection.execute(RENEW_SESSION, asking, SESSION_DAYS)

    async def end_session(self, asking: bytes) -> None:
        async with borrowed(self._pool) as connection:
            await connection.execute(END_SESSION, asking)

    async def list_ended(self, within: timedelta) -> list[str]:
        """List the tokens that have ended lately."""
        async with borrowed(self._pool) as connection:
            return [str(row["id"]) for row in await connection.fetch(LIST_ENDED, within)]


def build_token() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)


def build_code() -> str:
    """Build a code of 100 random bits that people can write down: `4k2mz-9xw3t-h7bqd-0vr6e`."""
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_GROUPS * GROUP_LETTERS))
    return "-".join(letters[first : first + GROUP_LETTERS] for first in range(0, len(letters), GROUP_LETTERS))
