"""Readers that are slow, too many, or there when the server stops; messages beside the frames."""

import asyncio
import socket
from contextlib import AsyncExitStack, suppress

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from domain.ids import StreamVersion
from infra.networks import network_of
from services.live.hub import TooManyReaders
from services.live.messages import End, Frame
from services.reading.access import ANYONE, Caller
from tests.database import Database
from tests.domain.game.game_harness import ADA, BOB, GAME
from tests.services.live.game_play import fold_shown, open_game, play_one, play_some, read_log, start_game
from tests.services.live.live_readers import Opening, Watcher, watching_events, watching_socket
from tests.services.live.node import NEVER_S, PATIENCE_S, SOON_S, Node, pace, running_node

WAYS = pytest.mark.parametrize("watching", [watching_events, watching_socket], ids=["events", "socket"])
# The smallest a system gives, so that few frames fill the buffers between a server and a client that does not read.
BUFFER_SIZE = 4096


async def until_behind(node: Node, first: int) -> int:
    """Play until the one reader of the game is further behind than its buffer holds; return its last message."""
    (reader,) = node.hub.list_readers(GAME)
    for number in range(first, first + 400):
        version = await play_one(node.parts.games.arena, number)
        while (buffer := reader.buffer) is not None and buffer.version < version:
            await node.client.get("/v1/health")
        kept = buffer.steps("public") if buffer is not None else None
        assert kept is not None
        assert reader.cursor is not None
        if reader.cursor < kept[0].version:
            return reader.cursor
    raise AssertionError("the reader never fell behind")


async def test_a_socket_that_is_too_slow_is_closed_and_told_so_and_resumes(database: Database, redis_url: str) -> None:
    slow = pace(look_s=SOON_S, steps_max=4)
    async with running_node(database, redis_url, pace=slow, send_buffer=BUFFER_SIZE) as node:
        await start_game(node.parts.games.arena, options={"rounds": 50, "lives": 9})
        url = f"ws://{node.address}/v1/games/{GAME}/socket"
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_SIZE)
        client.setblocking(False)  # noqa: FBT003  the name of the standard library's own parameter
        host, _, port = node.address.partition(":")
        await asyncio.get_running_loop().sock_connect(client, (host, int(port)))
        watcher = Watcher()
        async with connect(url, sock=client, max_size=None, max_queue=1) as connection:
            watcher.take(str(await connection.recv()))
            await until_behind(node, 0)

            with suppress(ConnectionClosed):
                async for message in connection:
                    watcher.take(str(message))
            assert (connection.close_code, watcher.end) == (4408, {"type": "end", "reason": "slow"})

        seen, watcher.end = watcher.versions[-1], None
        watcher.note_close(None)
        async with watching_socket(node, watcher, after=seen):
            await watcher.until_version(last := (await node.parts.games.arena.load(GAME)).version)

        assert watcher.versions == list(range(watcher.versions[0], last + 1))
        assert watcher.board == fold_shown(await read_log(node))


async def test_a_reader_that_falls_out_of_the_film_is_ended_and_one_that_resumes_is_not(database: Database) -> None:
    async with running_node(database, None, pace=pace(steps_max=4)) as node:
        await start_game(node.parts.games.arena, options={"rounds": 20})
        reader = await node.hub.join(GAME, ANYONE)
        (first,) = await reader.pull()
        assert isinstance(first, Frame)
        behind = await until_behind(node, 0)

        found = await reader.pull()
        resumed = await node.hub.join(GAME, ANYONE, after=StreamVersion(behind))
        versions: list[int] = []
        last = (await node.parts.games.arena.load(GAME)).version
        while not versions or versions[-1] < last:
            versions += [frame.version for frame in await resumed.pull() if isinstance(frame, Frame)]

        assert found == (End(reason="slow"),)
        assert versions == list(range(behind + 1, last + 1))
        for each in (reader, resumed):
            node.hub.leave(each)


async def test_a_process_takes_no_more_readers_than_it_may(database: Database) -> None:
    async with running_node(database, None, pace=pace(readers_max=2)) as node:
        await open_game(node.parts.games.arena)
        watcher = Watcher()
        readers = [await node.hub.join(GAME, ANYONE) for _ in range(2)]

        with pytest.raises(TooManyReaders):
            await node.hub.join(GAME, ANYONE)
        answer = await node.client.get(f"/v1/games/{GAME}/live")
        async with watching_socket(node, watcher):
            code = await watcher.until_closed()
        node.hub.leave(readers[0])
        again = await node.hub.join(GAME, ANYONE)

        assert (answer.status_code, answer.headers["retry-after"], code) == (503, "2", 1013)
        for reader in (again, readers[1]):
            node.hub.leave(reader)
        assert node.hub.readers_count == 0


