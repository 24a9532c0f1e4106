"""The frames of readers while hints are lost, doubled and reordered, Redis is killed, or the database hangs up."""

from contextlib import AsyncExitStack

import asyncpg
import pytest

from infra.store_faults import StoreUnavailable
from services.commands.arena import Arena
from tests.database import Database
from tests.redis_faults import Faults, redis_faults
from tests.services.live.game_play import fold_shown, open_game, play_one, play_some, read_log, start_game
from tests.services.live.live_readers import Opening, Watcher, watching_events, watching_socket
from tests.services.live.node import SOON_S, Node, pace, running_node
from tests.valkey import killable_valkey

WAYS = pytest.mark.parametrize("watching", [watching_events, watching_socket], ids=["events", "socket"])
SEED = 20261118


async def check(watcher: Watcher, node: Node, first: int = 1) -> None:
    lines = await read_log(node)
    assert watcher.versions == list(range(first, len(lines) + 1))
    assert watcher.lines == lines[first - 1 :]
    assert watcher.board == fold_shown(lines)


async def play_whole(arena: Arena) -> int:
    await start_game(arena)
    return await play_some(arena, first=0, count=500)


@WAYS
@pytest.mark.parametrize(
    "faults",
    [Faults(lost=100), Faults(doubled=50), Faults(late=50), Faults(lost=30, doubled=30, late=30)],
    ids=["all lost", "every second one doubled", "every second one late", "anything"],
)
async def test_nothing_is_lost_or_seen_twice_whatever_becomes_of_the_hints(
    database: Database, redis_url: str, watching: Opening, faults: Faults
) -> None:
    watcher = Watcher()
    async with redis_faults(redis_url, faults, seed=SEED) as proxy, AsyncExitStack() as stack:
        played = await stack.enter_async_context(running_node(database, redis_url))
        watched = await stack.enter_async_context(running_node(database, proxy.url, pace=pace(look_s=SOON_S)))
        await open_game(played.parts.games.arena)
        async with watching(watched, watcher, after=0):
            await watcher.until_version(1)
            await watcher.until_version(await play_whole(played.parts.games.arena))

        await check(watcher, played)
        assert proxy.touched_count > 0


async def test_a_hint_alone_is_enough_in_a_quiet_game(database: Database, redis_url: str) -> None:
    watcher = Watcher()
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(running_node(database, redis_url, pace=pace())) for _ in range(2)]
        await start_game(nodes[0].parts.games.arena)
        async with watching_socket(nodes[1], watcher, after=0):
            await watcher.until_version(6)

            await watcher.until_version(await play_one(nodes[0].parts.games.arena, 1))

        await check(watcher, nodes[0])


@WAYS
async def test_a_redis_that_is_killed_and_comes_back_costs_nothing_but_time(
    database: Database, watching: Opening
) -> None:
    watcher = Watcher()
    async with killable_valkey() as valkey, AsyncExitStack() as stack:
        await valkey.start()
        played = await stack.enter_async_context(running_node(database, valkey.url, pace=pace()))
        watched = await stack.enter_async_context(running_node(database, valkey.url, pace=pace()))
        await start_game(played.parts.games.arena)
        async with watching(watched, watcher, after=0):
            for outage in range(2):
                await watcher.until_version(await play_some(played.parts.games.arena, first=10 * outage, count=3))
                await valkey.kill()
                missed = await play_some(played.parts.games.arena, first=10 * outage + 5, count=3)
                assert watcher.versions[-1] < missed
                await valkey.start()
                await watcher.until_version(missed)

        await check(watcher, played)


@WAYS
async def test_without_redis_readers_catch_up_by_looking(database: Database, watching: Opening) -> None:
    watcher = Watcher()
    nowhere = "redis://127.0.0.1:1/0"
    async with AsyncExitStack() as stack:
        played = await stack.enter_async_context(running_node(database, nowhere))
        watched = await stack.enter_async_context(running_node(database, nowhere, pace=pace(look_s=SOON_S)))
        await open_game(played.parts.games.arena)
        async with watching(watched, watcher, after=0):
            await watcher.until_version(await play_whole(played.parts.games.arena))

        await check(watcher, played)


@WAYS
async def test_a_server_without_redis_tells_its_own_readers(database: Database, watching: Opening) -> None:
    watcher = Watcher()
    async with running_node(database, None, pace=pace()) as node:
        await open_game(node.parts.games.arena)
        async with watching(node, watcher, after=0):
            await watcher.until_version(await play_whole(node.parts.games.arena))

        await check(watcher, node)


@WAYS
async def test_a_database_that_hangs_up_on_everyone_is_asked_again(
    database: Database, redis_url: str, watching: Opening
) -> None:
    watcher = Watcher()
    owner = await asyncpg.connect(database.owner_url)
    async with AsyncExitStack() as stack:
        played = await stack.enter_async_context(running_node(database, redis_url, pace=pace()))
        watched = await stack.enter_async_context(running_node(database, redis_url, pace=pace(look_s=SOON_S)))
        await start_game(played.parts.games.arena)
        async with watching(watched, watcher, after=0):
            for round_ in range(3):
                await watcher.until_version(await play_some(played.parts.games.arena, first=10 * round_, count=2))
                await owner.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where datname = current_database() and pid <> pg_backend_pid()"
                )
                await watched.client.get("/v1/health")
                await play_again(played, 10 * round_ + 5)
            await watcher.until_version(len(await read_log(played)))

        await check(watcher, played)
    await owner.close()


async def play_again(node: Node, number: int) -> None:
    """Play a command, as often as it takes: the connection it would have used was cut."""
    for _ in range(20):
        try:
            await play_one(node.parts.games.arena, number)
        except StoreUnavailable:
            continue
        return
    raise AssertionError("the store never came back")
