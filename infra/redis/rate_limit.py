"""A rate limit: one count for all processes, kept in Redis and changed in one step.

A request is let through while its theoretical arrival time (GCRA) is not further ahead than the burst allows.
"""

import asyncio

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

log = structlog.get_logger()

# Redis answers within a millisecond, or a request is not worth holding up for it.
TIMEOUT_S = 0.25
# Questions under way at once; more would only make connections, and one that waits too long counts as unanswered.
ASKING_MAX = 16
# Arrival times are counted in microseconds of the server's own clock, so that no process's clock matters.
SECOND_US = 1_000_000

# KEYS[1]: who. ARGV: microseconds a request, requests in a burst, how many this one counts for. Returns how many
# microseconds are missing, 0 when it may pass. A refused request is not counted.
TAKE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local interval, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + interval * cost
local missing = arrival - interval * burst - now
if missing > 0 then
    return math.ceil(missing)
end
redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', math.ceil((arrival - now) / 1000))
return 0
"""


class RateLimitAway(Exception):
    """Redis does not answer; how many requests there were is not known."""


class RedisRateLimit:
    def __init__(self, redis: Redis, *, prefix: str = "spina:rate:") -> None:
        self._take = redis.register_script(TAKE)
        self._prefix = prefix
        # Guards nothing but the number of connections.
        self._asking = asyncio.Semaphore(ASKING_MAX)

    async def take(self, who: str, *, interval_us: int, burst: int, cost: float) -> int:
        """Count a request; return how many microseconds too early it is, 0 when it may pass. Raises RateLimitAway."""
        try:
            async with asyncio.timeout(TIMEOUT_S), self._asking:
                missing = await self._take(keys=[self._prefix + who], args=[interval_us, burst, cost])
        except TimeoutError as error:
            raise RateLimitAway(f"no answer within {TIMEOUT_S:g} s") from error
        except (RedisError, OSError) as error:
            raise RateLimitAway(f"{type(error).__name__}: {error}") from error
        return int(missing)
