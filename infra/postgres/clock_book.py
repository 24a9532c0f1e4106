"""The timekeeper's book in Postgres, on the one connection that holds the timekeeper's lock."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from domain.game.absence import Absence
from domain.ids import GameId, LogPosition, StreamId
from domain.log.record import parse_at
from infra.clock_book import (
    ABSENCE_MIN_MS,
    BEAT_LATE_MS,
    LATEST_ABSENCES,
    MOVES_MAX,
    BookMark,
    BookMoved,
    GameMove,
    NotedAbsence,
)
from infra.postgres.connection import telling_unavailable
from infra.postgres.worker_signs import TIMEKEEPER_LOCK, locked_session

READ_POSITION = """
select position from timekeeper
"""

READ_WATCHED = """
select stream, per_decision_ms from watched_clock
"""

READ_LATEST_ABSENCES = """
select from_ms, to_ms from absence where is_given_back order by id desc limit $1
"""

# `at` is the first member of every line, as canonical JSON sorts them: its text stands in one place.
READ_MOVES = """
select position, stream, type, convert_from(substr(body, 8, 24), 'UTF8') as at,
       case when type = 'game_opened'
            then (convert_from(body, 'UTF8')::jsonb #>> '{data,clock,per_decision_ms}')::bigint end as per_decision_ms
  from event where position > $1 order by position limit $2
"""

FOLLOW = """
select timekeeper_follow($1, $2)
"""

BEAT = """
select id, from_ms, to_ms from timekeeper_beat($1, $2, $3)
"""

GAVE_BACK = """
select timekeeper_gave_back($1)
"""


class PostgresClockBook:
    """See `ClockBook`. One call at a time: it is one connection, and one timekeeper."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def read_mark(self) -> BookMark:
        with telling_unavailable():
            position = await self._connection.fetchval(READ_POSITION)
            rows = await self._connection.fetch(READ_WATCHED)
            absences = await self._connection.fetch(READ_LATEST_ABSENCES, LATEST_ABSENCES)
        watched = {GameId(StreamId(str(row["stream"]))): row["per_decision_ms"] for row in rows}
        return BookMark(
            position=LogPosition(position),
            per_decision_ms=watched,
            absences=tuple(Absence(from_ms=row["from_ms"], to_ms=row["to_ms"]) for row in reversed(absences)),
        )

    async def read_moves(self, *, after: LogPosition, limit: int) -> list[GameMove]:
        assert 1 <= limit <= MOVES_MAX, limit
        with telling_unavailable():
            rows = await self._connection.fetch(READ_MOVES, after, limit)
        return [
            GameMove(
                position=LogPosition(row["position"]),
                game=GameId(StreamId(str(row["stream"]))),
                type=row["type"],
                at_ms=parse_at(row["at"]),
                per_decision_ms=row["per_decision_ms"],
            )
            for row in rows
        ]

    async def follow(self, before: LogPosition, after: LogPosition) -> None:
        with telling_unavailable():
            is_stored = await self._connection.fetchval(FOLLOW, before, after)
        if not is_stored:
            raise BookMoved(before)

    async def beat(self, now_ms: int) -> list[NotedAbsence]:
        with telling_unavailable():
            rows = await self._connection.fetch(BEAT, now_ms, BEAT_LATE_MS, ABSENCE_MIN_MS)
        return [
            NotedAbsence(number=row["id"], absence=Absence(from_ms=row["from_ms"], to_ms=row["to_ms"])) for row in rows
        ]

    async def note_given_back(self, *, through: int) -> None:
        with telling_unavailable():
            await self._connection.execute(GAVE_BACK, through)


@asynccontextmanager
async def timekeeper_book(url: str) -> AsyncIterator[PostgresClockBook | None]:
    """Give the book while the block runs, or None where another session keeps the clocks."""
    async with locked_session(url, TIMEKEEPER_LOCK) as connection:
        yield None if connection is None else PostgresClockBook(connection)
