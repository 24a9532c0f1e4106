"""How fast the appender makes events durable, beside plain inserts on the same server in the same run.

All take turns in short rounds, and of each its fastest round is kept: its cost on an undisturbed machine.
Needs a database of its own with the migrations applied: the measured lines stay in the log.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import asyncpg

from bench import plain_inserts as plain
from bench.figures import P50, PER_S, Asked, Figures, Row, build_rate, find_fastest
from bench.lines import build_game
from bench.served import new_servers
from bench.tailing import measure_tailing
from infra.embedded.binaries import find_binaries
from infra.event_store import Append
from infra.postgres.appender import Appender

ROUNDS = 7
# Games playing at once, lines of an append, appends of each game. A round of anything takes about a second, so that all
# have the same chance of being left alone.
SHAPES = ((1, 1, 3000), (1, 5, 2000), (200, 1, 200), (200, 5, 70))
LONE, MANY = "appender, 1 x 1", "appender, 200 x 1"
PGBENCH_CLIENTS = (1, 8, 32)
PGBENCH_SECONDS = 1
PLAIN_INSERTS = 6000
PLAIN = "asyncpg insert"
GROWTH_SHAPES = (SHAPES[0], SHAPES[2])

# As the owner, past the append function: the subject is the size of tables and indexes, not these lines.
# Five hundred to a game, all games growing at the same pace, so that every part of an index has been touched.
FILL_STREAMS = """
insert into spina.stream (id, version, head)
select gen_random_uuid(), 500, decode(repeat('00', 32), 'hex') from generate_series(1, $1::int / 500)
returning id
"""
FILL_EVENTS = """
insert into spina.event (position, stream, version, type, hash, body)
select nextval('spina.event_position'), id, version, 'chariot_moved', sha256(uuid_send(id) || int4send(version)),
       decode(repeat('78', $2), 'hex')
from generate_series(1, 500) version, unnest($1::uuid[]) id
"""


async def measure(asked: Asked) -> list[Figures]:
    """Measure appends, appends to a log that fits every cache and to one of a few thousand games, and the tailing."""
    pgbench = find_binaries().postgres.with_name("pgbench")
    async with new_servers() as urls:
        appended = await measure_append(urls.owner_url, urls.database_url, pgbench=pgbench)
    async with new_servers() as urls:
        sizes = asked.size((50_000, 5_000_000), (10_000, 100_000))
        grown = await measure_growth(urls.owner_url, urls.database_url, sizes)
    async with new_servers() as urls:
        return [appended, grown, await measure_tailing(urls.database_url, events=asked.size(1_000_000, 20_000))]


async def measure_append(owner_url: str, app_url: str, *, pgbench: Path) -> Figures:
    """Run the appender and the inserts by asyncpg in this process, on its event loop, and pgbench as a process."""
    taken: defaultdict[str, list[Row]] = defaultdict(list)
    await plain.create_plain_table(owner_url)
    for _ in range(ROUNDS):
        taken[PLAIN].append(await plain.measure_asyncpg_inserts(owner_url, inserts=PLAIN_INSERTS))
        for games, lines, appends in SHAPES:
            rate = await measure_appender(app_url, games=games, lines=lines, appends=appends)
            taken[f"appender, {games} x {lines}"].append(rate)
        for clients in PGBENCH_CLIENTS:
            rate = await plain.measure_pgbench(owner_url, pgbench, clients=clients, seconds=PGBENCH_SECONDS)
            taken[f"pgbench, {clients} clients"].append(rate)
    await plain.drop_plain_table(owner_url)
    rows = {name: find_fastest(rates) for name, rates in taken.items()}
    best = max(row[PER_S] for name, row in rows.items() if name.startswith("pgbench"))
    rows[MANY]["times pgbench's best"] = rows[MANY][PER_S] / best
    rows[LONE]["p50 by a plain insert's"] = rows[LONE][P50] / rows[PLAIN][P50]
    return Figures(title=f"appending events, games x lines: fastest of {ROUNDS} rounds in turn", rows=rows)


async def measure_growth(owner_url: str, app_url: str, sizes: tuple[int, int]) -> Figures:
    """Append to a log of one size, fill it up to the other, and append again."""
    rows: dict[str, Row] = {}
    for size, added in zip(sizes, (sizes[0], sizes[1] - sizes[0]), strict=True):
        await fill(owner_url, events=added)
        taken: defaultdict[str, list[Row]] = defaultdict(list)
        for _ in range(ROUNDS):
            for games, lines, appends in GROWTH_SHAPES:
                rate = await measure_appender(app_url, games=games, lines=lines, appends=appends)
                taken[f"{size:,} events, {games} x {lines}"].append(rate)
        rows |= {name: find_fastest(rates) for name, rates in taken.items()}
    lone, many, large_lone, large_many = rows.values()
    large_lone["p50 by the small log's"] = large_lone[P50] / lone[P50]
    large_many["times the small log's rate"] = large_many[PER_S] / many[PER_S]
    return Figures(title="appending to a log of", rows=rows)


async def measure_appender(app_url: str, *, games: int, lines: int, appends: int) -> Row:
    """Every game sends its next append when the one before is durable. The lines are made before the clock starts."""
    played = [build_game(appends=appends + 1, lines=lines) for _ in range(games)]
    latencies: list[float] = []
    async with Appender(app_url) as appender:
        # The first append of a game is another one than the rest: it makes a stream.
        await asyncio.gather(*(appender.append(game[0]) for game in played))
        started = perf_counter()
        await asyncio.gather(*(_play(appender, game[1:], latencies) for game in played))
        elapsed_s = perf_counter() - started
    return build_rate(latencies, events=len(latencies) * lines, elapsed_s=elapsed_s)


async def _play(appender: Appender, appends: Sequence[Append], latencies: list[float]) -> None:
    for append in appends:
        before = perf_counter()
        await appender.append(append)
        latencies.append(perf_counter() - before)


async def fill(owner_url: str, *, events: int) -> None:
    """Add that many events, then let the server tidy up, so that it does not do so during a measurement."""
    async with asyncpg.create_pool(owner_url, min_size=1, max_size=1) as owner:
        streams = [row["id"] for row in await owner.fetch(FILL_STREAMS, events)]
        await owner.execute(FILL_EVENTS, streams, plain.BODY_SIZE)
        await owner.execute("vacuum analyze")
        await owner.execute("checkpoint")
