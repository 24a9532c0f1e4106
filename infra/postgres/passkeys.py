"""Passkeys: the public keys by which browsers open sessions. They are listed and revoked as tokens are."""

import hashlib

import asyncpg

from domain.accounts.token import SESSION_DAYS, SESSIONS_MAX, TOKENS_MAX, Passkey, hash_token
from infra.postgres.connection import borrowed
from infra.postgres.tokens import build_token

ADD_PASSKEY = """
select add_passkey($1, $2, $3, $4, $5, $6)
"""

FIND_PASSKEY = """
select public_key, sign_count from find_passkey($1)
"""

OPEN_SESSION = """
select open_session_by_passkey($1, $2, $3, $4, $5, $6)
"""


class Passkeys:
    """The server's operations on passkeys. An id is public."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def add(self, asking: bytes, id_: bytes, passkey: Passkey, *, name: str) -> bool:
        """Store a passkey for the account of a token, and state whether it could be."""
        given = (_hash(id_), name, passkey.public_key, passkey.sign_count, TOKENS_MAX)
        async with borrowed(self._pool) as connection:
            return bool(await connection.fetchval(ADD_PASSKEY, asking, *given))

    async def find(self, id_: bytes) -> Passkey | None:
        async with borrowed(self._pool) as connection:
            row = await connection.fetchrow(FIND_PASSKEY, _hash(id_))
        return None if row is None else Passkey(public_key=row["public_key"], sign_count=row["sign_count"])

    async def open_session(self, id_: bytes, *, sign_count: int, name: str) -> str | None:
        """Return the token of a new session, once the signature was checked."""
        token = build_token()
        given = (_hash(id_), sign_count, hash_token(token), name, SESSION_DAYS, SESSIONS_MAX)
        async with borrowed(self._pool) as connection:
            return token if await connection.fetchval(OPEN_SESSION, *given) else None


def _hash(id_: bytes) -> bytes:
    return hashlib.sha256(id_).digest()
