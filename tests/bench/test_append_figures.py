"""The append measurements on a small scale, checked for plausible figures."""

import pytest

from bench.append import fill, measure_appender
from bench.figures import HIGHEST, LOWEST, P50, P99, PER_S, build_rate, find_fastest, find_median
from bench.plain_inserts import (
    create_plain_table,
    drop_plain_table,
    measure_asyncpg_inserts,
    measure_pgbench,
)
from domain.ids import LogPosition
from infra.embedded.binaries import find_binaries
from infra.postgres.event_store import open_event_store
from tests.database import Database


def test_a_rate_counts_events_and_orders_latencies() -> None:
    rate = build_rate([0.004, 0.001, 0.002, 0.003], events=40, elapsed_s=2.0)

    assert (rate[PER_S], rate[P50], rate[P99]) == (20.0, 2.0, 4.0)


def test_of_several_rounds_the_fastest_counts() -> None:
    rounds = [build_rate([0.001], events=events, elapsed_s=1.0) for events in (20, 50, 30)]

    assert find_fastest(rounds)[PER_S] == 50.0


def test_the_round_in_the_middle_is_told_with_the_others_bounds() -> None:
    rounds = [build_rate([0.001], events=events, elapsed_s=1.0) for events in (20, 50, 30)]

    found = find_median(rounds)

    assert (found[LOWEST], found[PER_S], found[HIGHEST]) == (20.0, 30.0, 50.0)


async def test_the_appender_is_measured_on_events_that_are_stored(database: Database) -> None:
    rate = await measure_appender(database.app_url, games=3, lines=2, appends=5)

    async with open_event_store(database.app_url) as store:
        stored = await store.read_log(after=LogPosition(0), limit=100)
    # Five that were measured, and one that opened the game.
    assert len(stored) == 3 * 2 * (5 + 1)
    assert rate[PER_S] > 0
    assert 0 < rate[P50] <= rate[P99]


async def test_a_log_is_filled_twice_over(database: Database) -> None:
    await fill(database.owner_url, events=1000)
    await fill(database.owner_url, events=500)

    async with open_event_store(database.app_url) as store:
        assert await store.read_head() == 1500


async def test_plain_inserts_are_measured(database: Database) -> None:
    await create_plain_table(database.owner_url)

    by_asyncpg = await measure_asyncpg_inserts(database.owner_url, inserts=20)
    by_pgbench = await measure_pgbench(
        database.owner_url, find_binaries().postgres.with_name("pgbench"), clients=2, seconds=1
    )
    await drop_plain_table(database.owner_url)

    assert 0 < by_asyncpg[P50] <= by_asyncpg[P99]
    assert by_pgbench[PER_S] > 0


async def test_a_load_generator_that_fails_is_an_error(database: Database) -> None:
    with pytest.raises(RuntimeError, match=r"bench\.plain"):
        await measure_pgbench(database.owner_url, find_binaries().postgres.with_name("pgbench"), clients=1, seconds=1)
