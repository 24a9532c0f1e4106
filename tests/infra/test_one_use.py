"""Values that may be taken once, in memory and in Redis under one contract."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from infra.redis.client import build_redis
from infra.redis.one_use import OneUseAway, RedisOneUse
from infra.unshared import MemoryOneUse

LIFE_MS = 60_000
PATIENCE_S = 20.0
Kept = MemoryOneUse | RedisOneUse


@pytest.fixture(params=["memory", "redis"])
async def kept(request: pytest.FixtureRequest, redis_prefix: str) -> AsyncIterator[Kept]:
    if request.param == "memory":
        yield MemoryOneUse(now_ms=lambda: 0)
    else:
        async with build_redis(request.getfixturevalue("redis_url")) as redis:
            yield RedisOneUse(redis, prefix=redis_prefix)


async def test_a_value_is_taken_once(kept: Kept) -> None:
    await kept.put("key", b"value", life_ms=LIFE_MS)

    taken = [await kept.take("key") for _ in range(2)]

    assert taken == [b"value", None]


async def test_of_many_who_take_at_once_one_gets_it(kept: Kept) -> None:
    await kept.put("key", b"value", life_ms=LIFE_MS)

    taken = await asyncio.gather(*(kept.take("key") for _ in range(20)))

    assert [each for each in taken if each is not None] == [b"value"]


async def test_what_was_never_put_is_not_there(kept: Kept) -> None:
    assert await kept.take("key") is None


async def test_a_value_does_not_outlive_its_time_in_redis(redis_url: str, redis_prefix: str) -> None:
    async with build_redis(redis_url) as redis:
        kept = RedisOneUse(redis, prefix=redis_prefix)
        await kept.put("key", b"value", life_ms=1)
        async with asyncio.timeout(PATIENCE_S):
            while await redis.exists(redis_prefix + "key"):
                pass

        assert await kept.take("key") is None


async def test_a_value_does_not_outlive_its_time_in_memory() -> None:
    now = [0]
    kept = MemoryOneUse(now_ms=lambda: now[0])
    await kept.put("early", b"value", life_ms=LIFE_MS)
    await kept.put("late", b"value", life_ms=LIFE_MS)

    now[0] = LIFE_MS - 1
    early = await kept.take("early")
    now[0] = LIFE_MS

    assert (early, await kept.take("late")) == (b"value", None)


async def test_memory_keeps_no_more_than_it_may() -> None:
    kept = MemoryOneUse(now_ms=lambda: 0, kept_max=2)

    for key in ("first", "second", "third"):
        await kept.put(key, b"value", life_ms=LIFE_MS)

    assert [await kept.take(key) for key in ("first", "second", "third")] == [None, b"value", b"value"]


async def test_a_redis_that_is_away_is_told() -> None:
    async with build_redis("redis://127.0.0.1:1/0") as redis:
        kept = RedisOneUse(redis)

        with pytest.raises(OneUseAway):
            await kept.put("key", b"value", life_ms=LIFE_MS)
        with pytest.raises(OneUseAway):
            await kept.take("key")
