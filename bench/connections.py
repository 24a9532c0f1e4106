"""Connections of a measurement to a server, over HTTP or a socket, as cheap as Python can be."""

import asyncio
from typing import TypeVar

HOST = "127.0.0.1"
HEAD_END = b"\r\n\r\n"
GOOD = (b"HTTP/1.1 200", b"HTTP/1.1 304")
ANSWER, PROBLEM = b'{"type":"answer"', b'{"type":"problem"'
# A frame from a server begins with two bytes; the second is its size, or states in how many bytes that follows.
HEAD_SIZE, SIZE_IN_TWO, SIZE_IN_EIGHT = 2, 126, 127
# A text in one frame, and a mask of zeros, which changes nothing and costs nothing.
TEXT, MASKED, MASK = 0x81, 0x80, bytes(4)
KEY = "c3BpbmEtYmVuY2gtbW92ZQ=="
AnyConnection = TypeVar("AnyConnection", bound="Connection")


class Connection(asyncio.Protocol):
    """One connection with at most one request under way."""

    def __init__(self) -> None:
        self.pending = b""
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # of a socket it is one
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionError("the server closed a connection"))

    def send(self, data: bytes) -> asyncio.Future[bytes]:
        """Send a request; the future is its answer."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(data)
        return self._answer

    def tell(self, answer: bytes, *, is_good: bool) -> None:
        if self._answer is None or self._answer.done():
            return
        if is_good:
            self._answer.set_result(answer)
        else:
            self._answer.set_exception(RuntimeError(f"a request was not accepted: {answer[:500]!r}"))


class HttpConnection(Connection):
    def data_received(self, data: bytes) -> None:
        self.pending += data
        head, found, body = self.pending.partition(HEAD_END)
        if found and len(body) >= int(find_header(head, b"content-length: ") or b"0"):
            answer, self.pending = self.pending, b""
            self.tell(answer, is_good=head.startswith(GOOD))


class SocketConnection(Connection):
    """Receives every frame of a game, as a page does, and passes over all but answers."""

    def __init__(self) -> None:
        super().__init__()
        self._is_open = False
        self._request = 0

    def open(self, path: str, headers: str = "") -> asyncio.Future[bytes]:
        return self.send(
            f"GET {path} HTTP/1.1\r\nhost: bench\r\n{headers}upgrade: websocket\r\nconnection: Upgrade\r\n"
            f"sec-websocket-key: {KEY}\r\nsec-websocket-version: 13\r\n\r\n".encode()
        )

    def command(self, body: bytes) -> asyncio.Future[bytes]:
        self._request += 1
        text = b'{"request":%d,"do":"actions","body":%b}' % (self._request, body)
        size = len(text)
        head = bytes((TEXT, MASKED | min(size, SIZE_IN_TWO)))
        extended = b"" if size < SIZE_IN_TWO else size.to_bytes(2, "big")
        return self.send(head + extended + MASK + text)

    def data_received(self, data: bytes) -> None:
        self.pending += data
        if not self._is_open:
            head, found, rest = self.pending.partition(HEAD_END)
            if not found:
                return
            self._is_open, self.pending = True, rest
            self.tell(head, is_good=b" 101 " in head.partition(b"\r\n")[0])
        place, pending = 0, self.pending
        while len(pending) - place >= HEAD_SIZE:
            size, start = pending[place + 1], place + HEAD_SIZE
            if size >= SIZE_IN_TWO:
                width = 2 if size == SIZE_IN_TWO else 8
                start, size = start + width, int.from_bytes(pending[start : start + width], "big")
            if len(pending) < start + size:
                break
            self.take(start, start + size)
            place = start + size
        self.pending = pending[place:]

    def take(self, start: int, end: int) -> None:
        """Take the frame at this place of the pending bytes."""
        if self.pending.startswith((ANSWER, PROBLEM), start):
            self.tell(self.pending[start:end], is_good=self.pending.startswith(ANSWER, start))


async def connect(connection: AnyConnection, port: int) -> AnyConnection:
    await asyncio.get_running_loop().create_connection(lambda: connection, HOST, port)
    return connection


def find_header(head: bytes, name: bytes) -> bytes:
    """Return the value of a header, or nothing."""
    place = head.lower().find(name)
    return b"" if place < 0 else head[place + len(name) :].partition(b"\r\n")[0]
