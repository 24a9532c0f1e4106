"""The messages between a reader and the server: closed sets, each with its place on the wire.

A frame is `{"version", "line", "board"}`, with the line as it is stored and the board as a merge patch on the one
before; every other message has a `type`. The first frame, and the first after `seat_changed`, has the whole board.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.ids import Seat, StreamVersion


class Frame(Struct, frozen=True, kw_only=True):
    """One line of the log and its change of the board, encoded once for all viewers of the same."""

    version: StreamVersion
    body: bytes
    # The same as it travels over a socket.
    framed: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def event(self) -> bytes:
        """The same as an event of a stream: neither a stored line nor our encoding has a line break in it."""
        return b"id: %d\ndata: %b\n\n" % (self.version, self.body)


class Heartbeat(Struct, frozen=True, kw_only=True, tag="heartbeat"):
    """Nothing happened for a while; the game is at this version."""

    version: StreamVersion


class Presence(Struct, frozen=True, kw_only=True, tag="presence"):
    """So many follow the game."""

    readers: int


class SeatChanged(Struct, frozen=True, kw_only=True, tag="seat_changed"):
    """The reader sees the game from another place now, so the next frame has the whole board."""

    seat: Seat | None


class Answered(Struct, frozen=True, kw_only=True, tag="answer"):
    """The answer of HTTP to the same request, by its number."""

    request: int | None
    answer: msgspec.Raw


class Refused(Struct, frozen=True, kw_only=True, tag="problem"):
    """The problem that HTTP would have answered; `request` is null where no number could be read."""

    request: int | None
    problem: Any


class End(Struct, frozen=True, kw_only=True, tag="end"):
    """Why the stream ends. A reader that is asked to come again does so with the last version it has."""

    reason: Literal["over", "restarting", "slow", "not-found", "failed", "too-many", "refused", "revoked"]

    @property
    def code(self) -> int:
        return CLOSE_CODES[self.reason]


# The close codes of sockets. From 4000 on they are ours: the last three digits are the HTTP status of the same.
CLOSE_CODES = {
    "over": 1000,  # nothing more can happen in this game
    "restarting": 1012,  # come again in a moment
    "too-many": 1013,  # come again later, or to another server
    "failed": 1011,  # our fault; come again
    "refused": 4400,  # the message is no command
    "revoked": 4401,  # the token has ended
    "not-found": 4404,  # no such game, or not for this reader
    "slow": 4408,  # too far behind; come again, and read on from the last version
}

ToReader = Frame | Heartbeat | Presence | SeatChanged | End
ClientOut = ToReader | Answered | Refused

# The last part of the path of each command.
Deed = Literal[
    "offers",
    "seats",
    "ready",
    "leave",
    "resign",
    "actions",
    "seals",
    "entrustments",
    "reveals",
    "rulings",
    "abort",
    "reclaim",
    "consents",
    "withdrawals",
    "end-pause",
]


class ClientIn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command over a socket: `POST /v1/games/{id}/{do}` with this body. `request` comes back with the answer."""

    request: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    do: Deed | Literal["previews"]
    body: msgspec.Raw
