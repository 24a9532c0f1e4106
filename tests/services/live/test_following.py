"""Following a game over real servers, by event stream and by socket, while another node takes the commands."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from infra.redis.announcer import hint_channel
from infra.redis.client import build_redis
from tests.database import Database
from tests.domain.game.game_harness import GAME
from tests.services.live.game_play import fold_shown, open_game, play_one, play_some, read_log, start_game
from tests.services.live.live_readers import Opening, Watcher, watching_events, watching_socket
from tests.services.live.node import Node, pace, running_node

WAYS = pytest.mark.parametrize("watching", [watching_events, watching_socket], ids=["events", "socket"])


@pytest.fixture
async def nodes(database: Database, redis_url: str) -> AsyncIterator[tuple[Node, Node]]:
    """One game is played on, one is watched; nothing but hints concerns the second."""
    async with AsyncExitStack() as stack:
        played = await stack.enter_async_context(running_node(database, redis_url, pace=pace()))
        yield played, await stack.enter_async_context(running_node(database, redis_url, pace=pace()))


@WAYS
async def test_every_version_of_a_whole_game_is_seen_once_and_in_order(
    nodes: tuple[Node, Node], watching: Opening
) -> None:
    played, watched = nodes
    watcher = Watcher()
    await open_game(played.parts.games.arena)
    async with watching(watched, watcher, after=0):
        await start_game(played.parts.games.arena)
        last = await play_some(played.parts.games.arena, first=0, count=500)
        await watcher.until_version(last)

    lines = await read_log(played)
    assert watcher.versions == list(range(1, last + 1))
    assert watcher.lines == lines
    assert watcher.board == fold_shown(lines)


@WAYS
async def test_the_end_of_a_game_ends_the_stream_and_nobody_is_left(
    nodes: tuple[Node, Node], watching: Opening
) -> None:
    played, watched = nodes
    watcher = Watcher()
    await start_game(played.parts.games.arena)
    async with watching(watched, watcher):
        await play_some(played.parts.games.arena, first=0, count=500)
        end = await watcher.until_ended()
        code = await watcher.until_closed()

    assert (end["reason"], code) == ("over", 1000)
    assert watched.hub.readers_count == 0
    assert watched.hub.count_readers() == {}


async def test_a_browser_that_has_it_all_is_told_not_to_come_again(nodes: tuple[Node, Node]) -> None:
    played, watched = nodes
    await start_game(played.parts.games.arena)
    last = await play_some(played.parts.games.arena, first=0, count=500)

    answer = await watched.client.get(f"/v1/games/{GAME}/live", headers={"last-event-id": str(last)})

    assert answer.status_code == 204
    assert watched.hub.readers_count == 0


@WAYS
async def test_who_comes_late_gets_the_present_first(nodes: tuple[Node, Node], watching: Opening) -> None:
    played, watched = nodes
    watcher = Watcher()
    await start_game(played.parts.games.arena)
    now = await play_some(played.parts.games.arena, first=0, count=3)
    async with watching(watched, watcher):
        await watcher.until_version(now)
        last = await play_one(played.parts.games.arena, 50)
        await watcher.until_version(last)

    assert watcher.versions == list(range(now, last + 1))
    assert watcher.board == fold_shown(await read_log(played))


@WAYS
async def test_a_reader_goes_on_where_it_broke_off(nodes: tuple[Node, Node], watching: Opening) -> None:
    played, watched = nodes
    watcher = Watcher()
    await start_game(played.parts.games.arena, options={"rounds": 30})
    async with watching(watched, watcher, after=0):
        await watcher.until_version(await play_some(played.parts.games.arena, first=0, count=2))
    seen = watcher.versions[-1]
    watcher.note_close(None)
    await play_some(played.parts.games.arena, first=50, count=40)
    async with watching(played, watcher, last_event_id=seen):
        await watcher.until_version(last := await play_one(played.parts.games.arena, 100))

    lines = await read_log(played)
    assert last - seen > 64, "more than a buffer holds was missed"
    assert watcher.versions == list(range(1, last + 1))
    assert watcher.lines == lines
    assert watcher.board == fold_shown(lines)


async def test_readers_of_both_kinds_on_both_nodes_see_the_same(nodes: tuple[Node, Node]) -> None:
    watchers = [Watcher() for _ in range(8)]
    await open_game(nodes[0].parts.games.arena)
    async with AsyncExitStack() as stack:
        for number, watcher in enumerate(watchers):
            watching: Opening = (watching_events, watching_socket)[number % 2]
            await stack.enter_async_context(watching(nodes[number // 4], watcher))
            # An open stream may have sent nothing yet; then it would begin with a later line.
            await watcher.until_version(1)
        await start_game(nodes[0].parts.games.arena)
        last = await play_some(nodes[1].parts.games.arena, first=0, count=10)
        for watcher in watchers:
            await watcher.until_version(last)

    assert {tuple(watcher.lines[-(last - 1) :]) for watcher in watchers} == {tuple(watchers[0].lines[-(last - 1) :])}
    board = fold_shown(await read_log(nodes[0]))
    assert all(watcher.board == board for watcher in watchers)


async def test_a_game_with_readers_is_subscribed_to(nodes: tuple[Node, Node], redis_url: str) -> None:
    played, watched = nodes
    await open_game(played.parts.games.arena)
    async with build_redis(redis_url) as redis:

        async def count() -> int:
            return int(dict(await redis.pubsub_numsub(hint_channel(GAME)))[hint_channel(GAME).encode()])

        watchers = [Watcher(), Watcher()]
        async with watching_socket(watched, watchers[0]), watching_events(watched, watchers[1]):
            await start_game(played.parts.games.arena)
            for watcher in watchers:
                await watcher.until_version(6)
            during = await count()
        while watched.hub.readers_count:
            await watched.client.get("/v1/health")

    # Other tests may follow a game of this id on the same Valkey, so only the least is certain.
    assert during >= 1
