"""Sockets that are read no faster than they are written to, and no faster than a player can mean."""

from http import HTTPStatus
from typing import Any

from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.server import ServerProtocol

from services.api.http.guarding import refuse_in_bytes
from services.live.gathered_writes import GatheredWrites
from services.live.whole_frames import WholeFrames

# Parsed before others on the loop have their turn: at most 170 frames, some milliseconds.
PIECE_BYTES = 1024
# Pings, pongs and parts of messages, in the long run and at once. A client pings every few seconds, and a command comes
# whole or in a few parts.
FRAMES_PER_S = 20
FRAMES_AT_ONCE_MAX = 200
# Read from a peer to which the socket was closed: what was on its way, and its own close.
AFTER_CLOSE_BYTES_MAX = 4 * PIECE_BYTES
NO_HANDSHAKE = "expected the handshake of a WebSocket (RFC 6455), found another"


class GuardedSocket(WholeFrames):
    """uvicorn's socket with bounds on unread answers to pings and on frames that state nothing."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._waiting = b""
        self._is_feeding = False
        # When the frames so far would have come at the rate that is allowed.
        self._frames_until_s = 0.0
        self._after_close_bytes = 0

    def connection_lost(self, exc: Exception | None) -> None:
        assert isinstance(self.transport, GatheredWrites)
        self.transport.on_lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        if not self._is_feeding:
            self._feed()

    async def receive(self) -> Any:
        message = await super().receive()
        if self._waiting and not self._is_feeding:
            # In a later turn: an app that waits for nothing else would take in all at once.
            self._is_feeding = True
            self.loop.call_soon(self._feed)
        return message

    def handle_connect(self, event: Request) -> None:
        if ServerProtocol().accept(event).status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            super().handle_connect(event)
        else:
            self._refuse(400, NO_HANDSHAKE)

    def handle_parser_exception(self) -> None:
        if self.handshake_initiated:
            super().handle_parser_exception()
            # For the app its caller is gone: to uvicorn it would seem to write behind a close of its own.
            self.disconnected = True
        else:
            self._refuse(400, NO_HANDSHAKE)

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.close" and not self.handshake_complete:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": 1006})
            self._refuse(403, "no socket is opened at this path for this page")
        else:
            await super().send(message)

    def pause_writing(self) -> None:
        super().pause_writing()
        # A peer that does not read its answers is not read either.
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                # uvicorn would log it as an error of ours.
                self.conn.fail(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        super().handle_ping()
        self._count_frame()

    def handle_pong(self, event: Frame) -> None:
        super().handle_pong(event)
        self._count_frame()

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        self._count_frame()

    def _refuse(self, status: int, detail: str) -> None:
        """Answer a handshake in the words of every other refusal."""
        self.handshake_complete = self.close_sent = True
        self.transport.write(refuse_in_bytes(status, detail))
        self.transport.close()

    def _feed(self) -> None:
        """Take in the next piece; the rest after the other work of this turn, once the app has taken its messages."""
        self._is_feeding = False
        piece, self._waiting = self._waiting[:PIECE_BYTES], self._waiting[PIECE_BYTES:]
        super().data_received(piece)
        if self.close_sent:
            self._after_close_bytes += len(piece)
            if self._after_close_bytes > AFTER_CLOSE_BYTES_MAX:
                self.transport.abort()
        if self.transport.is_closing():
            self._waiting = b""
        elif self._waiting:
            self.transport.pause_reading()
            if not self.read_paused:
                self._is_feeding = True
                self.loop.call_soon(self._feed)
        elif not self.read_paused and self.writable.is_set():
            self.transport.resume_reading()

    def _count_frame(self) -> None:
        now_s = self.loop.time()
        self._frames_until_s = max(self._frames_until_s, now_s) + 1 / FRAMES_PER_S
        if self._frames_until_s - now_s > FRAMES_AT_ONCE_MAX / FRAMES_PER_S:
            self.transport.abort()
