"""Keeps one timekeeper at work however many processes run: whoever gets the lock is it, the others stand by."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import asyncpg
import structlog
from msgspec import Struct

from infra.clock_book import BookMoved
from infra.postgres.clock_book import timekeeper_book
from infra.postgres.connection import CONNECTION_LOST
from infra.store_faults import StoreUnavailable
from services.commands.arena import Arena
from services.workers.at_work import at_work
from services.workers.timekeeper import Timekeeper

log = structlog.get_logger()

# A clock expires this much after its time at most, while there is a timekeeper; each look is one read of what is new.
LOOK_EVERY_S = 0.2
# How long a timekeeper that died is missed; less than what counts as an absence.
STAND_BY_S = 1.0
# A bug stops the clocks; the pause keeps it from filling the log, and what it lasts is given back.
FAILED_PAUSE_S = 10.0

# What the world does: the next session begins from what is stored.
PASSING = (StoreUnavailable, BookMoved, asyncpg.PostgresError, *CONNECTION_LOST)


class Timekeeping(Struct, frozen=True, kw_only=True):
    """What the timekeeper of a process works with, whether or not it is its turn."""

    database_url: str
    arena: Arena
    now_ms: Callable[[], int]
    # Tests do not wait so long.
    look_every_s: float = LOOK_EVERY_S
    stand_by_s: float = STAND_BY_S


@asynccontextmanager
async def timekeeper_at_work(timekeeping: Timekeeping) -> AsyncIterator[None]:
    """Keep the clocks while the block runs."""
    async with at_work(keep_clocks(timekeeping), name="timekeeper"):
        yield


async def keep_clocks(timekeeping: Timekeeping) -> None:
    """Be the timekeeper whenever nobody else is. Ends by being cancelled."""
    while True:
        pause_s = timekeeping.stand_by_s
        try:
            async with timekeeper_book(timekeeping.database_url) as book:
                if book is not None:
                    mark = await book.read_mark()
                    timekeeper = Timekeeper(book, timekeeping.arena, mark, now_ms=timekeeping.now_ms)
                    log.info("timekeeper_started", watched_count=timekeeper.watched_count)
                    await _work(timekeeper, look_every_s=timekeeping.look_every_s)
        except PASSING as fault:
            log.warning("timekeeper_interrupted", reason=f"{type(fault).__name__}: {fault}")
        except Exception:
            # The outermost loop: a bug of ours is told, and the next session begins from what is stored.
            log.exception("timekeeper_failed")
            pause_s = FAILED_PAUSE_S
        await asyncio.sleep(pause_s)


async def _work(timekeeper: Timekeeper, *, look_every_s: float) -> None:
    while True:
        await timekeeper.step()
        await asyncio.sleep(look_every_s)
