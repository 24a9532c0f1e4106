"""A TCP proxy in front of a server that loses or rewrites by a test's plan: one request, or the answer to one.

A request is known by bytes that occur in it. Connections that come afterwards pass, unless they are held.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit, urlunsplit

# As large as a whole request of these tests, so that its bytes arrive together.
CHUNK_SIZE = 1024 * 1024
HOST = "127.0.0.1"
# The answer of Postgres outside of a transaction: all earlier commands are committed or rolled back.
READY = b"Z\x00\x00\x00\x05I"


class FaultProxy:
    def __init__(self, url: str) -> None:
        self._upstream = urlsplit(url)
        self._port = 0
        self._lost_request: bytes | None = None
        self._lost_reply: bytes | None = None
        self._links: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._open = asyncio.Event()
        self._open.set()
        # The replacements in replies: old bytes to new.
        self._rewritten: tuple[bytes, bytes] = (b"", b"")
        # Set when the planned loss has happened.
        self.cut = asyncio.Event()

    @property
    def url(self) -> str:
        login = self._upstream.netloc.rpartition("@")[0]
        return urlunsplit(self._upstream._replace(netloc=f"{login}@{HOST}:{self._port}"))

    def lose_request(self, mark: bytes) -> None:
        """Cut the connection before the server sees the request."""
        self._lost_request = mark

    def lose_reply(self, mark: bytes) -> None:
        """Cut the connection when the server has answered, before the client sees it."""
        self._lost_reply = mark

    def rewrite_replies(self, said: bytes, told: bytes) -> None:
        """Send the client something else, of the same length, wherever the server states this."""
        assert len(said) == len(told)
        self._rewritten = said, told

    def rewrite(self, answered: bytes) -> bytes:
        said, told = self._rewritten
        return answered.replace(said, told) if said else answered

    def hold(self) -> None:
        """Let new connections wait; they are neither refused nor served."""
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[None]:
        server = await asyncio.start_server(self._serve, HOST, 0, limit=CHUNK_SIZE)
        self._port = server.sockets[0].getsockname()[1]
        async with server:
            yield
            await self._end_links()

    async def _end_links(self) -> None:
        """Close every open connection, so that the loop has none to cancel."""
        self.release()
        for writer in self._links.values():
            writer.close()
        if self._links:
            await asyncio.wait(self._links)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._links[task] = writer
        try:
            await self._link(reader, writer)
        finally:
            del self._links[task]

    async def _link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        upstream = await asyncio.open_connection(self._upstream.hostname, self._upstream.port)
        link = _Link(self, client=(reader, writer), server=upstream)
        with suppress(ConnectionError, BrokenPipeError):
            await link.run()

    def is_lost_request(self, sent: bytes) -> bool:
        if self._lost_request is None or self._lost_request not in sent:
            return False
        self._lost_request = None
        return True

    def is_lost_reply_of(self, sent: bytes) -> bool:
        if self._lost_reply is None or self._lost_reply not in sent:
            return False
        self._lost_reply = None
        return True


class _Link:
    """One connection through the proxy."""

    def __init__(
        self,
        proxy: FaultProxy,
        *,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._swallows = False

    async def run(self) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                ways = [tasks.create_task(self._requests()), tasks.create_task(self._replies())]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
        finally:
            for _, writer in (self._client, self._server):
                writer.close()

    async def _requests(self) -> None:
        while sent := await self._client[0].read(CHUNK_SIZE):
            if self._proxy.is_lost_request(sent):
                self._proxy.cut.set()
                return
            if self._proxy.is_lost_reply_of(sent):
                self._swallows = True
            self._server[1].write(sent)
            await self._server[1].drain()

    async def _replies(self) -> None:
        while answered := await self._server[0].read(CHUNK_SIZE):
            if self._swallows:
                if answered.endswith(READY):
                    self._proxy.cut.set()
                    return
            else:
                self._client[1].write(self._proxy.rewrite(answered))
                await self._client[1].drain()


@asynccontextmanager
async def fault_proxy(url: str) -> AsyncIterator[FaultProxy]:
    proxy = FaultProxy(url)
    async with proxy.listen():
        yield proxy
