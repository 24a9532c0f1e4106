"""Which public games there are, read from the log itself: a list for as long as no read model keeps one.

It costs a few index look-ups for each game it passes by, so one page passes by a bounded number.
"""

from typing import Literal
from uuid import UUID

import asyncpg
from msgspec import Struct

from domain.ids import GameId, StreamVersion
from infra.postgres.connection import borrowed

Status = Literal["open", "running", "finished", "aborted"]

# A page that finds too little ends here, and leads to the next one: some ten milliseconds of look-ups.
PASSED_MAX = 1_000

FIND_LAST_PASSED = """
select id from stream where $1::uuid is null or id < $1 order by id desc offset $2 limit 1
"""

# The last line of a game that is over discloses its secret; the line before says how it ended. Delayed games come
# whatever their status, as that may not be known yet to whoever asks.
LIST_OPENED = """
select id, version, status, opening ->> 'by' as opened_by, opening ->> 'at' as opened_at, ruleset,
       (terms -> 'seats')::integer as seats, delay_s
from (
    select stream.id, stream.version, opening, terms,
           terms -> 'ruleset' ->> 'name' || '@' || (terms -> 'ruleset' ->> 'version') as ruleset,
           (terms -> 'delay_s')::integer as delay_s,
           case
               when last.type <> 'secret_disclosed' then
                   case when exists (
                       select from event where event.stream = stream.id and event.type = 'game_started'
                   ) then 'running' else 'open' end
               when (
                   select event.type from event where event.stream = stream.id and event.version = stream.version - 1
               ) = 'game_finished' then 'finished'
               else 'aborted'
           end as status
    from stream
    join event first on first.stream = stream.id and first.version = 1
    join event last on last.stream = stream.id and last.version = stream.version
    cross join lateral (select convert_from(first.body, 'UTF8')::jsonb as opening) line
    cross join lateral (select opening -> 'data' as terms) data
    where first.type = 'game_opened'
      and ($1::uuid is null or stream.id < $1)
      and ($5::uuid is null or stream.id >= $5)
) game
where terms ->> 'visibility' = 'public'
  and ($2::text is null or ruleset = $2)
  and ($3::text is null or status = $3 or delay_s > 0)
order by id desc
limit $4
"""


class OpenedGame(Struct, frozen=True, kw_only=True):
    """As it stands now, which a viewer of a delayed game may not know yet."""

    id: GameId
    version: StreamVersion
    status: Status
    ruleset: str
    seats: int
    delay_s: int
    opened_by: str
    opened_at: str


class Sought(Struct, frozen=True, kw_only=True):
    """Which games are wanted; `before` is the id of the last one that was listed already."""

    ruleset: str | None = None
    status: Status | None = None
    before: GameId | None = None


class Page(Struct, frozen=True, kw_only=True):
    """`next` is the `before` of the page after it; null where there are no more."""

    games: tuple[OpenedGame, ...]
    next: GameId | None


class OpenedGames:
    def __init__(self, pool: asyncpg.Pool, *, passed_max: int = PASSED_MAX) -> None:
        self._pool = pool
        self._passed_max = passed_max

    async def read_page(self, sought: Sought, *, limit: int) -> Page:
        """Return public games by descending id: the newest first, where clients make ids that tell the time."""
        before = None if sought.before is None else UUID(sought.before)
        async with borrowed(self._pool) as connection:
            last = await connection.fetchval(FIND_LAST_PASSED, before, self._passed_max - 1)
            rows = await connection.fetch(LIST_OPENED, before, sought.ruleset, sought.status, limit, last)
        games = tuple(_read(row) for row in rows)
        if len(games) == limit:
            return Page(games=games, next=games[-1].id)
        return Page(games=games, next=None if last is None else GameId(str(last)))


def _read(row: asyncpg.Record) -> OpenedGame:
    return OpenedGame(
        id=GameId(str(row["id"])),
        version=StreamVersion(row["version"]),
        status=row["status"],
        ruleset=row["ruleset"],
        seats=row["seats"],
        delay_s=row["delay_s"],
        opened_by=row["opened_by"],
        opened_at=row["opened_at"],
    )
