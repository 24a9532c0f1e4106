"""The view of each reader: the public, each seat, a player who sits down meanwhile, delayed and private games."""

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from msgspec.structs import replace

from domain.game.commands import GameCommand
from domain.game.events import PlayerOffer, SeatLeft
from domain.ids import PlayerId, Seat
from services.live.steps import drop_nulls
from tests.database import Database
from tests.domain.game.game_harness import ADA, BOB, DEE, GAME, NOON
from tests.services.commands.test_arena import ready, take
from tests.services.live.game_play import open_game, play_one, play_some, read_log, start_game
from tests.services.live.live_readers import Opening, Watcher, watching_events, watching_socket
from tests.services.live.node import SOON_S, Node, pace, running_node

WAYS = pytest.mark.parametrize("watching", [watching_events, watching_socket], ids=["events", "socket"])


class Clock:
    def __init__(self) -> None:
        self.now_ms = NOON


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def node(database: Database, redis_url: str, clock: Clock) -> AsyncIterator[Node]:
    """One node, which looks often, as the test's clock wakes no task."""
    async with running_node(database, redis_url, now_ms=lambda: clock.now_ms, pace=pace(look_s=SOON_S)) as node:
        yield node


async def token_of(node: Node, player: PlayerId) -> str:
    return await node.parts.people.accounts.create_player(player, "A player")


async def read_board(node: Node, version: int, token: str | None) -> Any:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    answer = await node.client.get(f"/v1/games/{GAME}", params={"at": version}, headers=headers)
    return drop_nulls(answer.raise_for_status().json())


@WAYS
async def test_everybody_is_shown_at_every_version_what_they_could_read(node: Node, watching: Opening) -> None:
    await start_game(node.parts.games.arena)
    tokens = [None, await token_of(node, ADA), await token_of(node, BOB)]
    watchers = [Watcher() for _ in tokens]
    async with AsyncExitStack() as stack:
        for watcher, token in zip(watchers, tokens, strict=True):
            await stack.enter_async_context(watching(node, watcher, token=token, after=6))
        last = await play_some(node.parts.games.arena, first=0, count=6)
        for watcher in watchers:
            await watcher.until_version(last)

        for watcher, token in zip(watchers, tokens, strict=True):
            assert list(watcher.boards) == list(range(7, last + 1))
            for version, board in watcher.boards.items():
                assert board == await read_board(node, version, token)


@WAYS
async def test_whoever_sits_down_meanwhile_is_shown_their_own_hand(node: Node, watching: Opening) -> None:
    token = await token_of(node, ADA)
    watcher = Watcher()
    await open_game(node.parts.games.arena)
    async with watching(node, watcher, token=token):
        await watcher.until_version(1)
        await node.parts.games.arena.handle(take(0, ADA, 10))
        told = await watcher.until_told("seat_changed")
        await node.parts.games.arena.handle(take(1, BOB, 11))
        await node.parts.games.arena.handle(ready(0, ADA, 20))
        last = (await node.parts.games.arena.handle(ready(1, BOB, 21))).last_version
        await watcher.until_version(last)

        assert told["seat"] == 0
        assert watcher.versions == list(range(1, last + 1))
        assert watcher.board == await read_board(node, last, token)
        assert watcher.board != await read_board(node, last, None)


@WAYS
async def test_a_seat_that_resumes_from_far_back_is_shown_its_own_view(node: Node, watching: Opening) -> None:
    await start_game(node.parts.games.arena, options={"rounds": 20})
    token = await token_of(node, BOB)
    last = await play_some(node.parts.games.arena, first=0, count=40)
    watcher = Watcher()
    async with watching(node, watcher, token=token, after=6):
        await watcher.until_version(last)

    assert last > 64 + 6
    for version in (7, 20, 40, last):
        assert watcher.boards[version] == await read_board(node, version, token)


@WAYS
async def test_frames_of_a_delayed_game_wait_for_whoever_has_no_seat(
    node: Node, clock: Clock, watching: Opening
) -> None:
    await start_game(node.parts.games.arena, delay_s=60)
    token = await token_of(node, ADA)
    stands, table = Watcher(), Watcher()
    clock.now_ms = NOON + 60_000
    async with watching(node, stands), watching(node, table, token=token):
        await stands.until_version(6)
        # A socket is open before its reader has come in.
        await table.until_version(6)
        first = await play_one(node.parts.games.arena, 1, at_ms=NOON + 61_000)
        second = await play_one(node.parts.games.arena, 2, at_ms=NOON + 62_000)
        await table.until_version(second)
        assert stands.versions[-1] == table.versions[0]

        clock.now_ms = NOON + 60_000 + 61_000
        await stands.until_version(first)
        shown = stands.versions[-1]

        clock.now_ms = NOON + 60_000 + 62_000
        await stands.until_version(second)

    assert shown == first < second
    assert stands.versions == table.versions


