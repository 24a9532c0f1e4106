"""A reader that follows the log by position while eight processes write must see every event, once and in order.

Run as `python -m bench.tailing` it is one of those processes; orders on standard input, as a URL holds a password.
"""

import asyncio
import itertools
from time import perf_counter

from msgspec import Struct

from bench.child import HiddenOrders, read_orders, running_child, say
from bench.figures import PER_S, VALUE, Figures
from bench.lines import build_game
from domain.ids import LogPosition
from infra.postgres.appender import Appender
from infra.postgres.event_store import PostgresEventStore, open_event_store

WRITERS = 8
GAMES_PER_WRITER = 25
LINES = 5
READ_MAX = 2_000
# A reader that has caught up asks again after this; as long as a worker would wait without a hint.
PAUSE_S = 0.005
# A million events take some minutes.
WRITING_TIMEOUT_S = 1_800.0


class WriterOrders(HiddenOrders, frozen=True, kw_only=True):
    url: str
    appends: int


class Written(Struct, frozen=True, kw_only=True):
    events: int


async def measure_tailing(app_url: str, *, events: int) -> Figures:
    """Write about that many events from eight processes at once, and follow them with one reader."""
    appends = max(1, events // (WRITERS * GAMES_PER_WRITER * LINES))
    orders = WriterOrders(url=app_url, appends=appends)
    async with open_event_store(app_url) as store:
        started = perf_counter()
        async with asyncio.TaskGroup() as tasks:
            writing = [tasks.create_task(_run_writer(orders)) for _ in range(WRITERS)]
            positions = await _follow(store, writing)
        elapsed_s = perf_counter() - started
        head = await store.read_head()
    written = sum(task.result() for task in writing)
    assert head >= written, f"{written} events were acknowledged, and the log ends at {head}"
    counts = {
        "events": written,
        "seen": len(positions),
        "missed": written - len(set(positions)),
        "out of order": sum(later <= earlier for earlier, later in itertools.pairwise(positions)),
        f"events {PER_S}": written / elapsed_s,
    }
    title = f"one reader beside {WRITERS} writing processes"
    return Figures(title=title, rows={name: {VALUE: count} for name, count in counts.items()})


async def _follow(store: PostgresEventStore, writing: list[asyncio.Task[int]]) -> list[LogPosition]:
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


async def _run_writer(orders: WriterOrders) -> int:
    async with running_child("bench.tailing", orders) as writer:
        return (await writer.read(Written, timeout_s=WRITING_TIMEOUT_S)).events


async def _write(orders: WriterOrders) -> None:
    """Play all games at once, each append when the one before of its game is durable."""
    async with Appender(orders.url) as appender, asyncio.TaskGroup() as tasks:
        for _ in range(GAMES_PER_WRITER):
            tasks.create_task(_play(appender, orders.appends))
    say(Written(events=GAMES_PER_WRITER * orders.appends * LINES))


async def _play(appender: Appender, appends: int) -> None:
    for append in build_game(appends=appends, lines=LINES):
        await appender.append(append)


if __name__ == "__main__":
    asyncio.run(_write(read_orders(WriterOrders)))
