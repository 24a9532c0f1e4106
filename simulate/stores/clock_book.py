"""The timekeeper's book over a log in memory, for tests: as durable as the object."""

import msgspec

from domain.game.absence import Absence
from domain.game.events import GameOpened
from domain.ids import GameId, LogPosition
from domain.log.record import Line, parse_at
from infra.clock_book import ABSENCE_MIN_MS, BEAT_LATE_MS, LATEST_ABSENCES, BookMark, BookMoved, GameMove, NotedAbsence
from infra.event_store import StoredEvent
from simulate.stores.event_store import MemoryEventStore


class MemoryClockBook:
    def __init__(self, store: MemoryEventStore) -> None:
        self._store = store
        self._mark = BookMark(position=LogPosition(0), per_decision_ms={})
        self._beat_ms: int | None = None
        self._shaky = Absence(from_ms=0, to_ms=0)
        self._latest: tuple[Absence, ...] = ()
        self._owed: list[NotedAbsence] = []

    async def read_mark(self) -> BookMark:
        kept = dict(self._mark.per_decision_ms)
        return msgspec.structs.replace(self._mark, per_decision_ms=kept, absences=self._latest)

    async def read_moves(self, *, after: LogPosition, limit: int) -> list[GameMove]:
        return [_read_move(event) for event in await self._store.read_log(after=after, limit=limit)]

    async def follow(self, before: LogPosition, after: LogPosition) -> None:
        if self._mark.position != before:
            raise BookMoved(before)
        moves = await self.read_moves(after=before, limit=after - before)
        opened = {move.game: move.per_decision_ms for move in moves if move.per_decision_ms is not None}
        ended = {move.game for move in moves if move.type == "secret_disclosed"}
        kept = {game: ms for game, ms in (self._mark.per_decision_ms | opened).items() if game not in ended}
        self._mark = BookMark(position=after, per_decision_ms=kept)

    async def beat(self, now_ms: int) -> list[NotedAbsence]:
        if self._beat_ms is not None and now_ms - self._beat_ms >= BEAT_LATE_MS:
            is_shaky = 0 <= self._beat_ms - self._shaky.to_ms < ABSENCE_MIN_MS
            self._shaky = Absence(from_ms=self._shaky.from_ms if is_shaky else self._beat_ms, to_ms=now_ms)
            if now_ms - self._shaky.from_ms >= ABSENCE_MIN_MS:
                number = self._owed[-1].number + 1 if self._owed else 1
                self._owed.append(NotedAbsence(number=number, absence=self._shaky))
                self._shaky = Absence(from_ms=now_ms, to_ms=now_ms)
        self._beat_ms = now_ms
        return list(self._owed)

    async def note_given_back(self, *, through: int) -> None:
        given_back = (absence.absence for absence in self._owed if absence.number <= through)
        self._latest = (*self._latest, *given_back)[-LATEST_ABSENCES:]
        self._owed = [absence for absence in self._owed if absence.number > through]


def _read_move(event: StoredEvent) -> GameMove:
    line = msgspec.json.decode(event.body, type=Line)
    clock = None
    if line.type == "game_opened":
        clock = msgspec.convert(line.data, GameOpened).clock
    return GameMove(
        position=event.position,
        game=GameId(event.stream),
        type=line.type,
        at_ms=parse_at(line.at),
        per_decision_ms=None if clock is None else clock.per_decision_ms,
    )
