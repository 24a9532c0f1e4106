"""Rate limits and values that may be taken once, of one process alone: for servers without Redis, or while it is away.

The limit must count as the script in infra/redis/rate_limit.py does.
"""

from collections.abc import Callable

from infra.recent import Recent

# Who asked last is kept; an attacker with more addresses than this gains a fresh burst for each, and no memory of ours.
CALLERS_KEPT_MAX = 20_000

# Tickets of a busy minute; a hundred bytes each. Who asks for more loses the oldest.
VALUES_KEPT_MAX = 10_000


class MemoryRateLimit:
    def __init__(self, *, now_us: Callable[[], int], kept_max: int = CALLERS_KEPT_MAX) -> None:
        self._now_us = now_us
        self._arrivals: Recent[str, int] = Recent(kept_max)

    def __len__(self) -> int:
        return len(self._arrivals)

    async def take(self, who: str, *, interval_us: int, burst: int, cost: float) -> int:
        """Count a request; return how many microseconds too early it is, 0 when it may pass."""
        now_us = self._now_us()
        arrival = max(self._arrivals.find(who) or 0, now_us) + round(interval_us * cost)
        missing = arrival - interval_us * burst - now_us
        if missing > 0:
            return missing
        self._arrivals.keep(who, arrival)
        return 0

    def add(self, who: str, time_us: int) -> None:
        """Count work that is done already, whatever the limit."""
        self._arrivals.keep(who, max(self._arrivals.find(who) or 0, self._now_us()) + time_us)

    def ahead_us(self, who: str) -> int:
        """Return how many microseconds the requests so far are ahead of the rate that they may have."""
        return max(0, (self._arrivals.find(who) or 0) - self._now_us())


class MemoryOneUse:
    def __init__(self, *, now_ms: Callable[[], int], kept_max: int = VALUES_KEPT_MAX) -> None:
        self._now_ms = now_ms
        self._kept: Recent[str, tuple[int, bytes]] = Recent(kept_max)

    async def put(self, key: str, value: bytes, *, life_ms: int) -> None:
        self._kept.keep(key, (self._now_ms() + life_ms, value))

    async def take(self, key: str) -> bytes | None:
        """Return the value and forget it; None when there is none, or no more."""
        until_ms, value = self._kept.find(key) or (0, b"")
        self._kept.forget(key)
        return value if self._now_ms() < until_ms else None
