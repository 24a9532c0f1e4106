"""The load: players whose acknowledged commands are kept, and readers who keep the hash of each line that they saw."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import cycle

import httpx
import msgspec
from msgspec import Struct

from simulate.attack.company import Noticed
from spina_client.connection import Connection, Request
from spina_client.ids import GameId
from spina_client.problems import ServerUnreachable

# Between a game that is over and the next one, after a stream that broke, and between two servers that are away.
PAUSE_S = 0.05
# As in infra/deploy/Caddyfile.
TRY_S = 5.0


class InTurn(httpx.AsyncBaseTransport):
    """Sends each request to the next of some servers that takes the connection, as a load balancer does."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._servers = cycle([httpx.URL(address) for address in addresses])
        self._network = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        until_s = time.monotonic() + TRY_S
        while True:
            server = next(self._servers)
            request.url = request.url.copy_with(host=server.host, port=server.port)
            request.headers["host"] = server.netloc.decode()
            try:
                return await self._network.handle_async_request(request)
            except httpx.ConnectError:
                if time.monotonic() > until_s:
                    raise
            await asyncio.sleep(PAUSE_S)

    async def aclose(self) -> None:
        await self._network.aclose()


class Acknowledged(Struct, frozen=True, kw_only=True):
    """A command, and the answer on which its player relies."""

    request: Request
    answer: bytes


class KeepingConnection(Connection):
    """A connection that keeps every acknowledged command."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        super().__init__(http)
        self.acknowledged: list[Acknowledged] = []

    async def send(self, request: Request) -> bytes:
        """Send for as long as all servers are away: on a busy machine that is longer than a player would wait."""
        try:
            answer = await super().send(request)
        except ServerUnreachable:
            if not request.is_repeatable:
                raise
            return await self.send(request)
        if request.content and request.is_repeatable:
            self.acknowledged.append(Acknowledged(request=request, answer=answer))
        return answer


class Frame(Struct, frozen=True):
    """A message of a stream, as far as it is looked at: a frame has a line, the last message a reason."""

    version: int | None = None
    line: msgspec.Raw = msgspec.Raw()
    reason: str | None = None


class Reader:
    """Follows the games of one table over event streams; returns to the next server with its last version."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        # The hashes of the lines by version, from the first on.
        self.seen: dict[GameId, list[str]] = {}
        self.streams = 0
        self.faults: list[str] = []
        self._over: set[GameId] = set()

    async def follow(self, table: Noticed) -> None:
        """Follow one game after the other, for ever."""
        while True:
            game = table.games[-1]
            if game not in self._over:
                with suppress(httpx.TransportError):
                    await self._read(game)
            await asyncio.sleep(PAUSE_S)

    async def _read(self, game: GameId) -> None:
        headers = {"last-event-id": str(len(self.seen.setdefault(game, [])))}
        async with self._http.stream("GET", f"/v1/games/{game}/live", headers=headers) as answer:
            self.streams += 1
            async for text in answer.aiter_lines():
                if text.startswith("data: "):
                    self._take(game, text.removeprefix("data: "))
                if game in self._over:
                    return

    def _take(self, game: GameId, text: str) -> None:
        frame: Frame = msgspec.json.decode(text, type=Frame)
        lines = self.seen[game]
        if frame.reason == "over":
            self._over.add(game)
        if frame.version is None:
            return
        if frame.version != len(lines) + 1:
            self.faults.append(f"{game}: expected version {len(lines) + 1} in a stream, found {frame.version}")
        lines.append(sha256(frame.line).hexdigest())
