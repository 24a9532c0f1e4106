"""Keeps one steward at work however many processes run: whoever gets the lock is it, the others stand by."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import asyncpg
import msgspec
import structlog
from msgspec import Struct

from domain.ids import GameId, StreamId, TournamentId
from domain.log.record import parse_at
from infra.postgres.connection import CONNECTION_LOST
from infra.postgres.steward_desk import steward_desk
from infra.projection_store import ROWS_MAX, Projections, Sought, StoredRow
from infra.store_faults import StoreUnavailable
from projections.lobby import AT_TABLE, LobbyGame
from projections.lobby import NAME as LOBBY_NAME
from projections.lobby import label_status as label_game_status
from projections.tournaments import LISTED, NAME, label_status
from services.api.parts import Parts
from services.workers.at_work import at_work
from services.workers.lapses import ListOpenSince
from services.workers.steward import Household, ListTournaments, Steward

log = structlog.get_logger()

# A drawn table has its game this much later, a finished game its result; each look is a read or two a tournament.
LOOK_EVERY_S = 0.25
# How long a steward that died is missed.
STAND_BY_S = 1.0
# A bug leaves tournaments waiting; the pause keeps it from filling the log.
FAILED_PAUSE_S = 10.0

# What the world does: the next session begins from what is stored.
PASSING = (StoreUnavailable, asyncpg.PostgresError, *CONNECTION_LOST)


class Stewarding(Struct, frozen=True, kw_only=True):
    """What the steward of a process works with, whether or not it is its turn."""

    database_url: str
    household: Household
    # Tests do not wait so long.
    look_every_s: float = LOOK_EVERY_S
    stand_by_s: float = STAND_BY_S


@asynccontextmanager
async def steward_at_work(stewarding: Stewarding) -> AsyncIterator[None]:
    """Look after tournaments while the block runs."""
    async with at_work(look_after_tournaments(stewarding), name="steward"):
        yield


async def look_after_tournaments(stewarding: Stewarding) -> None:
    """Be the steward whenever nobody else is. Ends by being cancelled."""
    while True:
        pause_s = stewarding.stand_by_s
        try:
            async with steward_desk(stewarding.database_url) as desk:
                if desk is not None:
                    log.info("steward_started")
                    steward = Steward(stewarding.household)
                    while True:
                        await desk.check()
                        await steward.step()
                        await asyncio.sleep(stewarding.look_every_s)
        except PASSING as fault:
            log.warning("steward_interrupted", reason=f"{type(fault).__name__}: {fault}")
        except Exception:
            # The outermost loop: a bug of ours is told, and the next session begins from what is stored.
            log.exception("steward_failed")
            pause_s = FAILED_PAUSE_S
        await asyncio.sleep(pause_s)


def build_household(parts: Parts) -> Household:
    return Household(
        tournaments=parts.tournaments,
        arena=parts.arena,
        store=parts.store,
        list_running=listing_running(parts.projections, parts.now_ms),
        list_unfinished=listing_unfinished(parts.projections, parts.now_ms),
        list_open_since=listing_open_since(parts.projections, parts.now_ms),
        now_ms=parts.now_ms,
        random_bytes=parts.random_bytes,
    )


def listing_running(projections: Projections, now_ms: Callable[[], int]) -> ListTournaments:
    """Build how the tournaments that go on are listed. A list that is behind costs time; nothing is decided by it."""
    labels = (LISTED, label_status("running"))

    async def list_running() -> Sequence[TournamentId]:
        return [TournamentId(StreamId(row.owner)) async for row in _list_rows(projections, NAME, labels, now_ms)]

    return list_running


def listing_unfinished(projections: Projections, now_ms: Callable[[], int]) -> ListTournaments:
    """Build how the tournaments with games that are not over are listed, from the games themselves."""

    async def list_unfinished() -> Sequence[TournamentId]:
        found = _list_rows(projections, LOBBY_NAME, (AT_TABLE,), now_ms)
        games = [msgspec.json.decode(row.body, type=LobbyGame) async for row in found]
        return sorted({game.tournament for game in games if game.tournament is not None})

    return list_unfinished


def listing_open_since(projections: Projections, now_ms: Callable[[], int]) -> ListOpenSince:
    """Build how the open games of no tournament are listed in which nothing has happened since a time."""

    async def list_open_since(since_ms: int) -> Sequence[GameId]:
        found = _list_rows(projections, LOBBY_NAME, (label_game_status("open"),), now_ms)
        games = [msgspec.json.decode(row.body, type=LobbyGame) async for row in found]
        return [game.id for game in games if game.tournament is None and parse_at(game.last_at) < since_ms]

    return list_open_since


async def _list_rows(
    projections: Projections, name: str, labels: tuple[str, ...], now_ms: Callable[[], int]
) -> AsyncIterator[StoredRow]:
    before: str | None = None
    while True:
        sought = Sought(labels=labels, or_labels=labels, before=before, now_ms=now_ms())
        rows = await projections.list_owners(name, sought, limit=ROWS_MAX)
        for row in rows:
            yield row
        if len(rows) < ROWS_MAX:
            return
        before = rows[-1].owner
