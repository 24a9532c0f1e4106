"""The measurement of commands on a small scale, each way answered, and the peer's absence told."""

import os
from pathlib import Path

import msgspec
import pytest

from bench.boardgame_io import PeerMissing, install_peer
from bench.child import running_child
from bench.command_load import Loaded, LoadOrders, Way
from bench.command_server import ServerOrders, Serving
from bench.commands import find_long_game
from bench.served import HOST
from infra.embedded.servers import ServerUrls
from tests.database import Database

KEY = bytes(range(32))


@pytest.mark.parametrize("way", ["http", "socket"])
async def test_every_command_is_answered_and_timed(database: Database, server_urls: ServerUrls, way: Way) -> None:
    orders = ServerOrders(database_url=database.app_url, redis_url=server_urls.redis_url, master_key=KEY)

    async with running_child("bench.command_server", orders) as server:
        port = (await server.read(Serving)).port
        asked = LoadOrders(host=HOST, port=port, way=way, games=3, commands=20)
        async with running_child("bench.command_load", asked) as load:
            loaded = await load.read(Loaded)

    assert [len(latencies) for latencies in loaded.latencies_s] == [20, 20, 20]
    assert all(0 < latency <= loaded.elapsed_s for latencies in loaded.latencies_s for latency in latencies)


def test_a_game_that_grows_slower_is_told_as_such() -> None:
    flat, slower = [0.001] * 1_500, [0.001 * (1 + place / 1_500) for place in range(1_500)]

    found = find_long_game(flat), find_long_game(slower)

    assert found[0].ratio == 1
    assert 1.8 < found[1].ratio < 2


async def test_without_npm_the_peer_is_missing(tmp_path: Path) -> None:
    places = str(tmp_path)

    with pytest.raises(PeerMissing, match="there is no node here"):
        await install_peer(tmp_path / "peer", places=places)

    assert not os.listdir(tmp_path)  # noqa: PTH208  nothing waits for this


def test_orders_show_no_key() -> None:
    orders = ServerOrders(database_url="postgresql://a:b@c/d", redis_url="redis://e", master_key=KEY)

    assert "postgresql" not in repr(orders)
    assert msgspec.json.decode(msgspec.json.encode(orders), type=ServerOrders) == orders
