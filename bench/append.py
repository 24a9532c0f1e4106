"""How fast the appender makes events durable, beside plain inserts on the same server in the same run.

All take turns in short rounds, and of each its fastest round is kept: its cost on an undisturbed machine.
Needs a database of its own with the migrations applied: the measured lines stay in the log.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from uuid import uuid4

import asyncpg
from msgspec import Struct

from bench.plain_inserts import (
    BODY_SIZE,
    create_plain_table,
    drop_plain_table,
    measure_asyncpg_inserts,
    measure_pgbench,
)
from bench.rate import Rate, build_rate, find_fastest
from domain.canonical import encode
from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from domain.log.record import GENESIS, Line, line_hash
from infra.event_store import Append, StoredCommand
from infra.postgres.appender import Appender

ROUNDS = 7
# Games playing at once, lines of an append, appends of each game. A round of anything takes about a second, so that all
# have the same chance of being left alone.
SHAPES = ((1, 1, 3000), (1, 5, 2000), (200, 1, 200), (200, 5, 70))
MANY_GAMES, LONE_GAME = SHAPES[2][:2], SHAPES[0][:2]
PGBENCH_CLIENTS = (1, 8, 32)
PGBENCH_SECONDS = 1
PLAIN_INSERTS = 6000
GROWTH_SHAPES = (SHAPES[0], SHAPES[2])
# An envelope without data; the rest of a line is padding.
PADDING = "x" * (BODY_SIZE - 270)

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


class AppendFigures(Struct, frozen=True, kw_only=True):
    rounds: int
    appends: tuple[Rate, ...]
    asyncpg_insert: Rate
    pgbench: tuple[Rate, ...]
    # Events a second at 200 games x 1 line, by pgbench's best.
    throughput_ratio: float
    # The median at one game x 1 line, by asyncpg's.
    latency_ratio: float


class GrowthFigures(Struct, frozen=True, kw_only=True):
    small_events: int
    large_events: int
    small: Rate
    large: Rate
    # The median at one game x 1 line in the large log, by that in the small one.
    latency_ratio: float
    small_many: Rate
    large_many: Rate
    # Events a second at 200 games x 1 line in the large log, by those in the small one.
    throughput_ratio: float


async def measure_append(owner_url: str, app_url: str, *, pgbench: Path, rounds: int = ROUNDS) -> AppendFigures:
    """Run the appender and the inserts by asyncpg in this process, on its event loop, and pgbench as a process."""
    await create_plain_table(owner_url)
    inserts: list[Rate] = []
    appends: dict[tuple[int, int], list[Rate]] = {shape[:2]: [] for shape in SHAPES}
    plain: dict[int, list[Rate]] = {clients: [] for clients in PGBENCH_CLIENTS}
    for _ in range(rounds):
        inserts.append(await measure_asyncpg_inserts(owner_url, inserts=PLAIN_INSERTS))
        for games, lines, count in SHAPES:
            appends[games, lines].append(await measure_appender(app_url, games=games, lines=lines, appends=count))
        for clients in PGBENCH_CLIENTS:
            plain[clients].append(await measure_pgbench(owner_url, pgbench, clients=clients, seconds=PGBENCH_SECONDS))
    await drop_plain_table(owner_url)
    return AppendFigures(
        rounds=rounds,
        appends=tuple(map(find_fastest, appends.values())),
        asyncpg_insert=find_fastest(inserts),
        pgbench=tuple(map(find_fastest, plain.values())),
        throughput_ratio=find_fastest(appends[MANY_GAMES]).events_per_s
        / max(find_fastest(rates).events_per_s for rates in plain.values()),
        latency_ratio=find_fastest(appends[LONE_GAME]).p50_ms / find_fastest(inserts).p50_ms,
    )


async def measure_growth(
    owner_url: str, app_url: str, *, small_events: int, large_events: int, rounds: int = ROUNDS
) -> GrowthFigures:
    """Append to a log of one size, fill it up to the other, and append again."""
    await fill(owner_url, events=small_events)
    small = await _measure_lone_and_many(app_url, rounds)
    await fill(owner_url, events=large_events - small_events)
    large = await _measure_lone_and_many(app_url, rounds)
    return GrowthFigures(
        small_events=small_events,
        large_events=large_events,
        small=small[0],
        large=large[0],
        latency_ratio=large[0].p50_ms / small[0].p50_ms,
        small_many=small[1],
        large_many=large[1],
        throughput_ratio=large[1].events_per_s / small[1].events_per_s,
    )


async def _measure_lone_and_many(app_url: str, rounds: int) -> tuple[Rate, Rate]:
    taken = [
        [
            await measure_appender(app_url, games=games, lines=lines, appends=count)
            for games, lines, count in GROWTH_SHAPES
        ]
        for _ in range(rounds)
    ]
    lone, many = zip(*taken, strict=True)
    return find_fastest(lone), find_fastest(many)


async def measure_appender(app_url: str, *, games: int, lines: int, appends: int) -> Rate:
    """Every game sends its next append when the one before is durable. The lines are made before the clock starts."""
    played = [_build_game(appends=appends, lines=lines) for _ in range(games)]
    latencies: list[float] = []
    async with Appender(app_url) as appender:
        # The first append of a game is another one than the rest: it makes a stream.
        await asyncio.gather(*(appender.append(game[0]) for game in played))
        started = perf_counter()
        await asyncio.gather(*(_play(appender, game[1:], latencies) for game in played))
        elapsed_s = perf_counter() - started
    return build_rate(
        f"appender, {games} x {lines}", latencies_s=latencies, events=len(latencies) * lines, elapsed_s=elapsed_s
    )


async def _play(appender: Appender, appends: Sequence[Append], latencies: list[float]) -> None:
    for append in appends:
        before = perf_counter()
        await appender.append(append)
        latencies.append(perf_counter() - before)


async def fill(owner_url: str, *, events: int) -> None:
    """Add that many events, then let the server tidy up, so that it does not do so during a measurement."""
    connection = await asyncpg.connect(owner_url)
    try:
        streams = [row["id"] for row in await connection.fetch(FILL_STREAMS, events)]
        await connection.execute(FILL_EVENTS, streams, BODY_SIZE)
        await connection.execute("vacuum analyze")
        await connection.execute("checkpoint")
    finally:
        await connection.close()


def _build_game(*, appends: int, lines: int) -> list[Append]:
    game = StreamId(str(uuid4()))
    head, version, built = GENESIS, StreamVersion(0), []
    for _ in range(appends + 1):
        append = build_append(game, lines, head=head, version=version)
        built.append(append)
        head, version = append.hashes[-1], append.last_version
    return built


def build_append(game: StreamId, lines: int, *, head: LineHash, version: StreamVersion) -> Append:
    prev, raws, hashes = head, [], []
    for number in range(version + 1, version + lines + 1):
        raw = encode(_build_line(game, prev=prev, version=StreamVersion(number)))
        prev = line_hash(raw)
        raws.append(raw)
        hashes.append(prev)
    return Append(
        stream=game,
        expected_version=version,
        expected_head=head,
        lines=tuple(raws),
        types=("chariot_moved",) * lines,
        hashes=tuple(hashes),
        command=StoredCommand(id=CommandId(str(uuid4())), body_hash=bytes(32)),
    )


def _build_line(game: StreamId, *, prev: LineHash, version: StreamVersion) -> Line:
    return Line(
        at="2026-11-18T12:00:00.000Z",
        by="server",
        command=None,
        data={"padding": PADDING},
        kind="outcome",
        prev=prev,
        sig=None,
        stream=game,
        type="chariot_moved",
        version=version,
    )
