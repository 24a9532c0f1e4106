"""One build of a projection, following the log by position: read, fold, and store rows and position together.

It keeps no state besides the store, so that after any stop the next one continues from there.
"""

from typing import Protocol

import msgspec

from domain.ids import LogPosition
from domain.log.record import Line, parse_line
from infra.event_store import StoredEvent
from infra.projection_store import Advance, Build, ProjectorDesk
from infra.recent import Recent
from projections.folding import Versioned, decode_state, fold
from projections.released import AnyProjection

# Events of one step: some ten milliseconds of folding, in which the process answers no request.
STEP_EVENTS_MAX = 500
# States kept between steps, a kilobyte or less each: as many as there are games played at once on a busy server.
STATES_MAX = 5_000


class PositionedLog(Protocol):
    """The log as it is read, in the order of commits."""

    async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]: ...

    async def read_head(self) -> LogPosition: ...


class Tail:
    """Good until an exception; then another one begins from the store."""

    def __init__(self, log: PositionedLog, desk: ProjectorDesk, projection: AnyProjection, build: Build) -> None:
        assert build.version == projection.version, f"{build} is not of {projection.name} {projection.version}"
        self._log = log
        self._desk = desk
        self._projection = projection
        self._states: Recent[str, Versioned] = Recent(STATES_MAX)
        self.build = build

    async def step(self, *, limit: int = STEP_EVENTS_MAX) -> int:
        """Take in the next events and say how many there were. Raises BuildMoved and StoreUnavailable."""
        events = await self._log.read_log(after=self.build.position, limit=limit)
        if not events:
            return 0
        lines = [parse_line(event.body) for event in events]
        folded = fold(self._projection, await self._read_states(lines), lines)
        position = events[-1].position
        await self._desk.advance(Advance(build=self.build, position=position, rows=folded.rows))
        self.build = msgspec.structs.replace(self.build, position=position)
        for game, state in folded.states.items():
            self._states.keep(game, state)
        return len(events)

    async def _read_states(self, lines: list[Line]) -> dict[str, Versioned]:
        games: set[str] = {line.stream for line in lines}
        known = {game: state for game in games if (state := self._states.find(game)) is not None}
        # A game that begins with these lines has no state yet.
        missing = sorted(games - known.keys() - {line.stream for line in lines if line.version == 1})
        if not missing:
            return known
        stored = await self._desk.read_states(self.build, missing)
        return known | {game: decode_state(self._projection, body) for game, body in stored.items()}
