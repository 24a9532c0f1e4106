"""Tickets: for one stream, for half a minute, on any process, and never a token in their place."""

from contextlib import AsyncExitStack

import pytest

from infra.redis.client import build_redis
from infra.redis.one_use import RedisOneUse
from infra.unshared import MemoryOneUse
from services.live.tickets import LIFE_S, Tickets
from services.reading.access import Caller
from tests.database import Database
from tests.domain.game.game_harness import ADA, BOB, GAME
from tests.services.live.game_play import start_game
from tests.services.live.live_readers import Opening, Watcher, watching_events, watching_socket
from tests.services.live.node import Node, pace, running_node

WAYS = pytest.mark.parametrize("watching", [watching_events, watching_socket], ids=["events", "socket"])
AWAY = "redis://127.0.0.1:1/0"


async def get_ticket(node: Node) -> str:
    token = await node.parts.people.accounts.create_player(BOB, "Bob")
    answer = await node.client.post("/v1/tickets", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["expires_in_s"] == LIFE_S
    return str(answer.json()["ticket"])


@WAYS
async def test_a_ticket_of_one_process_opens_one_stream_on_another(
    database: Database, redis_url: str, watching: Opening
) -> None:
    first, again = Watcher(), Watcher()
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(running_node(database, redis_url, pace=pace())) for _ in range(2)]
        await start_game(nodes[0].parts.games.arena, visibility="private")
        ticket = await get_ticket(nodes[0])
        async with watching(nodes[1], first, ticket=ticket):
            await first.until_version(6)
        async with watching_socket(nodes[1], again, ticket=ticket):
            code = await again.until_closed()

    assert isinstance(first.board, dict)
    assert first.board["your_seat"] == 1
    assert code == 4401


async def test_without_redis_a_ticket_is_good_where_it_was_given(database: Database) -> None:
    watcher = Watcher()
    async with running_node(database, AWAY, pace=pace()) as node:
        await start_game(node.parts.games.arena)
        async with watching_events(node, watcher, ticket=await get_ticket(node)):
            await watcher.until_version(6)

    assert isinstance(watcher.board, dict)
    assert watcher.board["your_seat"] == 1


async def test_nobody_gets_a_ticket_without_a_token(database: Database) -> None:
    async with running_node(database, None) as node:
        answer = await node.client.post("/v1/tickets")

    assert answer.status_code == 401


@pytest.mark.parametrize("ticket", ["", "x" * 32, "x" * 4_000, "%00", "ü"])
async def test_what_is_no_ticket_opens_nothing(database: Database, ticket: str) -> None:
    async with running_node(database, None) as node:
        await start_game(node.parts.games.arena)

        answer = await node.client.get(f"/v1/games/{GAME}/live", params={"ticket": ticket})

    assert (answer.status_code, answer.json()["type"]) == (401, "urn:spina:problem:not-authenticated")


async def test_a_token_in_the_place_of_a_ticket_opens_nothing(database: Database) -> None:
    async with running_node(database, None) as node:
        await start_game(node.parts.games.arena)
        token = await node.parts.people.accounts.create_player(ADA, "Ada")

        answer = await node.client.get(f"/v1/games/{GAME}/live", params={"ticket": token})

    assert answer.status_code == 401


async def test_what_redis_holds_of_a_ticket_opens_nothing(redis_url: str) -> None:
    async with build_redis(redis_url) as redis:
        own = MemoryOneUse(now_ms=lambda: 0)
        tickets = Tickets(shared=RedisOneUse(redis, prefix="test:ticket:"), own=own, random_bytes=bytes)
        ticket = await tickets.issue(Caller(player=ADA))
        keys = [key.decode() async for key in redis.scan_iter("test:ticket:*")]

        assert len(keys) == 1
        assert ticket not in keys[0]
        assert await tickets.redeem(keys[0].removeprefix("test:ticket:")) is None
        assert await tickets.redeem(ticket) == Caller(player=ADA)
