"""A real server with bounds, and raw connections to it: the bytes are a test's own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct

from services.api.http.guarding import guarded
from services.api.http.rates import Rates, RateTerms
from services.node.edge.connections import Bounds
from services.node.http_server import Hooks, StopSignal, held_port, serve_http

HOST, ELSEWHERE = "127.0.0.1", "127.0.0.2"
# The answer at /large: more than the buffers of any system take in.
LARGE = bytes(24 * 1024 * 1024)


class Line(Struct, frozen=True, kw_only=True):
    """One raw connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def read_head(self) -> bytes:
        """Return the status line and the fields of an answer; nothing where the connection was cut off."""
        try:
            return await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""

    async def until_closed(self) -> bytes:
        """Read until the server has closed the connection."""
        try:
            return await self.reader.read()
        except ConnectionError:
            return b""


class Guarded:
    def __init__(self, port: int) -> None:
        self.port = port
        self._lines: list[Line] = []

    async def connect(self, host: str = HOST) -> Line:
        reader, writer = await asyncio.open_connection(HOST, self.port, local_addr=(host, 0))
        self._lines.append(Line(reader=reader, writer=writer))
        return self._lines[-1]

    async def ask(self, host: str = HOST, path: str = "/") -> bytes:
        """Ask once on a new connection; return the status line."""
        line = await self.connect(host)
        await line.send(b"GET %b HTTP/1.1\r\nhost: a\r\n\r\n" % path.encode())
        return (await line.read_head()).partition(b"\r\n")[0]

    async def close(self) -> None:
        for line in self._lines:
            line.writer.transport.abort()
        await asyncio.sleep(0)


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer any request with its body, and any text of a socket with itself, or at `/once` the first and no other."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})
            if scope["path"] == "/once":
                await send({"type": "websocket.close", "code": 1000, "reason": ""})
                return
    elif scope["type"] == "http":
        body = (await receive())["body"] or (LARGE if scope["path"] == "/large" else b"")
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
        await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def guarded_server(bounds: Bounds | None = None, *, proxies: tuple[str, ...] = ()) -> AsyncIterator[Guarded]:
    ready, stop = asyncio.Event(), StopSignal()
    rates = Rates(RateTerms(per_s=0), shared=None, now_us=lambda: 0)
    with held_port(HOST, 0) as listener:
        async with asyncio.TaskGroup() as tasks:
            hooks = Hooks(on_ready=ready.set)
            tasks.create_task(
                serve_http(guarded(echo, rates), listener, stop=stop, hooks=hooks, proxies=proxies, bounds=bounds)
            )
            await ready.wait()
            server = Guarded(listener.getsockname()[1])
            try:
                yield server
            finally:
                await server.close()
                stop.give()
