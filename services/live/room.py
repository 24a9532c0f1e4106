"""The state of a room, a pure reducer: when a game with readers is read.

At most one read of a room is under way; a hint meanwhile leads to one more, so that no line is missed.
"""

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.ids import StreamVersion
from domain.log.entry import Entry


class RoomState(Struct, frozen=True, kw_only=True):
    """A game in this process, or that part of its readers who are shown it later than others."""

    readers: int = 0
    version: StreamVersion = StreamVersion(0)
    is_reading: bool = False
    # A hint came since the read under way began.
    is_stale: bool = False


class Joined(Struct, frozen=True):
    """One more reader."""


class Left(Struct, frozen=True):
    """One reader fewer."""


class Hinted(Struct, frozen=True):
    """The game may be at this version; None: perhaps at any."""

    version: StreamVersion | None = None


class Committed(Struct, frozen=True):
    """A command of this process has just been committed, with these lines."""

    entries: tuple[Entry, ...]


class Done(Struct, frozen=True):
    """The read under way ended; the room shows this version now."""

    version: StreamVersion


class Failed(Struct, frozen=True):
    """The read under way ended without an answer."""


class Retried(Struct, frozen=True):
    """The pause after a failed read is over."""


RoomIn = Joined | Left | Hinted | Committed | Done | Failed | Retried


class Open(Struct, frozen=True):
    """Ask for hints about the game."""


class Read(Struct, frozen=True):
    """Read the game on from where the room is."""


class Take(Struct, frozen=True):
    """Go on with these lines, which follow on those that are there."""

    entries: tuple[Entry, ...]


class ReadLater(Struct, frozen=True):
    """Read after a pause."""


class Close(Struct, frozen=True):
    """Ask for no more hints, and let the room go."""


RoomOut = Open | Read | Take | ReadLater | Close


def react(room: RoomState, happened: RoomIn) -> tuple[RoomState, tuple[RoomOut, ...]]:
    """Return the room after a message, and the effects to carry out, in that order."""
    match happened:
        case Joined() if room.readers == 0:
            # Subscribed first and read afterwards: a hint in between is heard.
            return replace(room, readers=1, is_reading=True), (Open(), Read())
        case Joined():
            return replace(room, readers=room.readers + 1), ()
        case Left():
            assert room.readers > 0, "more readers left than came"
            return replace(room, readers=room.readers - 1), (Close(),) if room.readers == 1 else ()
        case Hinted(version=version):
            if version is not None and version <= room.version:
                return room, ()
            if room.is_reading:
                return replace(room, is_stale=True), ()
            return replace(room, is_reading=True), (Read(),)
        case Committed(entries=entries) if room.is_reading or entries[0].line.version != room.version + 1:
            return react(room, Hinted(entries[-1].line.version))
        case Committed(entries=entries):
            return replace(room, version=entries[-1].line.version), (Take(entries),)
        case Done(version=version):
            now = replace(room, version=version, is_reading=room.is_stale, is_stale=False)
            return now, (Read(),) if room.is_stale else ()
        case Failed():
            return room, (ReadLater(),)
        case Retried():
            # A hint during the pause is answered by this read.
            return replace(room, is_stale=False), (Read(),)
        case _:
            assert_never(happened)
