"""Tokens that were looked up a moment ago, so that a player's every request does not ask the database who they are.

Only tokens that exist are kept, and not for long: an account that was deleted loses its rights within a minute.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct

from infra.postgres.accounts import TOKEN_PREFIX, Account, Accounts, hash_token
from infra.recent import Recent

# A token of ours has 49 characters; a longer one is none.
TOKEN_CHARS_MAX = 100
KEPT_MS_MAX = 60_000
# Some hundred bytes each.
TOKENS_KEPT_MAX = 10_000


class _Known(Struct, frozen=True, kw_only=True):
    account: Account
    until_ms: int


class KnownTokens:
    def __init__(
        self, accounts: Accounts, *, house: Mapping[bytes, Account] | None = None, now_ms: Callable[[], int]
    ) -> None:
        self._accounts = accounts
        # The house's, by the token's hash; no database has them.
        self._house = house or {}
        self._now_ms = now_ms
        # By the token's hash: nothing in this process's memory opens anything longer than its request lasts.
        self._known: Recent[bytes, _Known] = Recent(TOKENS_KEPT_MAX)

    def __len__(self) -> int:
        return len(self._known)

    def recall(self, token: str) -> Account | None:
        """Return whose token it is if that was asked a moment ago; costs nothing."""
        key = hash_token(token)
        known = self._known.find(key)
        return known.account if known is not None and self._now_ms() < known.until_ms else self._house.get(key)

    async def find(self, token: str) -> Account | None:
        """Return whose token it is, by asking the database."""
        if not token.startswith(TOKEN_PREFIX) or len(token) > TOKEN_CHARS_MAX:
            return None
        account = await self._accounts.find(token)
        if account is not None:
            self._known.keep(hash_token(token), _Known(account=account, until_ms=self._now_ms() + KEPT_MS_MAX))
        return account