@WAYS
async def test_a_server_that_stops_ends_its_streams_at_once_and_says_come_again(
    database: Database, redis_url: str, watching: Opening
) -> None:
    watcher = Watcher()
    async with AsyncExitStack() as stack:
        going = await stack.enter_async_context(running_node(database, redis_url))
        staying = await stack.enter_async_context(running_node(database, redis_url, pace=pace()))
        await start_game(going.parts.games.arena)
        async with watching(going, watcher):
            await watcher.until_version(6)

            going.stop()
            end = await watcher.until_ended()
            code = await watcher.until_closed()
            async with asyncio.timeout(PATIENCE_S):
                await going.stopped.wait()
        seen = watcher.versions[-1]
        async with watching(staying, watcher, last_event_id=seen):
            await watcher.until_version(last := await play_one(staying.parts.games.arena, 1))

    assert end["reason"] == "restarting"
    assert code == (1000 if watching is watching_events else 1012)
    assert watcher.versions == list(range(watcher.versions[0], last + 1))


async def test_a_server_that_stops_takes_nobody_in(database: Database) -> None:
    async with running_node(database, None) as node:
        await open_game(node.parts.games.arena)
        node.hub.stop()

        answer = await node.client.get(f"/v1/games/{GAME}/live")

    assert (answer.status_code, answer.json()["may_send_again"]) == (503, True)


@WAYS
async def test_who_hears_nothing_for_a_while_is_told_where_the_game_is(database: Database, watching: Opening) -> None:
    async with running_node(database, None, pace=pace(beat_s=SOON_S)) as node:
        await start_game(node.parts.games.arena)
        version = await play_some(node.parts.games.arena, first=0, count=2)
        watcher = Watcher()
        async with watching(node, watcher):
            told = await watcher.until_told("heartbeat")

    assert told == {"type": "heartbeat", "version": version}


async def test_readers_are_told_how_many_they_are_over_all_processes(database: Database, redis_url: str) -> None:
    often = pace(beat_s=SOON_S)
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(running_node(database, redis_url, pace=often)) for _ in range(2)]
        await open_game(nodes[0].parts.games.arena)
        first, others = Watcher(), [Watcher(), Watcher()]
        async with watching_socket(nodes[0], first):
            async with watching_events(nodes[1], others[0]), watching_socket(nodes[1], others[1]):
                await first.until(lambda: {"type": "presence", "readers": 3} in first.told)
            first.told.clear()
            await first.until(lambda: {"type": "presence", "readers": 1} in first.told)


async def test_without_redis_readers_of_one_process_are_counted(database: Database) -> None:
    async with running_node(database, "redis://127.0.0.1:1/0", pace=pace(beat_s=SOON_S)) as node:
        await open_game(node.parts.games.arena)
        watcher = Watcher()
        async with watching_events(node, watcher):
            assert (await watcher.until_told("presence"))["readers"] == 1


async def test_a_reader_that_goes_away_is_let_go(database: Database) -> None:
    async with running_node(database, None, pace=pace(look_s=NEVER_S)) as node:
        await open_game(node.parts.games.arena)
        for watching in (watching_events, watching_socket):
            watcher = Watcher()
            async with watching(node, watcher):
                await watcher.until_version(1)
                assert node.hub.readers_count == 1

            async with asyncio.timeout(PATIENCE_S):
                while node.hub.readers_count:
                    await node.client.get("/v1/health")


async def test_a_network_fills_neither_the_stands_nor_the_places_of_those_who_play(database: Database) -> None:
    async with running_node(database, None, pace=pace(readers_per_network_max=2, readers_max=3)) as node:
        await start_game(node.parts.games.arena)
        stranger, other = Caller(network=network_of("192.0.2.1")), Caller(network=network_of("192.0.2.2"))
        readers = [await node.hub.join(GAME, stranger) for _ in range(2)]

        with pytest.raises(TooManyReaders):
            await node.hub.join(GAME, stranger)
        readers.append(await node.hub.join(GAME, other))
        with pytest.raises(TooManyReaders):
            await node.hub.join(GAME, other)
        # Those who play sit in the same network, and find room.
        readers += [await node.hub.join(GAME, Caller(player=player, network=stranger.network)) for player in (ADA, BOB)]

        for reader in readers:
            node.hub.leave(reader)
        assert node.hub.readers_count == 0


async def test_a_player_has_so_many_streams_of_games_of_its_own(database: Database) -> None:
    async with running_node(database, None, pace=pace(own_readers_max=2)) as node:
        await start_game(node.parts.games.arena)
        readers = [await node.hub.join(GAME, Caller(player=ADA)) for _ in range(2)]

        with pytest.raises(TooManyReaders):
            await node.hub.join(GAME, Caller(player=ADA))
        readers.append(await node.hub.join(GAME, Caller(player=BOB)))

        for reader in readers:
            node.hub.leave(reader)
