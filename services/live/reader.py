"""A reader: a connection's place in a game's frame buffer, and the next messages from there. Idle, it costs little.

It holds no frames of its own and is bounded by the buffer: a reader that falls out of it is asked to come again.
"""

import asyncio
from collections.abc import Sequence

from domain.game.state import Game
from domain.ids import GameId, Seat, StreamVersion
from services.live.frame_buffer import FrameBuffer, Players, list_players
from services.live.messages import End, Frame, Heartbeat, Presence, SeatChanged, ToReader
from services.live.steps import Step, StepSources, read_steps
from services.reading.access import Caller, find_seat, may_see
from services.reading.histories import Knowledge

# Steps read at once by a reader that resumes from before the buffer; each page is sent before the next is read.
PAGE_STEPS = 32


class Reader:
    """The hub sets its messages, and wakes it. One task at a time takes the next ones."""

    __slots__ = (
        "_is_catching_up",
        "_is_first",
        "_players",
        "_seat_told",
        "_sources",
        "_waiting",
        "_waiting_for",
        "buffer",
        "caller",
        "count_told",
        "counted_as",
        "cursor",
        "end",
        "has_all",
        "has_look",
        "is_quiet",
        "notices",
        "seat",
    )

    def __init__(self, sources: StepSources, caller: Caller, *, after: StreamVersion | None) -> None:
        self._sources = sources
        self.caller = caller
        # The last version it has; None: none yet, it begins with the present.
        self.cursor = after
        self.buffer: FrameBuffer | None = None
        self.seat: Seat | None = None
        self.end: End | None = None
        # It came with the last version of a game in which nothing more can happen.
        self.has_all = False
        # It sees a delayed game without a seat, by a look on record.
        self.has_look = False
        # No frame since the last heartbeat.
        self.is_quiet = False
        # The number of followers that it got last.
        self.count_told = 0
        # Set by the hub as it comes in.
        self.counted_as = ""
        # Only the newest of each kind is worth sending.
        self.notices: dict[type[Heartbeat | Presence], Heartbeat | Presence] = {}
        self._is_first = True
        self._is_catching_up = True
        self._seat_told: Seat | None = None
        self._waiting: asyncio.Future[None] | None = None
        # Who waits until a version has been taken.
        self._waiting_for: tuple[StreamVersion, asyncio.Future[None]] | None = None
        self._players: Players = ()

    @property
    def game(self) -> GameId:
        assert self.buffer is not None, "a reader that has not entered is nowhere"
        return self.buffer.game

    @property
    def knowledge(self) -> Knowledge:
        return "public" if self.seat is None else "secret"

    def enter(self, buffer: FrameBuffer, game: Game) -> None:
        """Begin to follow a game as it was just read, or go on from another place."""
        is_return = self.buffer is not None
        self.buffer, self.seat, self._players = buffer, find_seat(game, self.caller), list_players(game)
        if not is_return:
            self._seat_told = self.seat
        self._is_catching_up = True

    def wake(self) -> None:
        if self._waiting is not None:
            _settle(self._waiting)

    def tell(self, notice: Heartbeat | Presence) -> None:
        """Send a message of the moment, beside the frames."""
        self.notices[type(notice)] = notice
        self.wake()

    def stop(self, end: End) -> None:
        """Let nothing more come but the end."""
        self.end = self.end or end
        self.wake()
        self._tell_reached()

    async def reach(self, version: StreamVersion, *, timeout_s: float) -> None:
        """Wait until it was given a version, or until it is over, or no longer than that. One task at a time waits."""
        if self.end is not None or (self.cursor is not None and self.cursor >= version):
            return
        reached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting_for = version, reached
        # Done for every command: a timer and a future cost a quarter of the library's ways of waiting.
        giving_up = reached.get_loop().call_later(timeout_s, _settle, reached)
        try:
            await reached
        finally:
            giving_up.cancel()
            self._waiting_for = None

    async def pull(self) -> Sequence[ToReader]:
        """Return the next messages, as soon as there are any; none when its seat has to be looked up.

        After an End nothing comes. Raises `StoreUnavailable` while catching up, with its place kept.
        """
        while True:
            if self.end is not None:
                return (self.end,)
            if self._is_displaced():
                return ()
            found = await self._take()
            if found:
                return found
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
            self._waiting = None

    def _is_displaced(self) -> bool:
        """Return whether this reader's rights may be others since it came in; asked before every step is taken."""
        assert self.buffer is not None, "a reader that has not entered reads nothing"
        newest = self.buffer.newest
        if newest is None or self.buffer.players == self._players:
            return False
        self._players = self.buffer.players
        return find_seat(newest, self.caller) != self.seat or not may_see(newest, self.caller)

    async def _take(self) -> Sequence[ToReader]:
        assert self.buffer is not None
        told: list[ToReader] = list(self.notices.values())
        self.notices.clear()
        kept = self.buffer.steps(self.knowledge)
        if kept is None:
            return told
        newest = kept[-1]
        if self.cursor is None:
            self.cursor = StreamVersion(newest.version - 1)
        if self._seat_told != self.seat and self.cursor < newest.version:
            told.append(SeatChanged(seat=self.seat))
            self._seat_told, self._is_first = self.seat, True
        if self.cursor < newest.version:
            steps = await self._next_steps(list(kept))
            if steps is None:
                return (*told, End(reason="slow"))
            told += self._frames(steps)
            newest = kept[-1]
        if self.cursor >= newest.version and newest.game.is_disclosed:
            told.append(End(reason="over"))
        return told

    async def _next_steps(self, kept: list[Step]) -> list[Step] | None:
        """Return the steps after the cursor, with the one at it first unless the first frame is whole anyway."""
        assert self.buffer is not None
        assert self.cursor is not None
        start = self.cursor + 1 if self._is_first else self.cursor
        if start >= kept[0].version:
            self._is_catching_up = False
            return kept[start - kept[0].version :]
        if not self._is_catching_up:
            return None
        last = min(kept[-1].version, start + PAGE_STEPS - 1)
        first = StreamVersion(max(start, 1))
        async with self._sources.resuming:
            return await read_steps(self._sources, self.buffer.game, first, StreamVersion(last), self.knowledge)

    def _frames(self, steps: list[Step]) -> list[Frame]:
        frames: list[Frame] = []
        before: Step | None = None
        for step in steps:
            if before is not None:
                frames.append(step.patch(before, self.seat))
            elif self._is_first:
                frames.append(step.whole(self.seat))
                self._is_first = False
            before = step
        if frames:
            self.cursor = frames[-1].version
            self.is_quiet = False
            self._tell_reached()
        return frames

    def _tell_reached(self) -> None:
        if self._waiting_for is None:
            return
        version, reached = self._waiting_for
        if self.end is not None or (self.cursor is not None and self.cursor >= version):
            _settle(reached)


def _settle(waited: asyncio.Future[None]) -> None:
    if not waited.done():
        waited.set_result(None)
