"""The timekeeper's reads of the log, and its memory over restarts, for any store. No rule reads it.

`PostgresClockBook` and `MemoryClockBook` keep this contract; one suite of tests runs on both.
"""

from typing import Protocol

from msgspec import Struct

from domain.game.absence import Absence
from domain.ids import GameId, LogPosition

# One call reads some hundred kilobytes, as only the first lines of games come whole.
MOVES_MAX = 5_000
# A beat comes a second after the last one, a successor two seconds after a timekeeper that died. A later one is late.
# From the beat before it on all time is lost, until beats have come on time for as long as an absence lasts at least.
BEAT_LATE_MS = 2_000
ABSENCE_MIN_MS = 3_000
# A line that an outage held up is stored seconds after its time: it may have waited through the latest of them.
LATEST_ABSENCES = 16


class GameMove(Struct, frozen=True, kw_only=True):
    """A line of a game, as far as clocks are concerned. `per_decision_ms` is of a first line whose game has a clock."""

    position: LogPosition
    game: GameId
    type: str
    at_ms: int
    per_decision_ms: int | None = None


class BookMark(Struct, frozen=True, kw_only=True):
    """How far the log was read, the games with a clock that had not ended by then, the latest absences given back."""

    position: LogPosition
    per_decision_ms: dict[GameId, int]
    absences: tuple[Absence, ...] = ()


class NotedAbsence(Struct, frozen=True, kw_only=True):
    """One that was not given back to all games yet; a later one has a higher number."""

    number: int
    absence: Absence


class BookMoved(Exception):
    """Another process keeps the clocks, and has read on; nothing was stored."""

    def __init__(self, before: LogPosition) -> None:
        self.before = before
        super().__init__(f"the clocks are no longer kept from position {before}")


class ClockBook(Protocol):
    """Every method raises `StoreUnavailable` when the store cannot be reached in time."""

    async def read_mark(self) -> BookMark: ...

    async def read_moves(self, *, after: LogPosition, limit: int) -> list[GameMove]:
        """By position; a reader that continues from its last one misses none."""

    async def follow(self, before: LogPosition, after: LogPosition) -> None:
        """Note the games with a clock that were opened and that ended in a part of the log, or raise BookMoved."""

    async def beat(self, now_ms: int) -> list[NotedAbsence]:
        """Store a heartbeat, note an absence that ends with it, and list the absences that are owed."""

    async def note_given_back(self, *, through: int) -> None:
        """Forget the absences up to this number."""
