"""A delayed game's rows as of the last line that the caller may see, folded from the log itself.

The same folds as the stored rows, so that a delayed game is shown as any other, only later.
"""

import math
from typing import Any, TypeVar

from msgspec import Struct

from domain.game.offers import find_offered_player
from domain.game.state import Game, Held
from domain.ids import GameId, PlayerId, Seat, StreamVersion
from domain.log.record import parse_line
from infra.event_store import EventStore
from infra.recent import Recent
from projections.folding import Projection, Versioned, fold
from services.commands.arena import NoSuchGame
from services.reading.access import Caller, as_reader, find_seat, find_visible_version
from services.reading.histories import GameHistories

# Delayed games that are under way at once, as players and others see them; a kilobyte or less each. A page of the list
# passes by a thousand at most.
STATES_MAX = 4_000
# Lines folded before others on the loop have their turn: some ten milliseconds.
LINES_MAX = 500

State = TypeVar("State", bound=Versioned)


class Told(Struct, frozen=True, kw_only=True):
    """A game as outsiders are shown it while its log ends at `head`, until the next line may be shown."""

    state: Any
    head: StreamVersion
    until_ms: float
    # Seated or expected players, who see more.
    insiders: frozenset[PlayerId]


class DelayedGames:
    """A cache over the store: always allowed to be empty."""

    def __init__(self, store: EventStore, histories: GameHistories) -> None:
        self._store = store
        self._histories = histories
        # By projection, game, and whether a seat's own or the public's: each of these only ever goes forward.
        self._states: Recent[tuple[str, GameId, bool], Any] = Recent(STATES_MAX)
        self._told: Recent[tuple[str, GameId], Told] = Recent(STATES_MAX)

    async def find(
        self,
        projection: Projection[State],
        game: GameId,
        caller: Caller,
        *,
        now_ms: int,
        head: StreamVersion | None = None,
    ) -> State | None:
        """Return the game as the caller may see it now; None where that is nothing yet.

        With its `head` as stored now, a game in which nothing has happened is not looked at again.
        """
        told = self._told.find((projection.name, game))
        if told is not None and told.head == head and now_ms < told.until_ms and _is_outside(caller, told.insiders):
            found: State | None = told.state
            return found
        newest = await self._histories.read_newest(game)
        state = await self._look(projection, game, caller, now_ms=now_ms)
        insiders = _list_insiders(newest)
        if newest.opened.visibility == "public" and _is_outside(caller, insiders):
            until_ms = self._find_until(newest, StreamVersion(0 if state is None else state.version))
            told = Told(state=state, head=newest.version, until_ms=until_ms, insiders=insiders)
            self._told.keep((projection.name, game), told)
        return state

    async def _look(self, projection: Projection[State], game: GameId, caller: Caller, *, now_ms: int) -> State | None:
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

    def _find_until(self, newest: Game, version: StreamVersion) -> float:
        """Return when outsiders may see more of a game than this version, where nothing happens in it."""
        if version >= newest.version:
            return math.inf
        at_ms = self._histories.find_instant(newest.id, StreamVersion(version + 1))
        return 0 if at_ms is None else at_ms + newest.opened.delay_s * 1000

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


def _list_insiders(game: Game) -> frozenset[PlayerId]:
    """List the players who see the game without its delay: those who sit at it, and those who are expected."""
    seated = {status.player for status in game.seats if isinstance(status, Held)}
    offered = {find_offered_player(game, Seat(place)) for place in range(len(game.seats))}
    return frozenset(seated | {player for player in offered if player is not None})


def _is_outside(caller: Caller, insiders: frozenset[PlayerId]) -> bool:
    return caller.link is None and as_reader(caller).player not in insiders
