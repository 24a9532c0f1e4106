"""The last steps of one game, kept for those who follow it: a reader takes them from here at its own pace.

One thing reads on at a time; the bound on the steps is the bound on how far anybody may fall behind.
"""

from collections import deque
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from domain.game.state import Game, Held
from domain.ids import GameId, PlayerId, Seat, StreamVersion
from domain.log.entry import Entry
from services.live.steps import Shelf, Step, fold_entries, fold_steps, read_steps
from services.reading.access import find_shown_version
from services.reading.histories import Knowing

# Players and whoever has no delay to wait for are shown what is there; the stands what is old enough.
Audience = Literal["prompt", "delayed"]
# How far a reader may fall behind before it is told to come again: some turns of a six-seat race.
STEPS_MAX = 64
# Lines folded before others on the loop have their turn.
LINES_MAX = 64


Players = tuple[PlayerId | None, ...]


def list_players(game: Game) -> Players:
    """List who sits where."""
    return tuple(status.player if isinstance(status, Held) else None for status in game.seats)


class Progress(Struct, frozen=True, kw_only=True):
    """How far a film is, and the instant from which more of it may be shown, if that is known."""

    version: StreamVersion
    due_ms: int | None


class Film:
    def __init__(self, shelf: Shelf, game: GameId, audience: Audience, *, steps_max: int = STEPS_MAX) -> None:
        self.game = game
        self.audience = audience
        self._shelf = shelf
        self._steps_max = steps_max
        self._reels: dict[Knowing, deque[Step]] = {}
        # Those for whom somebody came: folding costs as much as a command, and a game often has no public.
        self._wanted: set[Knowing] = set()
        # The game as it is now, shown or not. Never behind the steps.
        self.newest: Game | None = None
        # Who sits where in it; another value only when that is another.
        self.players: Players = ()

    @property
    def version(self) -> StreamVersion:
        """The last version of it; 0 before it was read."""
        last = self._find_last()
        return StreamVersion(0) if last is None else last.version

    def reel(self, knowing: Knowing) -> deque[Step] | None:
        """Return the steps that are kept, without a gap and never none; None before they were read."""
        return self._reels.get(knowing)

    def want(self, knowing: Knowing) -> bool:
        """Have the steps kept for those who may know so much; say whether they must be read first."""
        self._wanted.add(knowing)
        return knowing not in self._reels

    async def advance(self, *, now_ms: int) -> Progress:
        """Read on until there is no more to show. Raises `StoreUnavailable` with everything kept as it was."""
        assert self._wanted, f"nobody follows {self.game}"
        while True:
            shown = await self._find_shown(now_ms) if self.audience == "delayed" or not self._reels else None
            for knowing in self._wanted - self._reels.keys():
                base = self.version or shown
                assert base, f"{self.game} is not shown to anybody yet"
                steps = await read_steps(self._shelf, self.game, base, base, knowing)
                self._reels[knowing] = deque(steps, maxlen=self._steps_max)
            count = LINES_MAX if shown is None else min(LINES_MAX, shown - self.version)
            if count <= 0 or not await self._read_on(count):
                return Progress(version=self.version, due_ms=await self._find_due_ms())

    def can_take(self, entries: Sequence[Entry]) -> bool:
        """Say whether these lines follow on the last one here, and are so few that nobody waits for their folding.

        By its hash: another one of that version may stand there after a restore.
        """
        last = self._find_last()
        return last is not None and last.game.head == entries[0].line.prev and len(entries) <= LINES_MAX

    def take(self, entries: Sequence[Entry]) -> None:
        """Go on with lines that are committed and follow on the last one, while nothing reads on."""
        assert self.can_take(entries), f"{self.game} goes on elsewhere than after {self.version}"
        for reel in self._reels.values():
            reel.extend(fold_entries(reel[-1].game, entries))
            self._note_newest(reel[-1].game)

    def _find_last(self) -> Step | None:
        """Return the last step, as somebody may know it: all reels end with the same line."""
        reel = next(iter(self._reels.values()), None)
        return None if reel is None else reel[-1]

    async def _find_shown(self, now_ms: int) -> StreamVersion:
        """Return the last version that this audience may see now."""
        self._note_newest(await self._shelf.histories.read_newest(self.game))
        assert self.newest is not None
        seat = None if self.audience == "delayed" else Seat(0)
        return await find_shown_version(self._shelf.histories, self.newest, seat, now_ms=now_ms)

    async def _read_on(self, count: int) -> bool:
        """Take up to so many lines in; say whether there may be more."""
        lines = await self._shelf.store.read_stream(self.game, after=self.version, limit=count + 1)
        for reel in self._reels.values():
            reel.extend(fold_steps(reel[-1].game, lines, count=count))
            if self.audience == "prompt":
                self._note_newest(reel[-1].game)
        return len(lines) > count

    def _note_newest(self, newest: Game) -> None:
        self.newest = newest
        players = list_players(newest)
        if players != self.players:
            self.players = players

    async def _find_due_ms(self) -> int | None:
        if self.newest is None or self.version >= self.newest.version:
            return None
        hidden = await self._shelf.histories.read_at(self.game, StreamVersion(self.version + 1))
        assert hidden is not None, "a version before the newest is there"
        return hidden.at_ms + hidden.opened.delay_s * 1000
