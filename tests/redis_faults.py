"""A TCP proxy in front of Redis that loses, doubles or reorders messages on their way to subscribers. Seeded.

Replies are parted as RESP states; only messages of channels are touched, so that the connection itself stays whole.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from random import Random
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

HOST = "127.0.0.1"
CHUNK_SIZE = 1024 * 1024
MESSAGE = b"$7\r\nmessage\r\n"


class Faults(Struct, frozen=True, kw_only=True):
    """Percentages of messages. One that is late comes after the next one."""

    lost: int = 0
    doubled: int = 0
    late: int = 0


class RedisFaultProxy:
    def __init__(self, url: str, faults: Faults, seed: int) -> None:
        self.faults = faults
        self._upstream = urlsplit(url)
        self._random = Random(seed)  # noqa: S311  the same faults for the same seed
        self._port = 0
        self._links: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self.touched_count = 0

    @property
    def url(self) -> str:
        login = self._upstream.netloc.rpartition("@")[0]
        return urlunsplit(
            self._upstream._replace(netloc=f"{login}@{HOST}:{self._port}" if login else f"{HOST}:{self._port}")
        )

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[None]:
        server = await asyncio.start_server(self._serve, HOST, 0, limit=CHUNK_SIZE)
        self._port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            for writer in self._links.values():
                writer.close()
            if self._links:
                await asyncio.wait(self._links)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._links[task] = writer
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, ExceptionGroup):
                upstream = await asyncio.open_connection(self._upstream.hostname, self._upstream.port)
                try:
                    async with asyncio.TaskGroup() as tasks:
                        ways = [
                            tasks.create_task(_pass(reader, upstream[1])),
                            tasks.create_task(self._replies(upstream[0], writer)),
                        ]
                        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                        for way in ways:
                            way.cancel()
                finally:
                    upstream[1].close()
        finally:
            writer.close()
            del self._links[task]

    async def _replies(self, upstream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held = b""
        while True:
            reply = await _read_reply(upstream)
            if MESSAGE not in reply[:20]:
                writer.write(reply)
                continue
            out = list(self._distort(reply))
            if held:
                out.append(held)
                held = b""
            elif out and self._random.randrange(100) < self.faults.late:
                self.touched_count += 1
                held = out.pop()
            writer.write(b"".join(out))
            await writer.drain()

    def _distort(self, message: bytes) -> Iterator[bytes]:
        fate = self._random.randrange(100)
        if fate < self.faults.lost:
            self.touched_count += 1
            return
        yield message
        if fate < self.faults.lost + self.faults.doubled:
            self.touched_count += 1
            yield message


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while sent := await reader.read(CHUNK_SIZE):
        writer.write(sent)
        await writer.drain()


async def _read_reply(reader: asyncio.StreamReader) -> bytes:
    """Read one whole reply of RESP 2 or 3."""
    head = await reader.readuntil(b"\r\n")
    kind, rest = head[:1], head[1:-2]
    if kind in b"$!=" and rest != b"-1":
        return head + await reader.readexactly(int(rest) + 2)
    if kind in b"*>~%" and rest != b"-1":
        count = int(rest) * (2 if kind == b"%" else 1)
        return head + b"".join([await _read_reply(reader) for _ in range(count)])
    return head


@asynccontextmanager
async def redis_faults(url: str, faults: Faults, *, seed: int) -> AsyncIterator[RedisFaultProxy]:
    proxy = RedisFaultProxy(url, faults, seed)
    async with proxy.listen():
        yield proxy