async def test_a_frame_is_shown_when_its_time_has_come_though_nothing_else_happens(
    database: Database, redis_url: str
) -> None:
    started = time.monotonic()

    def now_ms() -> int:
        return NOON + 60_000 + int((time.monotonic() - started) * 1000)

    watcher = Watcher()
    async with running_node(database, redis_url, now_ms=now_ms, pace=pace()) as node:
        await start_game(node.parts.games.arena, delay_s=60)
        async with watching_socket(node, watcher):
            await watcher.until_version(6)
            soon = now_ms() - 60_000 + 50
            await watcher.until_version(await play_one(node.parts.games.arena, 1, at_ms=soon))

        assert now_ms() >= soon + 60_000


@WAYS
async def test_the_delay_is_lifted_when_the_game_is_over(node: Node, clock: Clock, watching: Opening) -> None:
    await start_game(node.parts.games.arena, delay_s=3600, options={"rounds": 1})
    watcher = Watcher()
    clock.now_ms = NOON + 3_600_000
    async with watching(node, watcher):
        await watcher.until_version(6)
        before = watcher.versions[-1]
        for number in range(500):
            if (await node.parts.games.arena.load(GAME)).status != "running":
                break
            await play_one(node.parts.games.arena, number, at_ms=clock.now_ms)
        await watcher.until_ended()

    assert watcher.versions == list(range(before, len(await read_log(node)) + 1))


@WAYS
async def test_sitting_down_at_a_delayed_game_shows_the_present(node: Node, clock: Clock, watching: Opening) -> None:
    token = await token_of(node, ADA)
    await open_game(node.parts.games.arena, delay_s=60)
    watcher = Watcher()
    clock.now_ms = NOON + 60_000
    async with watching(node, watcher, token=token):
        await watcher.until_version(1)

        await node.parts.games.arena.handle(take(0, ADA, 10))
        await watcher.until_version(2)

    assert [sentence["type"] for sentence in watcher.told] == ["seat_changed"]


@WAYS
async def test_a_player_whom_a_seat_awaits_follows_a_delayed_game_before_its_opening_is_shown(
    node: Node, watching: Opening
) -> None:
    token = await token_of(node, ADA)
    await open_game(node.parts.games.arena, delay_s=60, offers=(PlayerOffer(player=ADA), None))
    watcher = Watcher()
    async with watching(node, watcher, token=token):
        await watcher.until_version(1)

        await node.parts.games.arena.handle(take(0, ADA, 10))
        await watcher.until_version(2)

    assert watcher.versions == [1, 2]
    assert [sentence["type"] for sentence in watcher.told] == ["seat_changed"]


async def test_a_private_game_is_not_there_for_others(node: Node) -> None:
    await open_game(node.parts.games.arena, visibility="private")
    watcher = Watcher()

    answer = await node.client.get(f"/v1/games/{GAME}/live")
    async with watching_socket(node, watcher, token=await token_of(node, DEE)):
        code = await watcher.until_closed()

    assert (answer.status_code, code) == (404, 4404)
    assert answer.json() == watcher.told[0]["problem"]
    assert watcher.versions == []
    assert node.hub.readers_count == 0


@WAYS
async def test_a_private_game_is_followed_by_those_it_concerns(node: Node, watching: Opening) -> None:
    await start_game(node.parts.games.arena, visibility="private")
    watcher = Watcher()

    async with watching(node, watcher, token=await token_of(node, BOB)):
        await watcher.until_version(await play_one(node.parts.games.arena, 1))

    assert watcher.end is None


@WAYS
async def test_who_leaves_their_seat_at_a_private_game_is_shown_no_more(node: Node, watching: Opening) -> None:
    await open_game(node.parts.games.arena, visibility="private")
    seated = take(0, BOB, 10)
    await node.parts.games.arena.handle(seated)
    watcher = Watcher()
    async with watching(node, watcher, token=await token_of(node, BOB)):
        await watcher.until_version(2)

        left = take(0, BOB, 11)
        await node.parts.games.arena.handle(
            GameCommand(event=SeatLeft(seat=Seat(0)), id=left.id, stream=GAME, at_ms=NOON, actor=left.actor)
        )
        end = await watcher.until_ended()

    assert end["reason"] == "not-found"
    assert watcher.versions == [2]


@WAYS
async def test_a_player_turned_spectator_waits_for_the_delay_as_all_others(
    node: Node, clock: Clock, watching: Opening
) -> None:
    await open_game(node.parts.games.arena, delay_s=60)
    await node.parts.games.arena.handle(take(0, BOB, 10))
    watcher, table = Watcher(), Watcher()
    async with watching(node, watcher, token=await token_of(node, BOB)):
        await watcher.until_version(2)
        clock.now_ms = NOON + 61_000
        left = take(0, BOB, 11)
        leaving = GameCommand(
            event=SeatLeft(seat=Seat(0)), id=left.id, stream=GAME, at_ms=clock.now_ms, actor=left.actor
        )
        await node.parts.games.arena.handle(leaving)
        await node.parts.games.arena.handle(replace(take(0, DEE, 12), at_ms=clock.now_ms))
        async with watching_socket(node, table, token=await token_of(node, DEE)):
            await table.until_version(4)
        before = list(watcher.versions)

        clock.now_ms += 60_000
        await watcher.until_version(4)

    assert before == [2]
    assert watcher.versions == [2, 3, 4]
    assert [sentence["seat"] for sentence in watcher.told if sentence["type"] == "seat_changed"] == [None]
