"""A token revoked in one process: every other process refuses it and ends its streams within a second."""

import asyncio
from contextlib import AsyncExitStack, suppress

import httpx2

from services.api.http.known_tokens import LOOK_S
from services.node.steady_clock import read_clock_ms
from tests.database import Database
from tests.domain.game.game_harness import BOB, GAME
from tests.services.live.game_play import start_game
from tests.services.live.live_readers import Watcher, watching_events, watching_socket
from tests.services.live.node import PATIENCE_S, Node, pace, running_node


async def read_own_stream(node: Node, token: str, opened: asyncio.Event) -> None:
    """Follow the account until the stream ends."""
    headers = {"authorization": f"Bearer {token}"}
    with suppress(httpx2.RemoteProtocolError):
        async with node.client.stream("GET", "/v1/account/events", headers=headers) as response:
            async for _ in response.aiter_lines():
                opened.set()


async def test_streams_sockets_and_requests_of_a_revoked_token_end_within_a_second(database: Database) -> None:
    """Without Redis, so that the database alone shows it."""
    events, socket, opened = Watcher(), Watcher(), asyncio.Event()
    async with AsyncExitStack() as stack:
        one, other = [await stack.enter_async_context(running_node(database, None, pace=pace())) for _ in range(2)]
        await start_game(one.parts.games.arena, visibility="private")
        token = await one.parts.people.accounts.create_player(BOB, "Bob")
        headers = {"authorization": f"Bearer {token}"}
        await stack.enter_async_context(watching_events(other, events, token=token))
        await stack.enter_async_context(watching_socket(other, socket, token=token))
        own = asyncio.create_task(read_own_stream(other, token, opened))
        async with asyncio.timeout(PATIENCE_S):
            await opened.wait()
        items = (await one.client.get("/v1/account/tokens", headers=headers)).json()["items"]

        asked = {"tokens": [item["id"] for item in items]}
        answer = await one.client.post("/v1/account/revocations", headers=headers, json=asked)
        ended, code = await events.until_ended(), await socket.until_closed()
        refused = await other.client.get(f"/v1/games/{GAME}", headers=headers)
        async with asyncio.timeout(PATIENCE_S):
            await own

    assert answer.json() == {"revoked": 1}
    assert (ended, code) == ({"type": "end", "reason": "revoked"}, 4401)
    assert refused.status_code == 401
    assert LOOK_S < 1


async def test_after_a_day_without_the_database_readers_show_their_tokens_again(database: Database) -> None:
    """The database has forgotten by then which tokens ended first."""
    now_ms = [read_clock_ms()]
    shown, public = Watcher(), Watcher()
    async with AsyncExitStack() as stack:
        node = await stack.enter_async_context(running_node(database, None, pace=pace(), now_ms=lambda: now_ms[0]))
        await start_game(node.parts.games.arena)
        token = await node.parts.people.accounts.create_player(BOB, "Bob")
        await stack.enter_async_context(watching_events(node, shown, token=token))
        await stack.enter_async_context(watching_events(node, public))

        now_ms[0] += 86_400_000
        ended = await shown.until_ended()
        others = [reader.end for reader in node.hub.list_readers(GAME) if reader.caller.token is None]

    assert (ended, others) == ({"type": "end", "reason": "restarting"}, [None])
