"""Connections whose writes leave together: the head of an answer with its body, all frames of a command.

A write waits for the end of the loop's turn, or for the caller that declares it the last.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class GatheredWrites(asyncio.Transport):
    """A transport over another one: writes are kept until every task that can run now has run."""

    __slots__ = ("_inner", "_waiting", "on_lost")

    def __init__(self, inner: asyncio.Transport) -> None:
        self._inner = inner
        # None while nothing waits, as with nearly all of a thousand spectators nearly always.
        self._waiting: list[bytes] | None = None
        # For the protocol that has the connection when it is lost: the one that began it, or that of a socket.
        self.on_lost: Callable[[], None] = _do_nothing

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._waiting is None:
            self._waiting = [bytes(data)]
            asyncio.get_running_loop().call_soon(self.flush)
        else:
            self._waiting.append(bytes(data))

    def flush(self) -> None:
        """Send the waiting writes in one call of the system, which costs as much as making a frame."""
        waiting, self._waiting = self._waiting, None
        # The other end may have gone meanwhile.
        if waiting is None or self._inner.is_closing():
            return
        if len(waiting) == 1:
            self._inner.write(waiting[0])
        else:
            self._inner.writelines(waiting)

    def close(self) -> None:
        self.flush()
        self._inner.close()

    def abort(self) -> None:
        self._waiting = None
        self._inner.abort()

    def get_write_buffer_size(self) -> int:
        return self._inner.get_write_buffer_size()

    def is_closing(self) -> bool:
        return self._inner.is_closing()

    def pause_reading(self) -> None:
        self._inner.pause_reading()

    def resume_reading(self) -> None:
        self._inner.resume_reading()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._inner.set_protocol(protocol)

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._inner.get_extra_info(name, default)


class GatheringHttp(HttpToolsProtocol):
    """uvicorn's connections over such a transport; one that becomes a socket keeps it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as there
        super().connection_made(GatheredWrites(transport))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # The client goes on with its answer while other work is done here.
        assert isinstance(self.transport, GatheredWrites)
        self.transport.flush()


def _do_nothing() -> None:
    pass
