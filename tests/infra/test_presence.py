"""How many follow a game, over processes that come and go."""

import asyncio

import pytest
from redis.asyncio import Redis

from domain.ids import StreamId
from infra.redis.client import build_redis
from infra.redis.presence import GAMES_MAX, PresenceAway, RedisPresence

GAME, OTHER = StreamId("0199c0de-0000-7000-8000-000000000001"), StreamId("0199c0de-0000-7000-8000-000000000002")
BELIEVED_MS = 60_000
PATIENCE_S = 20.0


def processes(redis: Redis, prefix: str) -> list[RedisPresence]:
    return [RedisPresence(redis, process=name, prefix=prefix) for name in ("one", "two")]


async def test_the_counts_of_all_processes_are_added_up(redis_url: str, redis_prefix: str) -> None:
    async with build_redis(redis_url) as redis:
        one, two = processes(redis, redis_prefix)

        await one.exchange({GAME: 3, OTHER: 1}, believed_ms=BELIEVED_MS)
        totals = await two.exchange({GAME: 4, OTHER: 0}, believed_ms=BELIEVED_MS)

    assert totals == {GAME: 7, OTHER: 1}


async def test_the_last_word_of_a_process_counts(redis_url: str, redis_prefix: str) -> None:
    async with build_redis(redis_url) as redis:
        one, two = processes(redis, redis_prefix)
        await one.exchange({GAME: 3}, believed_ms=BELIEVED_MS)
        await one.exchange({GAME: 2}, believed_ms=BELIEVED_MS)
        during = await two.exchange({GAME: 1}, believed_ms=BELIEVED_MS)

        await one.exchange({GAME: 0}, believed_ms=BELIEVED_MS)

        assert (during, await two.exchange({GAME: 1}, believed_ms=BELIEVED_MS)) == ({GAME: 3}, {GAME: 1})


async def test_a_process_that_says_nothing_more_is_forgotten(redis_url: str, redis_prefix: str) -> None:
    async with build_redis(redis_url) as redis:
        one, two = processes(redis, redis_prefix)
        await one.exchange({GAME: 3}, believed_ms=1)

        async with asyncio.timeout(PATIENCE_S):
            while await two.exchange({GAME: 1}, believed_ms=BELIEVED_MS) != {GAME: 1}:
                pass


async def test_games_without_readers_leave_nothing_behind(redis_url: str, redis_prefix: str) -> None:
    async with build_redis(redis_url) as redis:
        one, _ = processes(redis, redis_prefix)
        await one.exchange({GAME: 3}, believed_ms=BELIEVED_MS)
        await one.exchange({GAME: 0}, believed_ms=BELIEVED_MS)

        assert await redis.exists(redis_prefix + GAME) == 0


async def test_many_games_are_told_in_a_few_round_trips(redis_url: str, redis_prefix: str) -> None:
    counts = {StreamId(f"game-{number}"): number + 1 for number in range(2 * GAMES_MAX + 1)}
    async with build_redis(redis_url) as redis:
        one, _ = processes(redis, redis_prefix)

        assert await one.exchange(counts, believed_ms=BELIEVED_MS) == counts


async def test_a_redis_that_is_away_is_told() -> None:
    async with build_redis("redis://127.0.0.1:1/0") as redis:
        with pytest.raises(PresenceAway):
            await RedisPresence(redis, process="one").exchange({GAME: 1}, believed_ms=BELIEVED_MS)
