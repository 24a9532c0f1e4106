"""Spectators as programs are: when their stream breaks, they come again with the last version they have."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from spina_client.ids import GameId
from tests.infra.embedded.conditions import eventually
from tests.services.live.live_readers import Watcher

HEALTHY_WITHIN_S = 120.0
Follow = Callable[[httpx2.AsyncClient, GameId, Watcher], Awaitable[None]]


async def follow_events(server: httpx2.AsyncClient, game: GameId, watcher: Watcher) -> None:
    """Follow by event streams until the game is over."""
    while not is_over(watcher):
        with suppress(httpx2.TransportError):
            await read_stream(server, game, watcher)
        watcher.note_close(None)
        await until_healthy(server)


async def read_stream(server: httpx2.AsyncClient, game: GameId, watcher: Watcher) -> None:
    headers = {"last-event-id": str(last_version(watcher))}
    async with server.stream("GET", f"/v1/games/{game}/live", headers=headers, timeout=None) as answer:
        if answer.status_code != httpx2.codes.OK:
            return
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                watcher.take(line.removeprefix("data: "))


async def follow_socket(server: httpx2.AsyncClient, game: GameId, watcher: Watcher) -> None:
    """Follow by sockets until the game is over."""
    while not is_over(watcher):
        url = str(server.base_url).replace("http", "ws", 1).rstrip("/")
        with suppress(OSError, WebSocketException, InvalidHandshake, TimeoutError):
            async with connect(f"{url}/v1/games/{game}/socket?after={last_version(watcher)}", max_size=None) as socket:
                async for message in socket:
                    watcher.take(str(message))
        watcher.note_close(None)
        await until_healthy(server)


async def until_healthy(server: httpx2.AsyncClient) -> None:
    """Wait for a server that answers. Raises AssertionError with its last answer."""
    last = ""

    async def is_healthy() -> bool:
        nonlocal last
        try:
            answer = await server.get("/v1/health")
        except httpx2.TransportError as error:
            last = repr(error)
            return False
        last = answer.text
        return answer.status_code == httpx2.codes.OK

    try:
        await eventually(is_healthy, within_s=HEALTHY_WITHIN_S)
    except AssertionError as error:
        raise AssertionError(f"expected {server.base_url} healthy within {HEALTHY_WITHIN_S} s, found {last}") from error


def last_version(watcher: Watcher) -> int:
    return watcher.versions[-1] if watcher.versions else 0


def is_over(watcher: Watcher) -> bool:
    return watcher.end is not None and watcher.end["reason"] == "over"
