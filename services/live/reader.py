"""One who follows a game: a place in its film, and what comes next from there. Costs little while nothing happens.

It holds no frames of its own, so what bounds it is the film: whoever falls out of that is told to come again.
"""

import asyncio
from collections.abc import Sequence

from domain.ids import GameId, Seat, StreamVersion
from services.access import Caller
from services.histories import Knowing
from services.live.film import Film
from services.live.messages import End, Frame, Heartbeat, Presence, SeatChanged, ToReader
from services.live.steps import Shelf, Step, read_steps

# Steps read at once by one who resumes from before the film; each page is sent before the next is read.
PAGE_STEPS = 32


class Reader:
    """The hub sets what it is to be told, and wakes it. One task at a time takes what comes next."""

    __slots__ = (
        "_is_catching_up",
        "_is_first",
        "_seat_told",
        "_shelf",
        "_waiting",
        "caller",
        "count_told",
        "cursor",
        "end",
        "film",
        "has_all",
        "is_quiet",
        "is_unseated",
        "notices",
        "seat",
    )

    def __init__(self, shelf: Shelf, caller: Caller, *, after: StreamVersion | None) -> None:
        self._shelf = shelf
        self.caller = caller
        # The last version it has; None: none yet, it begins with the present.
        self.cursor = after
        self.film: Film | None = None
        self.seat: Seat | None = None
        self.end: End | None = None
        # Its seat is another one than when it came in; whoever may see what has to be asked again.
        self.is_unseated = False
        # It came with the last version of a game in which nothing more can happen.
        self.has_all = False
        # No frame since the last heartbeat.
        self.is_quiet = False
        # How many it was told follow this game.
        self.count_told = 0
        # Only the newest of each kind is worth telling.
        self.notices: dict[type[Heartbeat | Presence], Heartbeat | Presence] = {}
        self._is_first = True
        self._is_catching_up = True
        self._seat_told: Seat | None = None
        self._waiting: asyncio.Future[None] | None = None

    @property
    def game(self) -> GameId:
        assert self.film is not None, "a reader that has not entered is nowhere"
        return self.film.game

    @property
    def knowing(self) -> Knowing:
        return "public" if self.seat is None else "secret"

    def enter(self, film: Film, seat: Seat | None) -> None:
        """Begin to follow, or go on from another place."""
        is_return = self.film is not None
        self.film, self.seat, self.is_unseated = film, seat, False
        if not is_return:
            self._seat_told = seat
        self._is_catching_up = True

    def wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def tell(self, notice: Heartbeat | Presence) -> None:
        """Tell it something of the moment, beside the frames."""
        self.notices[type(notice)] = notice
        self.wake()

    def stop(self, end: End) -> None:
        """Let nothing more come but the end."""
        self.end = self.end or end
        self.wake()

    async def pull(self) -> Sequence[ToReader]:
        """Return what comes next, as soon as there is anything; nothing at all when its seat has to be looked up.

        After an End nothing comes. Raises `StoreUnavailable` while catching up, with its place kept.
        """
        while True:
            if self.end is not None:
                return (self.end,)
            if self.is_unseated:
                return ()
            found = await self._take()
            if found:
                return found
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
            self._waiting = None

    async def _take(self) -> Sequence[ToReader]:
        assert self.film is not None, "a reader that has not entered reads nothing"
        told: list[ToReader] = list(self.notices.values())
        self.notices.clear()
        reel = self.film.reel(self.knowing)
        if reel is None:
            return told
        newest = reel[-1]
        if self.cursor is None:
            self.cursor = StreamVersion(newest.version - 1)
        if self._seat_told != self.seat and self.cursor < newest.version:
            told.append(SeatChanged(seat=self.seat))
            self._seat_told, self._is_first = self.seat, True
        if self.cursor < newest.version:
            steps = await self._next_steps(list(reel))
            if steps is None:
                return (*told, End(reason="slow"))
            told += self._frames(steps)
            newest = reel[-1]
        if self.cursor >= newest.version and newest.game.is_disclosed:
            told.append(End(reason="over"))
        return told

    async def _next_steps(self, reel: list[Step]) -> list[Step] | None:
        """Return the steps after the cursor, with the one at it first unless the first frame is whole anyway."""
        assert self.film is not None
        assert self.cursor is not None
        start = self.cursor + 1 if self._is_first else self.cursor
        if start >= reel[0].version:
            self._is_catching_up = False
            return reel[start - reel[0].version :]
        if not self._is_catching_up:
            return None
        last = min(reel[-1].version, start + PAGE_STEPS - 1)
        first = StreamVersion(max(start, 1))
        async with self._shelf.resuming:
            return await read_steps(self._shelf, self.film.game, first, StreamVersion(last), self.knowing)

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
        return frames
