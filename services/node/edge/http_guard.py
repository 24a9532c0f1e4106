"""HTTP connections whose requests come in time and in bounds, or are cut off. Nothing of them is known yet."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from uvicorn.protocols.utils import get_remote_addr

from services.api.http.guarding import refuse_in_bytes
from services.live.gathered_writes import GatheredWrites, GatheringHttp
from services.node.edge.connections import Connection, Connections

# A page's largest head is some kilobytes, the token and all.
HEAD_BYTES_MAX = 32 * 1024
# The rest of a request, however it is chunked: its body may have REQUEST_BYTES_MAX of them, a refused one is read on.
REST_BYTES_MAX = 1024 * 1024


class _HeadTooLarge(Exception):
    pass


class GuardedHttp(GatheringHttp):
    """uvicorn's connection with bounds. `connections` are those of the process."""

    def __init__(self, *given: Any, connections: Connections, **named: Any) -> None:
        super().__init__(*given, **named)
        self._connections = connections
        self._counted: Connection | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._is_in_head = True
        # Received since the head began, or since it ended.
        self._bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as there
        peer = get_remote_addr(transport)
        counted = self._connections.enter(peer[0] if peer else "")
        if counted is None:
            # Without a word, which would cost more than the connection cost its sender.
            transport.abort()
            return
        super().connection_made(transport)
        self._counted = counted
        assert isinstance(self.transport, GatheredWrites)
        # The connection stays counted as a socket.
        self.transport.on_lost = counted.leave
        self._hurry(self._connections.bounds.head_timeout_s)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._counted is None:
            return
        self._relax()
        assert isinstance(self.transport, GatheredWrites)
        self.transport.on_lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._counted is None:
            return
        self._bytes += len(data)
        super().data_received(data)
        if self._bytes > (HEAD_BYTES_MAX if self._is_in_head else REST_BYTES_MAX):
            self._refuse(431 if self._is_in_head else 413, "the request is larger than any that is answered")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._deadline is None:
            self._hurry(self._connections.bounds.head_timeout_s)

    def on_header(self, name: bytes, value: bytes) -> None:
        # Fields after a body mean nothing here.
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES_MAX:
            raise _HeadTooLarge
        assert self._counted is not None, "a connection that is not counted is read no further"
        self._counted.speak()
        self._is_in_head, self._bytes = False, 0
        self._hurry(self._connections.bounds.body_timeout_s)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._relax()
        self._is_in_head, self._bytes = True, 0
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        assert isinstance(self.transport, GatheredWrites)
        if self._counted is not None and not self._counted.hold(self.transport.get_write_buffer_size()):
            # The newest of too many answers that are not read: it is asked for again, or not missed.
            self.transport.abort()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._counted is not None:
            self._counted.hold(0)

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that are no request, in the words of every other refusal."""
        if self._is_in_head and self._bytes > HEAD_BYTES_MAX:
            self._refuse(431, "the request is larger than any that is answered")
        else:
            self._refuse(400, msg)

    def _unsupported_upgrade_warning(self) -> None:
        # Of a protocol that is not spoken here, or CONNECT: the parser reads no request behind it.
        self.cycle.keep_alive = False

    def _refuse(self, status: int, detail: str) -> None:
        if self.transport.is_closing():
            return
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            self.transport.write(refuse_in_bytes(status, detail))
        self.transport.close()

    def _hurry(self, timeout_s: float) -> None:
        self._relax()
        self._deadline = self.loop.call_later(timeout_s, self._give_up)

    def _relax(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        self._refuse(408, "expected the whole request sooner")
