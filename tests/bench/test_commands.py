"""The measurement of commands on a small scale, each way answered, and the peer's absence shown."""

import os
from pathlib import Path

import msgspec
import pytest

from bench.commands import PeerMissing, compare, find_long_game, install_peer
from bench.figures import PER_S, RATIO
from bench.load import CommandOrders, Way, measure_load
from bench.served import ServerOrders, running_server
from infra.embedded.servers import ServerUrls
from tests.database import Database

KEY = bytes(range(32))


@pytest.mark.parametrize("way", ["http", "socket"])
async def test_every_command_is_answered_and_timed(database: Database, server_urls: ServerUrls, way: Way) -> None:
    urls = msgspec.structs.replace(server_urls, owner_url=database.owner_url, database_url=database.app_url)

    async with running_server(urls) as port:
        loaded = await measure_load(CommandOrders(port=port, way=way, games=3, requests=20))

    assert [len(latencies) for latencies in loaded.latencies_s] == [20, 20, 20]
    assert all(0 < latency <= loaded.elapsed_s for latencies in loaded.latencies_s for latency in latencies)


def test_a_game_that_grows_slower_is_told_as_such() -> None:
    flat, slower = [0.001] * 1_500, [0.001 * (1 + place / 1_500) for place in range(1_500)]

    as_fast, slower_late = (find_long_game(each)["socket, at event 3,000"][RATIO] for each in (flat, slower))

    assert as_fast == 1
    assert 1.8 < slower_late < 2


def test_rates_are_told_beside_the_peers_with_as_many_games() -> None:
    rows = compare({name: {PER_S: rate} for name, rate in (("http, 1 games", 90), ("boardgame.io, 1 games", 30))})

    assert rows["http, 1 games"]["times boardgame.io"] == 3


async def test_without_npm_the_peer_is_missing(tmp_path: Path) -> None:
    places = str(tmp_path)

    with pytest.raises(PeerMissing, match="there is no node here"):
        await install_peer(tmp_path / "peer", places=places)

    assert not os.listdir(tmp_path)  # noqa: PTH208  nothing waits for this


def test_orders_show_no_key() -> None:
    orders = ServerOrders(database_url="postgresql://a:b@c/d", redis_url="redis://e", master_key=KEY)

    assert "postgresql" not in repr(orders)
    assert msgspec.json.decode(msgspec.json.encode(orders), type=ServerOrders) == orders
