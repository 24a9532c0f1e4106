"""Standing by: a process is ready to act as each worker, and acts while no other process holds that worker's lock."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import asyncpg
import structlog
from msgspec import Struct

from infra.clock_book import BookMoved
from infra.ledger_store import HeadMoved
from infra.postgres.connection import CONNECTION_LOST
from infra.store_faults import StoreUnavailable

log = structlog.get_logger()

# A heartbeat comes about this often; each is one small write.
HEARTBEAT_EVERY_S = 2.0
# A bug of ours; the pause keeps it from filling the log.
FAILED_PAUSE_S = 10.0
# A person is needed; asked again in case one has come.
REFUSED_PAUSE_S = 60.0

# Faults of the world: the next session begins from the store.
PASSING = (StoreUnavailable, BookMoved, HeadMoved, asyncpg.PostgresError, *CONNECTION_LOST)

# Does the due work, and returns its amount: 0 or None where there was none.
Step = Callable[[], Awaitable[int | None]]
# Opens a session that holds a lock, and yields the check that raises StoreUnavailable once the lock is gone; None while
# another session has it.
OpenLock = Callable[[], AbstractAsyncContextManager[Callable[[], Awaitable[None]] | None]]
# Stores that the worker of this name has done its due work. Raises StoreUnavailable.
Beat = Callable[[str], Awaitable[None]]


class Worker(Struct, frozen=True, kw_only=True):
    """`open` begins a session and yields its step, or None while another session holds the lock.

    After a refusal a person is needed: the worker would do harm if it went on.
    """

    name: str
    open: Callable[[], AbstractAsyncContextManager[Step | None]]
    refusals: tuple[type[Exception], ...] = ()


class Pace(Struct, frozen=True, kw_only=True):
    """How soon new work is seen, and how long a worker that died is missed. Both are shorter in tests."""

    look_every_s: float = 0.2
    stand_by_s: float = 1.0


PACE = Pace()


@asynccontextmanager
async def standing_by(workers: Iterable[Worker], beat: Beat, pace: Pace = PACE) -> AsyncIterator[None]:
    """Stand by for these workers while the block runs."""
    tasks = [asyncio.create_task(stand_by(worker, beat, pace), name=worker.name) for worker in workers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def stand_by(worker: Worker, beat: Beat, pace: Pace) -> None:
    """Act as the worker whenever no other session does. Ends by being cancelled."""
    task = asyncio.current_task()
    assert task is not None, "a worker is a task"
    while True:
        pause_s = pace.stand_by_s
        try:
            async with worker.open() as step:
                if step is not None:
                    log.info("worker_started", worker=worker.name)
                    await _act(worker, step, beat, pace)
        except worker.refusals as refused:
            log.error("worker_refused", worker=worker.name, reason=str(refused))  # noqa: TRY400 - it states all
            pause_s = REFUSED_PAUSE_S
        except PASSING as fault:
            log.warning("worker_interrupted", worker=worker.name, reason=f"{type(fault).__name__}: {fault}")
        except Exception:
            # The outermost loop: the next session begins from the store.
            log.exception("worker_failed", worker=worker.name)
            pause_s = FAILED_PAUSE_S
        if task.cancelling():
            # The session failed at its end, and its fault hid the cancellation.
            raise asyncio.CancelledError
        await asyncio.sleep(pause_s)


@asynccontextmanager
async def locked_step(open_lock: OpenLock, begin: Callable[[], Step]) -> AsyncIterator[Step | None]:
    """Open a session whose step is taken only while its connection, and so its lock, is there."""
    async with open_lock() as check:
        if check is None:
            yield None
            return
        step = begin()

        async def checked_step() -> int | None:
            await check()
            return await step()

        yield checked_step


async def _act(worker: Worker, step: Step, beat: Beat, pace: Pace) -> None:
    clock = asyncio.get_running_loop().time
    beat_at_s = clock()
    while True:
        count = await step()
        if clock() >= beat_at_s:
            beat_at_s = clock() + HEARTBEAT_EVERY_S
            # Health alone misses a heartbeat; the work goes on.
            with suppress(StoreUnavailable):
                await beat(worker.name)
        if not count:
            await asyncio.sleep(pace.look_every_s)
