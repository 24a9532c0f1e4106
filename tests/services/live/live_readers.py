"""Readers as tests have them: over an event stream or a socket, each keeping every frame and the board they make."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from domain.canonical import Json
from domain.ids import GameId
from services.live.steps import apply_patch
from tests.domain.game.game_harness import GAME
from tests.services.live.node import PATIENCE_S, Node


class Watcher:
    """Takes messages and applies them by the protocol."""

    def __init__(self) -> None:
        self.versions: list[int] = []
        self.lines: list[bytes] = []
        self.board: Json = None
        self.boards: dict[int, Json] = {}
        self.told: list[dict[str, Any]] = []
        self.end: dict[str, Any] | None = None
        self.close_code: int | None = None
        self._is_first = True
        self._news = asyncio.Event()

    def take(self, text: str) -> None:
        message = json.loads(text)
        if "line" in message:
            assert set(message) == {"version", "line", "board"}
            self.versions.append(message["version"])
            raw = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
            self.lines.append(bytes(raw["line"]))
            self.board = message["board"] if self._is_first else apply_patch(self.board, message["board"])
            self._is_first = False
            self.boards[message["version"]] = self.board
        else:
            self.told.append(message)
            self._is_first |= message["type"] == "seat_changed"
            if message["type"] == "end":
                self.end = message
        self._news.set()

    def note_close(self, code: int | None) -> None:
        self.close_code = code
        self._is_first = True
        self._news.set()

    async def until_version(self, version: int) -> None:
        await self.until(lambda: bool(self.versions) and self.versions[-1] >= version)

    async def until_told(self, type_: str) -> dict[str, Any]:
        await self.until(lambda: any(sentence["type"] == type_ for sentence in self.told))
        return next(sentence for sentence in self.told if sentence["type"] == type_)

    async def until_ended(self) -> dict[str, Any]:
        await self.until(lambda: self.end is not None)
        assert self.end is not None
        return self.end

    async def until_closed(self) -> int | None:
        await self.until(lambda: self.close_code is not None)
        return self.close_code

    async def until(self, condition: Any, *, patience_s: float = PATIENCE_S) -> None:
        async with asyncio.timeout(patience_s):
            while not condition():
                self._news.clear()
                await self._news.wait()


class Opening(Protocol):
    def __call__(
        self, node: Node, watcher: Watcher, *, game: GameId = GAME, token: str | None = None, **params: Any
    ) -> contextlib.AbstractAsyncContextManager[Any]: ...


@asynccontextmanager
async def watching_events(
    node: Node, watcher: Watcher, *, game: GameId = GAME, token: str | None = None, **params: Any
) -> AsyncIterator[None]:
    """Follow by an event stream, as a browser would."""
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    if "last_event_id" in params:
        headers["last-event-id"] = str(params.pop("last_event_id"))
    async with node.client.stream("GET", f"/v1/games/{game}/live", params=params, headers=headers) as response:
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"].startswith("text/event-stream")

        async def read() -> None:
            event: dict[str, str] = {}
            async for line in response.aiter_lines():
                name, _, value = line.partition(": ")
                if name:
                    event[name] = value
                elif "data" in event:
                    assert event.get("id") in (None, str(json.loads(event["data"]).get("version")))
                    watcher.take(event["data"])
                    event = {}
            watcher.note_close(1000)

        async with background(read()):
            yield


@asynccontextmanager
async def watching_socket(
    node: Node, watcher: Watcher, *, game: GameId = GAME, token: str | None = None, **params: Any
) -> AsyncIterator[ClientConnection]:
    """Follow by a socket."""
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    if "last_event_id" in params:
        params["after"] = params.pop("last_event_id")
    query = "&".join(f"{name}={value}" for name, value in params.items())
    url = f"ws://{node.address}/v1/games/{game}/socket?{query}"
    async with connect(url, additional_headers=headers, max_size=None) as connection:

        async def read() -> None:
            with contextlib.suppress(ConnectionClosed):
                async for message in connection:
                    assert isinstance(message, str)
                    watcher.take(message)
            watcher.note_close(connection.close_code)

        async with background(read()):
            yield connection


@asynccontextmanager
async def background(work: Any) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        if not task.done():
            task.cancel()
        await asyncio.wait({task})
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error
