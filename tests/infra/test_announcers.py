"""Announcers under one contract, and the Redis one while a real server is killed and comes back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast
from uuid import uuid4

import pytest
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from structlog.testing import capture_logs

from domain.ids import StreamId, StreamVersion
from infra.redis.announcer import RedisAnnouncer, hint_channel, redis_announcer
from simulate.stores.announcer import MemoryAnnouncer
from tests.valkey import KillableValkey, killable_valkey

# Nothing here takes longer than a second on an idle machine.
PATIENCE_S = 20.0
Hint = tuple[StreamId, StreamVersion]


class MemoryBench:
    """Reads the hints of a MemoryAnnouncer."""

    def __init__(self) -> None:
        self.announcer = MemoryAnnouncer()

    async def newest(self, game: StreamId, version: StreamVersion) -> bool:
        return self.announcer.hints.newest[game] == version


class RedisBench:
    """Hears the hints of a RedisAnnouncer, on a connection of its own."""

    def __init__(self, announcer: RedisAnnouncer, heard: PubSub) -> None:
        self.announcer = announcer
        self._heard = heard

    async def newest(self, game: StreamId, version: StreamVersion) -> bool:
        """Listen until that hint comes; an older one may come before it, a newer one not."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message = await self._heard.get_message(ignore_subscribe_messages=True, timeout=1.0)
                if message and message["channel"].decode() == hint_channel(game):
                    if int(message["data"]) == version:
                        return True
                    assert int(message["data"]) < version


Bench = MemoryBench | RedisBench


@asynccontextmanager
async def listening(url: str) -> AsyncIterator[PubSub]:
    async with Redis.from_url(url) as redis, redis.pubsub() as heard:
        await heard.psubscribe("spina:stream:*")
        await heard.get_message(timeout=PATIENCE_S)
        yield heard


@pytest.fixture(params=["memory", "redis"])
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    if request.param == "memory":
        yield MemoryBench()
    else:
        url = request.getfixturevalue("redis_url")
        async with listening(url) as heard, redis_announcer(url) as announcer:
            yield RedisBench(announcer, heard)


def new_game() -> StreamId:
    return StreamId(str(uuid4()))


async def test_a_hint_reaches_who_listens(bench: Bench) -> None:
    game = new_game()

    bench.announcer.announce(game, StreamVersion(3))

    assert await bench.newest(game, StreamVersion(3))


async def test_the_last_hint_of_many_always_arrives(bench: Bench) -> None:
    game = new_game()

    for version in range(1, 200):
        bench.announcer.announce(game, StreamVersion(version))

    assert await bench.newest(game, StreamVersion(199))


async def test_a_late_hint_does_not_take_a_game_back(bench: Bench) -> None:
    game = new_game()

    bench.announcer.announce(game, StreamVersion(9))
    bench.announcer.announce(game, StreamVersion(8))

    assert await bench.newest(game, StreamVersion(9))


async def test_games_do_not_hide_each_other(bench: Bench) -> None:
    games = [new_game() for _ in range(20)]

    for game in games:
        bench.announcer.announce(game, StreamVersion(1))

    for game in games:
        assert await bench.newest(game, StreamVersion(1))


async def test_the_oldest_hint_is_dropped_and_counted() -> None:
    ada, bob, cid = (new_game() for _ in range(3))
    announcer = MemoryAnnouncer(hints_max=2)

    for game in (ada, bob, ada, cid):
        announcer.announce(game, StreamVersion(1))

    assert list(announcer.hints.newest) == [ada, cid]
    assert announcer.hints.dropped_count == 1


async def test_hints_wait_bounded_while_redis_is_away(server: KillableValkey) -> None:
    games = [new_game() for _ in range(5)]

    async with redis_announcer(server.url, hints_max=3) as announcer:
        for game in games:
            announcer.announce(game, StreamVersion(1))
        await server.start()
        async with listening(server.url) as heard:
            announcer.announce(games[-1], StreamVersion(2))
            told = await RedisBench(announcer, heard).newest(games[-1], StreamVersion(2))

    assert told
    assert announcer.dropped_count == 2


