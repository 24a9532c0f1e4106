"""Tokens that were looked up a moment ago, so that a player's every request does not ask the database again.

Each process asks several times a second which tokens have ended, so that a revoked one opens nothing a moment later.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from msgspec import Struct

from domain.accounts.token import TOKEN_PREFIX, Login, hash_token
from infra.postgres.tokens import Tokens
from infra.recent import Recent

# A token of ours has 49 characters; a longer one is none.
TOKEN_CHARS_MAX = 100
KEPT_MS_MAX = 60_000
# Beside the time since the look before: longer than a token is kept, and than a clock is off.
ENDED_WITHIN_MS = 2 * KEPT_MS_MAX
# An ended token is forgotten after a day: the next look after half a day without one may miss it.
UNSEEN_MS_MAX = 12 * 3_600_000
# How late an end is noticed; one read of an index each time.
LOOK_S = 0.4
# Some hundred bytes each.
TOKENS_KEPT_MAX = 10_000


class _Known(Struct, frozen=True, kw_only=True):
    login: Login
    until_ms: int


class KnownTokens:
    def __init__(
        self, tokens: Tokens, *, house: Mapping[bytes, Login] | None = None, now_ms: Callable[[], int]
    ) -> None:
        self._tokens = tokens
        # The house's, by the token's hash; no database has them.
        self._house = house or {}
        self._now_ms = now_ms
        self._looked_ms = now_ms()
        # By the token's hash: nothing in this process's memory opens anything longer than its request lasts.
        self._known: Recent[bytes, _Known] = Recent(TOKENS_KEPT_MAX)
        # The ids of those that have ended lately.
        self._ended: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self._known)

    def recall(self, token: str) -> Login | None:
        """Return a token's login if it was asked for a moment ago; costs nothing."""
        key = hash_token(token)
        known = self._known.find(key)
        if known is None or self._now_ms() >= known.until_ms or self.has_ended(known.login.id):
            return self._house.get(key)
        return known.login

    def recalls_ended(self, token: str) -> bool:
        """Return whether a token was live here a while ago and has ended since."""
        known = self._known.find(hash_token(token))
        return known is not None and self.has_ended(known.login.id)

    async def find(self, token: str) -> Login | None:
        """Return a token's login, by asking the database."""
        if not token.startswith(TOKEN_PREFIX) or len(token) > TOKEN_CHARS_MAX:
            return None
        until_ms = self._now_ms() + KEPT_MS_MAX
        login = await self._tokens.find(token)
        if login is not None:
            self._known.keep(hash_token(token), _Known(login=login, until_ms=until_ms))
        return login

    async def look(self) -> frozenset[str] | None:
        """Ask which tokens have ended since the look before, and return their ids; None where that is too long ago."""
        now_ms = self._now_ms()
        unseen_ms = max(0, now_ms - self._looked_ms)
        within = timedelta(milliseconds=unseen_ms + ENDED_WITHIN_MS)
        self._ended = frozenset(await self._tokens.list_ended(within))
        self._looked_ms = now_ms
        return self._ended if unseen_ms <= UNSEEN_MS_MAX else None

    def has_ended(self, token: str | None) -> bool:
        """Return whether a token that was live at the look before is so no more, by its id."""
        return token in self._ended
