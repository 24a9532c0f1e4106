"""A delayed game's rows as of the last line that the caller may see, folded from the log itself.

The same folds as the stored rows, so that a delayed game is told as any other, only later.
"""

from typing import Any, TypeVar

from domain.ids import GameId, StreamVersion
from domain.log.record import parse_line
from infra.event_store import EventStore
from infra.recent import Recent
from projections.folding import Projection, Versioned, fold
from services.commands.arena import NoSuchGame
from services.reading.access import Caller, find_seat, find_visible_version
from services.reading.histories import GameHistories

# Delayed games that are under way at once, as players and others see them; a kilobyte or less each.
STATES_MAX = 1_000
# Lines folded before others on the loop have their turn: some ten milliseconds.
LINES_MAX = 500

State = TypeVar("State", bound=Versioned)


class DelayedGames:
    """A cache over the store: always allowed to be empty."""

    def __init__(self, store: EventStore, histories: GameHistories) -> None:
        self._store = store
        self._histories = histories
        # By projection, game, and whether a seat's own or the public's: each of these only ever goes forward.
        self._states: Recent[tuple[str, GameId, bool], Any] = Recent(STATES_MAX)

    async def find(self, projection: Projection[State], game: GameId, caller: Caller, *, now_ms: int) -> State | None:
        """Return the game as the caller may see it now; None where that is nothing yet."""
        try:
            newest, version = await find_visible_version(self._histories, game, caller, now_ms=now_ms)
        except NoSuchGame:
            return None
        key = projection.name, game, find_seat(newest, caller) is not None
        known: State | None = self._states.find(key)
        # A concurrent request may have come further.
        state = await self._fold_on(projection, game, None if known and known.version > version else known, version)
        self._states.keep(key, state)
        return state

    async def _fold_on(
        self, projection: Projection[State], game: GameId, state: State | None, version: StreamVersion
    ) -> State:
        at = StreamVersion(0) if state is None else state.version
        while state is None or at < version:
            raws = await self._store.read_stream(game, after=at, limit=min(LINES_MAX, version - at))
            known = {} if state is None else {str(game): state}
            state = fold(projection, known, [parse_line(raw) for raw in raws]).states[game]
            at = state.version
        return state
