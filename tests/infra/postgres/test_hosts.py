"""A URL of several nodes: the primary is found behind nodes that are refused, silent or replicas."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import asyncpg
import pytest

from infra.postgres.connection import borrowed, build_app_pool, open_app_connection
from infra.postgres.hosts import connect, list_hosts
from infra.store_faults import StoreUnavailable
from tests.database import Database

REFUSED = "127.0.0.1:1"


@contextmanager
def frozen_node() -> Iterator[str]:
    """A node whose kernel takes connections, and which states nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def url_of(database: Database, *before: str) -> str:
    parts = urlsplit(database.app_url)
    login, _, own = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{login}@{','.join((*before, own))}").geturl()


def test_of_several_nodes_the_one_that_takes_writes_is_meant() -> None:
    urls = list_hosts("postgresql://ada:pass%40@db1,db2:5433/spina?sslmode=require")

    assert urls == (
        "postgresql://ada:pass%40@db1/spina?sslmode=require&target_session_attrs=read-write",
        "postgresql://ada:pass%40@db2:5433/spina?sslmode=require&target_session_attrs=read-write",
    )
    assert list_hosts("postgresql://db1,db2/spina?target_session_attrs=standby") == (
        "postgresql://db1/spina?target_session_attrs=standby",
        "postgresql://db2/spina?target_session_attrs=standby",
    )
    assert list_hosts("postgresql://ada@db1/spina") == ("postgresql://ada@db1/spina",)


async def test_the_primary_is_found_behind_a_frozen_and_a_stopped_node(database: Database) -> None:
    with frozen_node() as frozen:
        connection = await connect(url_of(database, frozen, REFUSED), timeout=3)
        found = await connection.fetchval("select 1")
        await connection.close()

    assert found == 1


async def test_nodes_that_are_all_away_are_one_fault() -> None:
    with pytest.raises(OSError, match="Connect call failed"):
        await connect(f"postgresql://ada@{REFUSED},{REFUSED}/spina", timeout=3)


async def test_a_silent_node_is_waited_for_only_so_long() -> None:
    with frozen_node() as frozen, pytest.raises(TimeoutError):
        await connect(f"postgresql://ada@{frozen},{frozen}/spina", timeout=0.5)


async def test_a_statement_that_is_given_up_is_not_cancelled_and_its_connection_ends(database: Database) -> None:
    owner = await asyncpg.connect(database.owner_url)
    connection = await connect(database.app_url, timeout=3)
    pid = connection.get_server_pid()
    async with owner.transaction():
        await owner.execute("lock table spina.stream in access exclusive mode")
        with pytest.raises(TimeoutError):
            await connection.fetchval("select count(*) from spina.stream", timeout=0.05)
        waits_on = await owner.fetchval("select state from pg_stat_activity where pid = $1", pid)
    await owner.close()

    assert connection.is_closed()
    assert waits_on == "active"


async def test_after_one_lost_connection_the_pool_opens_all_anew(database: Database) -> None:
    async with await build_app_pool(database.app_url) as pool:
        async with borrowed(pool) as first, borrowed(pool) as second:
            before = {first.get_server_pid(), second.get_server_pid()}
        with pytest.raises(StoreUnavailable):
            async with borrowed(pool) as silent:
                await silent.fetchval("select pg_sleep(1)", timeout=0.05)

        async with borrowed(pool) as first, borrowed(pool) as second:
            after = {first.get_server_pid(), second.get_server_pid()}

    assert not before & after


async def test_the_server_looks_for_itself_whether_a_silent_client_is_there(database: Database) -> None:
    connection = await open_app_connection(database.app_url)
    rows = await connection.fetch("select name, setting::int from pg_settings where name like 'tcp\\_%'")
    await connection.close()

    # Twelve seconds at most, where the defaults of the system are hours.
    found: dict[str, int] = {row["name"]: row["setting"] for row in rows}
    assert found["tcp_keepalives_idle"] + found["tcp_keepalives_interval"] * found["tcp_keepalives_count"] <= 12
    assert found["tcp_user_timeout"] <= 12_000
