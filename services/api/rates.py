"""The limit on requests, per account or per address. With Redis away, each process counts alone."""

from collections.abc import Callable
from typing import Protocol

import structlog
from msgspec import Struct

from infra.redis.rate_limit import SECOND_US, RateLimitAway
from infra.unshared import MemoryRateLimit

log = structlog.get_logger()

# A bot that plays six games at full speed stays below; a page that loads all boards of a game does so in one burst.
BURST_FACTOR = 4
# How long Redis is not asked after it did not answer: a request then costs no wait, and the limit is back soon after.
AWAY_US = 2 * SECOND_US


class TooManyRequests(Exception):
    """The limit is used up; nothing was looked at."""

    def __init__(self, *, wait_s: int) -> None:
        self.wait_s = wait_s
        super().__init__(f"expected fewer requests, found too many; the next one may come in {wait_s} s")


class RateTerms(Struct, frozen=True, kw_only=True):
    """So many requests a second in the long run, or 0 for no limit."""

    per_s: int

    @property
    def burst(self) -> int:
        return self.per_s * BURST_FACTOR


class RateLimit(Protocol):
    """Counts in one step, in Redis or in memory. Raises RateLimitAway where it cannot."""

    async def take(self, who: str, *, interval_us: int, burst: int, cost: int) -> int: ...


class _Outage:
    """The log of a Redis that does not answer: once, when it still does not the next time it is asked.

    A single missed answer is no news: on a busy machine, at its start above all, one is late now and then.
    """

    def __init__(self) -> None:
        self._since_us: int | None = None
        self._is_told = False

    def on_away(self, now_us: int, *, reason: str) -> None:
        if self._since_us is None:
            self._since_us = now_us
        elif not self._is_told and now_us >= self._since_us + AWAY_US:
            self._is_told = True
            log.warning("rate_limit_disconnected", reason=reason)

    def on_answer(self) -> None:
        if self._is_told:
            log.info("rate_limit_connected")
        self._since_us, self._is_told = None, False


class Rates:
    def __init__(self, terms: RateTerms, *, shared: RateLimit | None, now_us: Callable[[], int]) -> None:
        self._terms = terms
        self._shared = shared
        self._now_us = now_us
        self._own = MemoryRateLimit(now_us=now_us)
        self._away_until_us = 0
        self._outage = _Outage()

    async def count(self, who: str, *, cost: int = 1) -> None:
        """Count a request, or raise TooManyRequests."""
        if self._terms.per_s == 0:
            return
        missing_us = await self._take(who, min(cost, self._terms.burst))
        if missing_us:
            raise TooManyRequests(wait_s=-(-missing_us // SECOND_US))

    async def _take(self, who: str, cost: int) -> int:
        interval_us, burst = SECOND_US // self._terms.per_s, self._terms.burst
        if self._shared is not None and self._now_us() >= self._away_until_us:
            try:
                missing_us = await self._shared.take(who, interval_us=interval_us, burst=burst, cost=cost)
            except RateLimitAway as away:
                self._outage.on_away(self._now_us(), reason=str(away))
                self._away_until_us = self._now_us() + AWAY_US
            else:
                self._outage.on_answer()
                return missing_us
        return await self._own.take(who, interval_us=interval_us, burst=burst, cost=cost)
