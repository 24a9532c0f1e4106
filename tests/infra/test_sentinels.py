"""Redis behind Sentinels: hints, limits and presence go on at the replica that takes over."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.ids import StreamId, StreamVersion
from infra.redis.client import build_redis
from infra.redis.presence import PresenceAway, RedisPresence
from infra.redis.rate_limit import RateLimitAway, RedisRateLimit
from tests.appends import new_game
from tests.infra.test_hint_sources import running_on_redis
from tests.valkey import PATIENCE_S, Watched, watched_valkey

PAUSE_S = 0.05


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    async with watched_valkey(tmp_path) as servers:
        yield servers


async def test_hints_flow_again_at_the_replica_that_takes_over(watched: Watched) -> None:
    game, version = new_game(), StreamVersion(1)
    async with running_on_redis(watched.url) as ear:
        ear.source.subscribe(game)
        await ear.until((game, None))
        await watched.master.kill()

        ear.heard.clear()
        async with asyncio.timeout(PATIENCE_S):
            while (game, version) not in ear.heard:
                # Hints of that time may be lost, as each of them may.
                version = StreamVersion(version + 1)
                ear.announcer.announce(game, version)
                await asyncio.sleep(PAUSE_S)

        # The subscription was made again, which readers take as a reason to look.
        assert (game, None) in ear.heard


async def test_limits_and_presence_go_on_at_the_replica_that_takes_over(watched: Watched) -> None:
    async with build_redis(watched.url) as redis, asyncio.timeout(PATIENCE_S):
        limit, presence = RedisRateLimit(redis), RedisPresence(redis, process="one")
        assert await until_counted(limit, presence) == (0, 3)
        await watched.master.kill()

        assert await until_counted(limit, presence) == (0, 3)


async def until_counted(limit: RedisRateLimit, presence: RedisPresence) -> tuple[int, int]:
    """Count as soon as there is a master that answers: on a busy machine the first one may be late too."""
    while (counted := await count(limit, presence)) is None:
        pass
    return counted


async def count(limit: RedisRateLimit, presence: RedisPresence) -> tuple[int, int] | None:
    """Count a request and three readers; None while there is no master."""
    game = StreamId("0199c0de-0000-7000-8000-000000000001")
    try:
        missing_us = await limit.take("ada", interval_us=1, burst=10, cost=1)
        return missing_us, (await presence.exchange({game: 3}, believed_ms=1000))[game]
    except (RateLimitAway, PresenceAway):
        return None
