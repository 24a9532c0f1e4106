"""The live measurement on a small scale: every spectator gets every move, and both servers are measured."""

import re

from bench.live import BARE, LIVE, measure_live
from infra.embedded.servers import ServerUrls
from tests.database import Database


async def test_every_move_reaches_every_spectator(database: Database, server_urls: ServerUrls) -> None:
    figures = await measure_live(database.app_url, server_urls.redis_url, spectators=20, moves=3)

    title = re.fullmatch(r"20 spectators of one game, 3 moves in (\d+) frames of [\d,]+ bytes", figures.title)
    assert title is not None, figures.title
    assert int(title[1]) >= 3
    for way in (LIVE, BARE):
        assert 0 < figures.rows["to the last p50 ms"][way] <= figures.rows["to the last p99 ms"][way]
        assert figures.rows["CPU µs a delivery"][way] > 0
