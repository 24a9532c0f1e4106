"""Presence: the readers of a game over all processes. Each process reports its count; a silent one is soon forgotten.

A number to show, never to decide by.
"""

import asyncio
from collections.abc import Mapping

from redis.asyncio import Redis
from redis.exceptions import RedisError

from domain.ids import StreamId

# Redis answers within a millisecond, or it is away.
TIMEOUT_S = 0.5
# Games in one round trip.
GAMES_MAX = 500

# KEYS[1]: the game. ARGV: the process, its readers there, for how many milliseconds that is to be believed.
# Returns its readers everywhere.
TALLY = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if ARGV[2] == '0' then
    redis.call('HDEL', KEYS[1], ARGV[1])
else
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ':' .. string.format('%.0f', now + ARGV[3]))
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
local total, said = 0, redis.call('HGETALL', KEYS[1])
for place = 1, #said, 2 do
    local count, till = string.match(said[place + 1], '(%d+):(%d+)')
    if tonumber(till) > now then
        total = total + count
    else
        redis.call('HDEL', KEYS[1], said[place])
    end
end
return total
"""


class PresenceAway(Exception):
    """Redis does not answer."""


class RedisPresence:
    def __init__(self, redis: Redis, *, process: str, prefix: str = "spina:readers:") -> None:
        self._redis = redis
        self._tally = redis.register_script(TALLY)
        self._process = process
        self._prefix = prefix

    async def exchange(self, counts: Mapping[StreamId, int], *, believed_ms: int) -> dict[StreamId, int]:
        """Return how many follow these games here, and return how many do everywhere. Raises PresenceAway."""
        games, totals = list(counts), []
        try:
            for start in range(0, len(games), GAMES_MAX):
                pipeline = self._redis.pipeline(transaction=False)
                for game in games[start : start + GAMES_MAX]:
                    said: list[str | int] = [self._process, counts[game], believed_ms]
                    await self._tally(keys=[self._prefix + game], args=said, client=pipeline)
                async with asyncio.timeout(TIMEOUT_S):
                    totals += await pipeline.execute()
        except (RedisError, OSError) as error:
            raise PresenceAway(str(error)) from error
        return dict(zip(games, totals, strict=True))
