"""A rate limit of this process alone: for when Redis is away, and for a server without one.

Must count as the script in infra/redis/rate_limit.py does.
"""

from collections import OrderedDict
from collections.abc import Callable

# Who asked last is kept; an attacker with more addresses than this gains a fresh burst for each, and no memory of ours.
KEPT_MAX = 20_000


class MemoryRateLimit:
    def __init__(self, *, now_us: Callable[[], int], kept_max: int = KEPT_MAX) -> None:
        self._now_us = now_us
        self._kept_max = kept_max
        self._arrivals: OrderedDict[str, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._arrivals)

    async def take(self, who: str, *, interval_us: int, burst: int, cost: int) -> int:
        """Count a request; return how many microseconds too early it is, 0 when it may pass."""
        now_us = self._now_us()
        arrival = max(self._arrivals.get(who, 0), now_us) + interval_us * cost
        missing = arrival - interval_us * burst - now_us
        if missing > 0:
            return missing
        self._arrivals[who] = arrival
        self._arrivals.move_to_end(who)
        if len(self._arrivals) > self._kept_max:
            self._arrivals.popitem(last=False)
        return 0
