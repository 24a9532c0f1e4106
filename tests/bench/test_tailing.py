"""The tailing measurement on a small scale: nothing is missed, and a reader that misses something is told."""

from bench.tailing import measure_tailing
from tests.database import Database


async def test_a_reader_beside_eight_writers_sees_every_event_once(database: Database) -> None:
    figures = await measure_tailing(database.app_url, events=4_000)

    assert figures.seen == figures.events == 4_000
    assert (figures.missed, figures.out_of_order) == (0, 0)
