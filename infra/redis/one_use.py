"""Values that may be taken once, by any process: put into Redis with a short life, taken in one step."""

import asyncio

from redis.asyncio import Redis
from redis.exceptions import RedisError

# Redis answers within a millisecond, or it is away.
TIMEOUT_S = 0.5


class OneUseAway(Exception):
    """Redis does not answer; whether the value was put or taken is not known."""


class RedisOneUse:
    def __init__(self, redis: Redis, *, prefix: str = "spina:once:") -> None:
        self._redis = redis
        self._prefix = prefix

    async def put(self, key: str, value: bytes, *, life_ms: int) -> None:
        """Keep the value for so long. Raises OneUseAway."""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self._redis.set(self._prefix + key, value, px=life_ms)
        except (RedisError, OSError, TimeoutError) as error:
            raise OneUseAway(str(error)) from error

    async def take(self, key: str) -> bytes | None:
        """Return the value and forget it; None when there is none, or no more. Raises OneUseAway."""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                value = await self._redis.getdel(self._prefix + key)
        except (RedisError, OSError, TimeoutError) as error:
            raise OneUseAway(str(error)) from error
        assert not isinstance(value, str), "the client decodes nothing"
        return value
