"""Tokens of accounts: random secrets with scopes and an end, known by their hashes.

A session is a token that a browser keeps; a code opens one session, a passkey sessions by its signature. An ended token
is refused for ever.
"""

import hashlib
from datetime import datetime
from typing import Literal

from msgspec import Struct

from domain.accounts.account import Account, Scope

TokenKind = Literal["token", "session", "code", "passkey"]
TOKEN_PREFIX = "spina_"  # noqa: S105  a token's prefix is no secret: scanners of leaked text look for it
# Crockford's base 32, which has no letters that are misread for digits.
CODE_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
MISREAD = str.maketrans("ilo", "110")
# Browsers, programs and codes of one person; a program that makes tokens in a loop is refused.
TOKENS_MAX = 50
# Those of the browsers used last; the oldest of more ends.
SESSIONS_MAX = 20
# As long as browsers keep a cookie; counted again each day that it is used.
SESSION_DAYS = 400


class Login(Struct, frozen=True, kw_only=True):
    """A live token with its account. `id` is null for the house, whose tokens are in no database."""

    id: str | None
    kind: TokenKind
    scopes: frozenset[Scope]
    account: Account


class TokenRow(Struct, frozen=True, kw_only=True):
    """A token as its account sees it."""

    id: str
    kind: TokenKind
    name: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    ends_at: datetime | None


class Passkey(Struct, frozen=True, kw_only=True):
    """`sign_count` is that of the authenticator when it last signed; many count nothing and stay at 0."""

    public_key: bytes
    sign_count: int


def hash_token(token: str) -> bytes:
    """Hash a token or a code. Both are random throughout, so a plain hash is as good as a slow one."""
    return hashlib.sha256((token if token.startswith(TOKEN_PREFIX) else _spell(token)).encode()).digest()


def _spell(code: str) -> str:
    """Return the one spelling of a code as people type it."""
    return "".join(code.lower().translate(MISREAD).split()).replace("-", "")
