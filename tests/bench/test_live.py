"""The live measurement on a small scale: every spectator is told of every move, and both servers are measured."""

from bench.live import measure_live
from infra.embedded.servers import ServerUrls
from tests.database import Database


async def test_every_move_reaches_every_spectator(database: Database, server_urls: ServerUrls) -> None:
    figures = await measure_live(database.app_url, server_urls.redis_url, spectators=20, moves=3)

    assert (figures.spectators, figures.moves) == (20, 3)
    assert figures.frames >= 3
    for spread in (figures.live, figures.bare):
        assert 0 < spread.to_last_p50_ms <= spread.to_last_p99_ms
        assert spread.cpu_us_per_delivery > 0
