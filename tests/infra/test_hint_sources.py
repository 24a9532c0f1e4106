"""Sources of hints under one contract, and the Redis one through outages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from domain.ids import StreamId, StreamVersion
from infra.hint_source import HintSource, MemoryHintSource
from infra.redis.announcer import hint_channel, redis_announcer
from infra.redis.client import build_redis
from infra.redis.hint_source import RedisHintSource
from services.commands.write_path import Announcer
from tests.fault_proxy import fault_proxy
from tests.valkey import KillableValkey, killable_valkey

# Nothing here takes longer than a second on an idle machine.
PATIENCE_S = 20.0
ONE, TWO = StreamVersion(1), StreamVersion(2)


class Ear:
    """Keeps the hints that it heard, for a test to wait for."""

    def __init__(self, source: HintSource, announcer: Announcer) -> None:
        self.source = source
        self.announcer = announcer
        self.heard: list[tuple[StreamId, StreamVersion | None]] = []
        self._news = asyncio.Event()

    def hear(self, game: StreamId, version: StreamVersion | None) -> None:
        self.heard.append((game, version))
        self._news.set()

    async def until(self, *expected: tuple[StreamId, StreamVersion | None]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not set(expected) <= set(self.heard):
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def running(source: HintSource, announcer: Announcer) -> AsyncIterator[Ear]:
    ear = Ear(source, announcer)
    task = asyncio.create_task(source.run(ear.hear))
    try:
        yield ear
    finally:
        task.cancel()
        await asyncio.wait({task})
    assert task.cancelled(), "a source runs for ever"
    assert task.cancelling() == 1, "an outage that counts as a cancellation turns the next timeout into one"


@asynccontextmanager
async def running_on_redis(url: str, *, silence_s: float = 5.0) -> AsyncIterator[Ear]:
    async with (
        build_redis(url) as redis,
        redis_announcer(url) as announcer,
        running(RedisHintSource(redis, silence_s=silence_s), announcer) as ear,
    ):
        yield ear


@pytest.fixture(params=["memory", "redis"])
async def ear(request: pytest.FixtureRequest) -> AsyncIterator[Ear]:
    if request.param == "memory":
        source = MemoryHintSource()
        async with running(source, source) as ear:
            yield ear
    else:
        async with running_on_redis(request.getfixturevalue("redis_url")) as ear:
            yield ear


@pytest.fixture
async def valkey() -> AsyncIterator[KillableValkey]:
    async with killable_valkey() as server:
        yield server


def new_game() -> StreamId:
    return StreamId(str(uuid4()))


async def test_the_beginning_of_hints_is_told(ear: Ear) -> None:
    game = new_game()

    ear.source.subscribe(game)

    await ear.until((game, None))


async def test_a_hint_is_heard_after_the_beginning_was(ear: Ear) -> None:
    game = new_game()
    ear.source.subscribe(game)
    await ear.until((game, None))

    ear.announcer.announce(game, TWO)

    await ear.until((game, TWO))


async def test_only_what_was_asked_for_is_heard(ear: Ear) -> None:
    games = [new_game() for _ in range(3)]
    for game in games[:2]:
        ear.source.subscribe(game)
        await ear.until((game, None))
    ear.source.unsubscribe(games[0])
    # Hints come in order, so once a later subscription is confirmed the earlier wish was heeded.
    ear.source.subscribe(last := new_game())
    await ear.until((last, None))

    for game in [*games, last]:
        ear.announcer.announce(game, ONE)
    await ear.until((games[1], ONE), (last, ONE))

    assert {game for game, version in ear.heard if version} == {games[1], last}


async def test_who_asks_before_the_source_runs_is_told_when_it_does() -> None:
    source, game = MemoryHintSource(), new_game()
    source.subscribe(game)

    async with running(source, source) as ear:
        await ear.until((game, None))


async def test_many_games_are_subscribed_over_one_connection(redis_url: str) -> None:
    games = [new_game() for _ in range(1_200)]
    async with running_on_redis(redis_url) as ear, Redis.from_url(redis_url) as redis:
        for game in games:
            ear.source.subscribe(game)
        await ear.until(*((game, None) for game in games))

        counts = await redis.pubsub_numsub(*map(hint_channel, games))

    assert {count for _, count in counts} == {1}


async def test_after_an_outage_every_game_is_told_to_be_read(valkey: KillableValkey) -> None:
    games = [new_game() for _ in range(3)]
    async with running_on_redis(valkey.url) as ear:
        for game in games:
            ear.source.subscribe(game)
        await valkey.start()
        await ear.until(*((game, None) for game in games))
        for _ in range(2):
            ear.heard.clear()

            await valkey.kill()
            await valkey.start()

            await ear.until(*((game, None) for game in games))
        ear.announcer.announce(games[0], TWO)
        await ear.until((games[0], TWO))


async def test_a_connection_that_is_silently_dead_is_given_up(redis_url: str) -> None:
    game = new_game()
    async with fault_proxy(redis_url) as proxy, running_on_redis(proxy.url, silence_s=0.05) as ear:
        ear.source.subscribe(game)
        await ear.until((game, None))
        ear.heard.clear()

        # The answer to the next question whether it lives never comes.
        proxy.lose_reply(b"PING")

        await ear.until((game, None))


async def test_what_is_no_version_is_a_reason_to_look(redis_url: str) -> None:
    game = new_game()
    async with running_on_redis(redis_url) as ear, Redis.from_url(redis_url) as redis:
        ear.source.subscribe(game)
        await ear.until((game, None))
        ear.heard.clear()

        await redis.publish(hint_channel(game), b"\xff-not-a-number")

        await ear.until((game, None))


@pytest.mark.parametrize("steps", range(40))
async def test_a_source_that_is_cancelled_at_any_step_of_its_connecting_ends(redis_url: str, steps: int) -> None:
    async with build_redis(redis_url) as redis:
        task = asyncio.create_task(RedisHintSource(redis).run(lambda _game, _version: None))
        for _ in range(steps):
            await asyncio.sleep(0)

        task.cancel()
        await asyncio.wait({task}, timeout=PATIENCE_S)

        assert task.cancelled()
