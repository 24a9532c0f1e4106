"""The tailing measurement on a small scale: nothing is missed, and a reader that misses something is noticed."""

from bench.figures import VALUE
from bench.tailing import measure_tailing
from tests.database import Database


async def test_a_reader_beside_eight_writers_sees_every_event_once(database: Database) -> None:
    figures = await measure_tailing(database.app_url, events=4_000)

    assert figures.rows["seen"] == figures.rows["events"] == {VALUE: 4_000}
    assert figures.rows["missed"] == figures.rows["out of order"] == {VALUE: 0}
