"""A reader that follows the log by position while eight processes write must see every event, once and in order."""

import asyncio
import itertools
import sys
from time import perf_counter

import msgspec
from msgspec import Struct

from bench.tail_writer import WriterOrders
from domain.ids import LogPosition
from infra.postgres.event_store import PostgresEventStore, open_event_store

WRITERS = 8
GAMES_PER_WRITER = 25
LINES = 5
READ_MAX = 2_000
# A reader that has caught up asks again after this; as long as a worker would wait without a hint.
PAUSE_S = 0.005


class TailingFigures(Struct, frozen=True, kw_only=True):
    """`missed` and `out_of_order` must be 0."""

    writers: int
    events: int
    seen: int
    missed: int
    out_of_order: int
    events_per_s: float


async def measure_tailing(app_url: str, *, events: int) -> TailingFigures:
    """Write about that many events from eight processes at once, and follow them with one reader."""
    appends = max(1, events // (WRITERS * GAMES_PER_WRITER * LINES))
    orders = WriterOrders(url=app_url, games=GAMES_PER_WRITER, appends=appends, lines=LINES)
    async with open_event_store(app_url) as store:
        started = perf_counter()
        async with asyncio.TaskGroup() as tasks:
            writing = [tasks.create_task(_run_writer(orders)) for _ in range(WRITERS)]
            positions = await _follow(store, writing)
        elapsed_s = perf_counter() - started
        head = await store.read_head()
    written = WRITERS * GAMES_PER_WRITER * appends * LINES
    assert head >= written, f"{written} events were acknowledged, and the log ends at {head}"
    return TailingFigures(
        writers=WRITERS,
        events=written,
        seen=len(positions),
        missed=written - len(set(positions)),
        out_of_order=sum(later <= earlier for earlier, later in itertools.pairwise(positions)),
        events_per_s=written / elapsed_s,
    )


async def _follow(store: PostgresEventStore, writing: list[asyncio.Task[None]]) -> list[LogPosition]:
    positions: list[LogPosition] = []
    while True:
        # Looked at before reading: the read that follows sees every line written by then.
        is_last = all(task.done() for task in writing)
        found = await store.read_log(after=positions[-1] if positions else LogPosition(0), limit=READ_MAX)
        positions += [event.position for event in found]
        if not found and is_last:
            return positions
        if not found:
            await asyncio.sleep(PAUSE_S)


async def _run_writer(orders: WriterOrders) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.tail_writer", stdin=asyncio.subprocess.PIPE
    )
    await process.communicate(msgspec.json.encode(orders))
    if process.returncode != 0:
        raise RuntimeError(f"a writer ended with {process.returncode}")