async def test_hints_go_on_after_redis_was_killed_and_came_back(server: KillableValkey) -> None:
    game = new_game()
    await server.start()

    async with redis_announcer(server.url) as announcer:
        async with listening(server.url) as heard:
            announcer.announce(game, StreamVersion(1))
            assert await RedisBench(announcer, heard).newest(game, StreamVersion(1))
        await server.kill()
        announcer.announce(game, StreamVersion(2))
        await server.start()
        async with listening(server.url) as heard:
            announcer.announce(game, StreamVersion(3))
            assert await RedisBench(announcer, heard).newest(game, StreamVersion(3))


async def test_stopping_tells_what_still_waits(redis_url: str) -> None:
    game = new_game()

    async with listening(redis_url) as heard:
        async with redis_announcer(redis_url) as announcer:
            announcer.announce(game, StreamVersion(7))

        assert await RedisBench(announcer, heard).newest(game, StreamVersion(7))


async def test_stopping_does_not_wait_for_a_redis_that_is_away(server: KillableValkey) -> None:
    async with asyncio.timeout(PATIENCE_S), redis_announcer(server.url) as announcer:
        announcer.announce(new_game(), StreamVersion(1))

    assert announcer.dropped_count == 0


async def test_an_announcer_goes_on_after_a_bug_and_says_so() -> None:
    redis, game = BuggyRedis(), new_game()
    announcer = RedisAnnouncer(cast("Redis", redis))
    with capture_logs() as told:
        publishing = asyncio.create_task(announcer.publish_for_ever())
        announcer.announce(game, StreamVersion(1))
        await redis.asked_once_more()
        was_failing = announcer.is_failing
        redis.is_mended = True
        await redis.asked_once_more()
        await announcer.flush()
        publishing.cancel()
        await asyncio.wait({publishing})

    assert was_failing
    assert not announcer.is_failing
    assert redis.published == [(hint_channel(game), "1")]
    assert [entry["event"] for entry in told] == ["announcer_failed"]


async def test_hints_that_follow_another_closely_go_together() -> None:
    redis, (ada, bob, cid) = BuggyRedis(is_mended=True), (new_game() for _ in range(3))
    announcer = RedisAnnouncer(cast("Redis", redis), gathering_s=PATIENCE_S)
    publishing = asyncio.create_task(announcer.publish_for_ever())
    announcer.announce(ada, StreamVersion(1))
    await redis.asked_once_more()

    for game, version in ((bob, 2), (ada, 3), (ada, 4), (cid, 5)):
        announcer.announce(game, StreamVersion(version))
        await asyncio.sleep(0)
    published_at_once = list(redis.published)
    publishing.cancel()
    await asyncio.wait({publishing})
    await announcer.flush()

    assert published_at_once == [(hint_channel(ada), "1")]
    assert redis.published[1:] == [(hint_channel(bob), "2"), (hint_channel(ada), "4"), (hint_channel(cid), "5")]


class BuggyRedis:
    """A client that breaks in a way no server can cause, until it is mended."""

    def __init__(self, *, is_mended: bool = False) -> None:
        self.is_mended = is_mended
        self.published: list[tuple[str, str]] = []
        self._batch: list[tuple[str, str]] = []
        self._executions = asyncio.Semaphore(0)

    def pipeline(self, *, transaction: bool) -> "BuggyRedis":
        assert not transaction
        self._batch = []
        return self

    def publish(self, channel: str, text: str) -> None:
        self._batch.append((channel, text))

    async def execute(self) -> None:
        self._executions.release()
        if not self.is_mended:
            raise RuntimeError("a bug of ours")
        self.published += self._batch

    async def asked_once_more(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self._executions.acquire()


@pytest.fixture
async def server() -> AsyncIterator[KillableValkey]:
    async with killable_valkey() as valkey:
        yield valkey
