"""A frame buffer: the last steps of one game, which its readers take at their own pace.

One read at a time fills it; its size bounds how far a reader may fall behind.
"""

from collections import deque
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from domain.game.state import Game, Held
from domain.ids import GameId, PlayerId, Seat, StreamVersion
from domain.log.entry import Entry
from services.live.steps import Step, StepSources, read_steps
from services.reading.access import find_shown_version
from services.reading.histories import Knowledge

# Players, and readers of games without a delay, are shown the newest step; spectators one that is old enough.
Audience = Literal["prompt", "delayed"]
# How far a reader may fall behind before it is asked to come again: some turns of a six-seat race.
STEPS_MAX = 64
# Lines folded before others on the loop have their turn.
LINES_MAX = 64


Players = tuple[PlayerId | None, ...]


def list_players(game: Game) -> Players:
    """List the players by seat."""
    return tuple(status.player if isinstance(status, Held) else None for status in game.seats)


class Progress(Struct, frozen=True, kw_only=True):
    """How far a buffer is, and the instant from which more of it may be shown, if that is known."""

    version: StreamVersion
    due_ms: int | None


class FrameBuffer:
    def __init__(self, sources: StepSources, game: GameId, audience: Audience, *, steps_max: int = STEPS_MAX) -> None:
        self.game = game
        self.audience = audience
        self._sources = sources
        self._steps_max = steps_max
        self._kept: dict[Knowledge, deque[Step]] = {}
        # Those with readers: folding costs as much as a command, and a game often has no public.
        self._wanted: set[Knowledge] = set()
        # The game as it is now, shown or not. Never behind the steps.
        self.newest: Game | None = None
        # Its players by seat; another value only when they change.
        self.players: Players = ()

    @property
    def version(self) -> StreamVersion:
        """The last version of it; 0 before it was read."""
        last = self._find_last()
        return StreamVersion(0) if last is None else last.version

    def steps(self, knowledge: Knowledge) -> deque[Step] | None:
        """Return the steps that are kept, without a gap and never none; None before they were read."""
        return self._kept.get(knowledge)

    def want(self, knowledge: Knowledge) -> bool:
        """Have steps kept folded with this knowledge; state whether they must be read first."""
        self._wanted.add(knowledge)
        return knowledge not in self._kept

    async def advance(self, *, now_ms: int) -> Progress:
        """Read on until there is no more to show. Raises `StoreUnavailable` with everything kept as it was."""
        assert self._wanted, f"{self.game} has no readers"
        while True:
            shown = await self._find_shown(now_ms) if self.audience == "delayed" or not self._kept else None
            for knowledge in self._wanted - self._kept.keys():
                # Before the opening is shown to all, only those come whom a seat awaits.
                base = self.version or shown or StreamVersion(1)
                steps = await read_steps(self._sources, self.game, base, base, knowledge)
                self._kept[knowledge] = deque(steps, maxlen=self._steps_max)
            count = LINES_MAX if shown is None else min(LINES_MAX, shown - self.version)
            if count <= 0 or not await self._read_on(count):
                return Progress(version=self.version, due_ms=await self._find_due_ms())

    def can_take(self, entries: Sequence[Entry]) -> bool:
        """Return whether these lines follow on the last one, and are so few that no reader waits for their folding.

        By its hash: another one of that version may stand there after a restore.
        """
        last = self._find_last()
        return last is not None and last.game.head == entries[0].line.prev and len(entries) <= LINES_MAX

    def take(self, entries: Sequence[Entry]) -> None:
        """Go on with lines that are committed and follow on the last one, while nothing reads on."""
        assert self.can_take(entries), f"{self.game} goes on elsewhere than after {self.version}"
        self._go_on(entries, len(entries))

    def _find_last(self) -> Step | None:
        """Return the last step, with any knowledge: all kept steps end with the same line."""
        kept = next(iter(self._kept.values()), None)
        return None if kept is None else kept[-1]

    async def _find_shown(self, now_ms: int) -> StreamVersion:
        """Return the last version that this audience may see now."""
        self._note_newest(await self._sources.histories.read_newest(self.game))
        assert self.newest is not None
        seat = None if self.audience == "delayed" else Seat(0)
        return await find_shown_version(self._sources.histories, self.newest, seat, now_ms=now_ms)

    async def _read_on(self, count: int) -> bool:
        """Take up to so many lines in; state whether there may be more."""
        last = self._find_last()
        assert last is not None, "there is a first step to go on from"
        lines = await self._sources.store.read_stream(self.game, after=last.version, limit=count + 1)
        self._go_on(list(self._sources.histories.parse(last.game, lines)), count)
        return len(lines) > count

    def _go_on(self, entries: Sequence[Entry], count: int) -> None:
        for knowledge, kept in self._kept.items():
            kept.extend(map(Step, self._sources.histories.go_on(kept[-1].game, entries, knowledge, count=count)))
            if self.audience == "prompt":
                self._note_newest(kept[-1].game)

    def _note_newest(self, newest: Game) -> None:
        self.newest = newest
        players = list_players(newest)
        if players != self.players:
            self.players = players

    async def _find_due_ms(self) -> int | None:
        if self.newest is None or self.version >= self.newest.version:
            return None
        hidden = await self._sources.histories.read_at(self.game, StreamVersion(self.version + 1))
        assert hidden is not None, "a version before the newest is there"
        return hidden.at_ms + hidden.opened.delay_s * 1000
