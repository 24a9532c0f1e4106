"""A game over a socket: frames one way, commands the other, each answered as over HTTP.

One command at a time, answered in order; a client that sends more of them waits, as its socket is not read meanwhile.
"""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import structlog
from litestar import WebSocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from msgspec import Struct

from domain.ids import StreamVersion
from services.api.games.game_inputs import INPUTS, command_game
from services.api.games.previews import Previewed, preview_of
from services.api.http.guarding import REFUSED_WAIT_S_MAX
from services.api.http.parts import Parts
from services.api.http.problems import INTERNAL_ERROR, TYPE_PREFIX, Kind, Problem, problem_response
from services.api.http.rates import TooManyRequests
from services.api.http.refusals import find_refusal
from services.commands.arena import Answer
from services.live.following import leaving, pull
from services.live.framed_text import frame_text
from services.live.hub import Hub
from services.live.messages import Answered, ClientIn, ClientOut, End, Frame, Refused
from services.live.reader import Reader
from services.live.whole_frames import find_taker
from services.reading.access import Caller

log = structlog.get_logger()

AnySocket = WebSocket[object, object, State]
NOT_A_COMMAND = Kind("not-a-command", "The message is no command", 400)
# Close codes of refusals: theirs from 4000 on with the status of the problem; the registered one for "try again later".
CODE_OFFSET = 4000
COME_LATER, COME_LATER_STATUS = 1013, 503
# How long a player's next command waits for the frames of the last one: those of a server that cannot read are late.
REACH_TIMEOUT_S = 1.0
_CLIENT_IN = msgspec.json.Decoder(ClientIn)


class FrameSender:
    """A reader's messages go out here, framed before where the server takes that."""

    __slots__ = ("_taker", "socket")

    def __init__(self, socket: AnySocket) -> None:
        self.socket = socket
        self._taker = find_taker(socket.scope)

    async def send(self, message: ClientOut) -> None:
        """Return when it is on its way, which a reader that does not read has to be waited for."""
        if isinstance(message, Frame):
            # Nearly all messages of a thousand readers: nothing stands between them and the server.
            if self._taker is None or not self._taker.write_frames(message.framed):
                await self._send_text(message.body)
            return
        body = msgspec.json.encode(message)
        if self._taker is None or not self._taker.write_frames(frame_text(body)):
            await self._send_text(body)
        elif isinstance(message, Answered):
            # Tasks that wait for it go on while the frames are made.
            self._taker.flush()

    async def close(self, end: End) -> None:
        await self.send(end)
        await self.socket.close(end.code, end.reason)

    async def refuse(self, problem: Problem) -> None:
        """Describe why, and close: over a socket that was never opened a browser would learn nothing."""
        await self.send(Refused(request=None, problem=problem))
        code = COME_LATER if problem.status == COME_LATER_STATUS else CODE_OFFSET + problem.status
        await self.socket.close(code, problem.type.removeprefix(TYPE_PREFIX))

    async def _send_text(self, body: bytes) -> None:
        await self.socket.send({"type": "websocket.send", "text": body.decode(), "bytes": None})


class Client(Struct, frozen=True, kw_only=True):
    """Who is at the other end of a socket."""

    socket: AnySocket
    sender: FrameSender
    caller: Caller
    parts: Parts

    async def count(self) -> None:
        """Count a message as a request. One beyond the limits is refused late, so that a flood waits for itself."""
        account, network = self.caller.account, self.caller.network
        try:
            await self.parts.rates.count(f"network:{network}" if account is None else f"account:{account}")
            await self.parts.rates.pace(network)
        except TooManyRequests as refused:
            await asyncio.sleep(min(refused.wait_s, REFUSED_WAIT_S_MAX))
            raise


async def serve_socket(
    socket: AnySocket, parts: Parts, hub: Hub, enter: Callable[[], Awaitable[tuple[Reader, Caller]]]
) -> None:
    """Serve a socket until either end has had enough. A refusal is sent on the socket, which then closes."""
    await socket.accept()
    sender = FrameSender(socket)
    try:
        reader, caller = await enter()
    except Exception as error:  # noqa: BLE001  the outermost handler: every exception becomes a problem
        await sender.refuse(_problem_of(error))
        return
    client = Client(socket=socket, sender=sender, caller=caller, parts=parts)
    async with leaving(hub, reader):
        sending = asyncio.create_task(_send_frames(sender, hub, reader))
        try:
            if await _take_commands(client, reader):
                await asyncio.wait({sending})
        finally:
            sending.cancel()
            await asyncio.wait({sending})


async def _send_frames(sender: FrameSender, hub: Hub, reader: Reader) -> None:
    """Send messages as they come, until the end or until the reader is gone."""
    try:
        while True:
            for message in await pull(hub, reader):
                if isinstance(message, End):
                    await sender.close(message)
                    return
                await sender.send(message)
    except (OSError, WebSocketDisconnect):
        return
    except Exception:
        log.exception("socket_failed", game=reader.game, version=reader.cursor)
        await sender.close(End(reason="failed"))


async def _take_commands(client: Client, reader: Reader) -> bool:
    """Carry commands out until the peer is gone, or return that the reader has an end of which it is to hear."""
    while True:
        try:
            raw = await client.socket.receive_data("text")
        except WebSocketDisconnect:
            return False
        if reader.end is not None:
            return True
        try:
            asked = _CLIENT_IN.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            refused = problem_response(NOT_A_COMMAND, str(error)).content
            await client.sender.send(Refused(request=None, problem=refused))
            reader.stop(End(reason="refused"))
            return True
        await _carry_out(client, asked, reader)


async def _carry_out(client: Client, asked: ClientIn, reader: Reader) -> None:
    answered, written = await answer(client, asked, reader.game)
    if reader.end is not None:
        # The other task has closed the socket meanwhile, and stated why.
        return
    await client.sender.send(answered)
    if written is not None:
        # A sender of one command after the other must not fall behind the consequences.
        await reader.reach(written, timeout_s=REACH_TIMEOUT_S)


async def answer(client: Client, asked: ClientIn, game: str) -> tuple[Answered | Refused, StreamVersion | None]:
    """Return the answer that HTTP gives, and the last version that was written, if any."""
    try:
        await client.count()
        found = await _do(client, asked, game)
    except Exception as error:  # noqa: BLE001  the outermost handler: every exception becomes a problem
        return Refused(request=asked.request, problem=_problem_of(error)), None
    answered = Answered(request=asked.request, answer=msgspec.Raw(msgspec.json.encode(found)))
    return answered, found.last_version if isinstance(found, Answer) else None


async def _do(client: Client, asked: ClientIn, game: str) -> Answer | Previewed:
    body = bytes(asked.body)
    if asked.do == "previews":
        return await preview_of(game, body, client.caller, client.parts)
    return await command_game(INPUTS[asked.do], game, body, client.caller, client.parts)


def _problem_of(error: Exception) -> Problem:
    refused = find_refusal(error)
    if refused is not None:
        return refused
    log.error("socket_command_failed", exc_info=error)
    return problem_response(INTERNAL_ERROR, "the failure was logged; the same request may be sent again").content
