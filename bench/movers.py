"""Who sends commands in a measurement and waits for the answer: over HTTP or a socket, as cheap as Python can be.

Of an answer only its status is looked at.
"""

import asyncio

CHUNK_END = b"\r\n\r\n"
OK = b"HTTP/1.1 200"
LENGTH = b"content-length: "
ANSWER, PROBLEM = b'{"type":"answer"', b'{"type":"problem"'
# A frame from a server begins with two bytes; the second is its size, or says in how many bytes that follows.
HEAD_SIZE, SIZE_IN_TWO, SIZE_IN_EIGHT = 2, 126, 127
# A text in one frame, and a mask of zeros, which changes nothing and costs nothing.
TEXT, MASKED, MASK = 0x81, 0x80, bytes(4)
KEY = "c3BpbmEtYmVuY2gtbW92ZQ=="


class Mover(asyncio.Protocol):
    """One connection with at most one command under way."""

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
            self._answer.set_exception(RuntimeError(f"a command was not accepted: {answer[:500]!r}"))

    def close(self) -> None:
        assert self._transport is not None
        self._transport.close()


class HttpMover(Mover):
    def __init__(self, game: str, token: str) -> None:
        super().__init__()
        self._head = (
            f"POST /v1/games/{game}/actions HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n"
            "content-type: application/json\r\ncontent-length: "
        ).encode()

    async def command(self, body: bytes) -> None:
        await self.send(self._head + str(len(body)).encode() + CHUNK_END + body)

    def data_received(self, data: bytes) -> None:
        self.pending += data
        head, found, rest = self.pending.partition(CHUNK_END)
        if not found:
            return
        start = head.lower().index(LENGTH) + len(LENGTH)
        if len(rest) >= int(head[start:].partition(b"\r")[0]):
            self.pending = b""
            self.tell(rest, is_good=head.startswith(OK))


class SocketMover(Mover):
    """Follows the game too, as a player's page does: every frame comes to it, and is passed over."""

    def __init__(self, game: str, token: str) -> None:
        super().__init__()
        self._is_open = False
        self._request = 0
        self._opening = (
            f"GET /v1/games/{game}/socket HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n"
            f"upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-key: {KEY}\r\n"
            "sec-websocket-version: 13\r\n\r\n"
        ).encode()

    async def open(self) -> None:
        await self.send(self._opening)

    async def command(self, body: bytes) -> None:
        self._request += 1
        text = b'{"request":%d,"do":"actions","body":%b}' % (self._request, body)
        size = len(text)
        head = bytes((TEXT, MASKED | size)) if size < SIZE_IN_TWO else bytes((TEXT, MASKED | SIZE_IN_TWO))
        extended = b"" if size < SIZE_IN_TWO else size.to_bytes(2, "big")
        await self.send(head + extended + MASK + text)

    def data_received(self, data: bytes) -> None:
        self.pending += data
        if not self._is_open:
            head, found, rest = self.pending.partition(CHUNK_END)
            if not found:
                return
            self._is_open, self.pending = True, rest
            self.tell(head, is_good=b" 101 " in head.partition(b"\r\n")[0])
        self._take_frames()

    def _take_frames(self) -> None:
        place, pending = 0, self.pending
        while len(pending) - place >= HEAD_SIZE:
            size, start = pending[place + 1], place + HEAD_SIZE
            if size == SIZE_IN_TWO:
                start, size = start + 2, int.from_bytes(pending[start : start + 2], "big")
            elif size == SIZE_IN_EIGHT:
                start, size = start + 8, int.from_bytes(pending[start : start + 8], "big")
            if len(pending) < start + size:
                break
            if pending.startswith((ANSWER, PROBLEM), start):
                self.tell(pending[start : start + size], is_good=pending.startswith(ANSWER, start))
            place = start + size
        self.pending = pending[place:]
