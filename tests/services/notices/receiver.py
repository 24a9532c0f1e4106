"""A receiver of webhooks on the loopback, and the notifier that sends to it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from domain.accounts.notice import CHOSEN
from infra.postgres.notices import notice_book
from services.node.workers import build_notifier_sources
from services.workers.notifier import build_notifier
from services.workers.standby import Pace, Worker, standing_by
from tests.database import Database
from tests.services.api.player import Player, expect
from tests.services.api.server import Api
from tests.services.heartbeats import no_beat

PATIENCE_S = 30.0
SOON_S = 0.01
ALL_KINDS = [*CHOSEN]


class Received(Struct, frozen=True, kw_only=True):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> Any:
        return msgspec.json.decode(self.body)


def echo(challenge: Any) -> str:
    """Answer a challenge as the program of a webhook does."""
    return json.dumps({"challenge": challenge["challenge"]})


class Receiver:
    """Keeps every request. `answer` gives the head of each answer; None for a request that is never answered."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.received: list[Received] = []
        # None where a challenge is a message as any other.
        self.answer_challenge: Callable[[Any], str] | None = echo
        self.answer: Callable[[Received], str | None] = lambda _: "204 No Content"
        self._queue: asyncio.Queue[Received] = asyncio.Queue()

    async def next(self) -> Received:
        async with asyncio.timeout(PATIENCE_S):
            return await self._queue.get()

    async def next_message(self) -> Any:
        return (await self.next()).message

    def keep(self, received: Received) -> None:
        self.received.append(received)
        self._queue.put_nowait(received)


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        named = [line.split(": ", 1) for line in head[1:] if line]
        headers = {name.lower(): value for name, value in named}
        body = await reader.readexactly(int(headers["content-length"]))
        received = Received(path=head[0].split(" ")[1], headers=headers, body=body)
        if receiver.answer_challenge is not None and b'"type":"challenge"' in body:
            sent = receiver.answer_challenge(json.loads(body)).encode()
            writer.write(f"HTTP/1.1 200 OK\r\ncontent-length: {len(sent)}\r\n\r\n".encode() + sent)
            writer.close()
            return
        answer = receiver.answer(received)
        receiver.keep(received)
        if answer is None:
            await reader.read()
        else:
            writer.write(f"HTTP/1.1 {answer}\r\ncontent-length: 0\r\n\r\n".encode())
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    receiver = Receiver(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    async with server:
        yield receiver


def notifier_at_work(api: Api, database: Database, notifier: Worker | None = None) -> AbstractAsyncContextManager[None]:
    notifier = notifier or build_notifier(build_notifier_sources(api.parts), partial(notice_book, database.app_url))
    return standing_by([notifier], no_beat, Pace(look_every_s=SOON_S, stand_by_s=SOON_S))


async def add_way(player: Player, url: str, **fields: Any) -> Any:
    body = {"name": "Bot", "kinds": ALL_KINDS, "quiet": None, "to": {"kind": "webhook", "url": url}, **fields}
    return await expect(player.post("/account/ways", body), 201)
