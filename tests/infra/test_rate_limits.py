"""The limit on requests, in Redis and in memory: the same arithmetic, one suite for both."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.redis.client import build_redis
from infra.redis.rate_limit import SECOND_US, RateLimitAway, RedisRateLimit
from infra.unshared import MemoryRateLimit
from services.api.http.rates import RateLimit

# So slow that nothing comes back while a test runs.
INTERVAL_US = 3600 * SECOND_US


@pytest.fixture(params=["memory", "redis"])
async def limit(request: pytest.FixtureRequest, redis_prefix: str) -> AsyncIterator[RateLimit]:
    if request.param == "memory":
        yield MemoryRateLimit(now_us=lambda: 1_795_003_200_000_000)
        return
    async with build_redis(request.getfixturevalue("redis_url")) as redis:
        yield RedisRateLimit(redis, prefix=redis_prefix)


async def test_a_burst_passes_and_no_more(limit: RateLimit) -> None:
    taken = [await limit.take("ada", interval_us=INTERVAL_US, burst=5, cost=1) for _ in range(7)]

    assert taken[:5] == [0] * 5
    assert all(0 < missing <= INTERVAL_US for missing in taken[5:])


async def test_a_burst_at_once_passes_and_no_more(limit: RateLimit) -> None:
    taken = await asyncio.gather(*(limit.take("ada", interval_us=INTERVAL_US, burst=50, cost=1) for _ in range(200)))

    assert sum(missing == 0 for missing in taken) == 50


async def test_each_is_counted_alone(limit: RateLimit) -> None:
    await limit.take("ada", interval_us=INTERVAL_US, burst=1, cost=1)

    assert await limit.take("bob", interval_us=INTERVAL_US, burst=1, cost=1) == 0
    assert await limit.take("ada", interval_us=INTERVAL_US, burst=1, cost=1) > 0


async def test_what_costs_more_uses_more_up(limit: RateLimit) -> None:
    taken = [await limit.take("ada", interval_us=INTERVAL_US, burst=5, cost=2) for _ in range(3)]

    assert [missing == 0 for missing in taken] == [True, True, False]


async def test_what_is_refused_is_not_counted(limit: RateLimit) -> None:
    await limit.take("ada", interval_us=INTERVAL_US, burst=1, cost=1)

    missing = [await limit.take("ada", interval_us=INTERVAL_US, burst=1, cost=1) for _ in range(10)]

    assert max(missing) <= INTERVAL_US


async def test_time_gives_requests_back() -> None:
    now = [0]
    limit = MemoryRateLimit(now_us=lambda: now[0])
    for _ in range(4):
        await limit.take("ada", interval_us=10, burst=4, cost=1)

    missing = await limit.take("ada", interval_us=10, burst=4, cost=1)
    now[0] = missing

    assert missing == 10
    assert await limit.take("ada", interval_us=10, burst=4, cost=1) == 0


@given(gaps=st.lists(st.integers(min_value=0, max_value=50), max_size=60), burst=st.integers(min_value=1, max_value=8))
def test_no_span_of_time_lets_through_more_than_its_share_and_a_burst(gaps: list[int], burst: int) -> None:
    passed = asyncio.run(_pass(gaps, burst=burst))

    for start in range(len(passed)):
        for end in range(start, len(passed)):
            assert end - start + 1 <= burst + (passed[end] - passed[start]) // 10


async def _pass(gaps: list[int], *, burst: int) -> list[int]:
    now, passed = 0, []
    clock: Callable[[], int] = lambda: now  # noqa: E731  reads the variable of this very function
    limit = MemoryRateLimit(now_us=clock)
    for gap in gaps:
        now += gap
        if await limit.take("ada", interval_us=10, burst=burst, cost=1) == 0:
            passed.append(now)
    return passed


async def test_memory_is_bounded() -> None:
    limit = MemoryRateLimit(now_us=lambda: 0, kept_max=10)

    for number in range(100):
        await limit.take(f"address:{number}", interval_us=1, burst=1, cost=1)

    assert len(limit) == 10


async def test_a_redis_that_is_away_is_told_as_such() -> None:
    async with build_redis("redis://127.0.0.1:1/0") as redis:
        with pytest.raises(RateLimitAway):
            await RedisRateLimit(redis).take("ada", interval_us=1, burst=1, cost=1)


async def test_a_count_in_redis_goes_when_it_says_nothing_any_more(redis_url: str, redis_prefix: str) -> None:
    async with build_redis(redis_url) as redis:
        limit = RedisRateLimit(redis, prefix=redis_prefix)
        await limit.take("ada", interval_us=SECOND_US, burst=10, cost=3)

        left_ms = await redis.pttl(f"{redis_prefix}ada")

    assert 0 < left_ms <= 3_000
