"""Sockets that take texts framed before: one that goes to a thousand readers is framed once, not once for each.

An extension of the scope, so that where another server or a test client speaks, everything is sent in the usual way.
"""

from typing import Any, Protocol

from litestar.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from services.live.gathered_writes import GatheredWrites

# In `scope["extensions"]`, a TakesFrames.
EXTENSION = "spina.whole_frames"


class TakesFrames(Protocol):
    def write_frames(self, frames: bytes) -> bool:
        """Take whole frames, or state that the usual way has to wait: the line is full, or about to close."""

    def flush(self) -> None:
        """Send the frames at once; else they leave with the other writes of this turn of the loop."""


def find_taker(scope: Scope) -> TakesFrames | None:
    """Return the sender of whole frames for this socket, if its server has one."""
    extensions: dict[str, Any] = scope.get("extensions") or {}
    found: TakesFrames | None = extensions.get(EXTENSION)
    return found


class WholeFrames(WebSocketsSansIOProtocol):
    """uvicorn's sockets, with the extension."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            # The app has its turn only after this.
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def write_frames(self, frames: bytes) -> bool:
        can_write = self.writable.is_set() and self.conn.state is State.OPEN and self.handshake_complete
        if not can_write or self.close_sent or self.disconnected or self.transport.is_closing():
            return False
        self.transport.write(frames)
        return True

    def flush(self) -> None:
        if isinstance(self.transport, GatheredWrites):
            self.transport.flush()
