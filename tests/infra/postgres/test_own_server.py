"""Servers of the test's own, because it kills them or changes a state that their databases share."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from signal import SIGINT, SIGKILL, Signals
from urllib.parse import urlsplit

import asyncpg
import pytest

from domain.ids import LogPosition
from infra.embedded.servers import ServerUrls, embedded_servers
from infra.event_store import Append
from infra.postgres.appender import Appender
from infra.postgres.connection import borrowed, build_app_pool, open_app_connection, open_append_connection
from infra.postgres.event_store import PostgresEventStore, open_event_store
from infra.postgres.hosts import NotConfirmed, connect
from infra.postgres.migrations import find_pending, migrate
from infra.store_faults import StoreUnavailable
from tests.appends import following, new_command, new_game, opening
from tests.database import Database
from tests.replication import confirm_no_commit

GAMES, APPENDS = 20, 30
PATIENCE_S = 20.0


@pytest.fixture
async def own_servers(tmp_path: Path) -> AsyncIterator[ServerUrls]:
    async with embedded_servers(tmp_path) as urls:
        yield urls


@pytest.mark.parametrize("signal", [SIGKILL, SIGINT])
async def test_what_was_acknowledged_survives_the_loss_of_the_server(
    own_servers: ServerUrls, tmp_path: Path, signal: Signals
) -> None:
    await migrate(own_servers.owner_url)
    half_way = asyncio.Event()

    async with open_event_store(own_servers.database_url) as store, asyncio.TaskGroup() as tasks:
        games = [tasks.create_task(play(store, half_way)) for _ in range(GAMES)]
        await half_way.wait()
        os.kill(postgres_pid(tmp_path), signal)

    async with open_event_store(own_servers.database_url) as store:
        for game in games:
            stored = await store.load_stream(game.result()[0].stream)
            assert stored.lines == tuple(line for append in game.result() for line in append.lines)
        assert len(await store.read_log(after=LogPosition(0), limit=10_000)) == GAMES * APPENDS


async def test_a_common_role_that_another_database_makes_meanwhile_is_taken(own_servers: ServerUrls) -> None:
    admin = await asyncpg.connect(own_servers.owner_url)
    await admin.execute("drop role spina_app")

    async with asyncio.TaskGroup() as tasks, admin.transaction():
        await admin.execute("create role spina_app nologin")
        tasks.create_task(migrate(own_servers.owner_url))
        await somebody_waits_for(admin)
    await admin.close()

    assert await find_pending(own_servers.owner_url) == ()


async def test_a_node_whose_commits_no_replica_confirms_shows_nothing_new(own_servers: ServerUrls) -> None:
    await migrate(own_servers.owner_url)
    async with await build_app_pool(own_servers.database_url) as pool, borrowed(pool) as before:
        await confirm_no_commit(own_servers.owner_url)

        with pytest.raises(NotConfirmed):
            await open_append_connection(own_servers.database_url, timeout_s=0.3)
        with pytest.raises(StoreUnavailable):
            async with borrowed(pool, timeout_s=0.3):
                pass
        with pytest.raises(NotConfirmed):
            # As sessions with locks, and owners.
            await connect(own_servers.database_url, timeout=0.3)
        # It was opened while a commit needed no replica.
        assert await before.fetchval("select count(*) from event") == 0


async def test_a_session_in_constant_use_is_confirmed_anew(own_servers: ServerUrls) -> None:
    async with await build_app_pool(own_servers.database_url) as pool:
        await confirm_no_commit(own_servers.owner_url)

        async def use() -> None:
            async with borrowed(pool, timeout_s=0.3, confirmed_for_s=0.2) as used:
                await used.fetchval("select 1")

        with pytest.raises(StoreUnavailable, match="no replica confirms"):
            await asyncio.wait_for(repeat(use), PATIENCE_S)


async def repeat(work: Callable[[], Awaitable[None]]) -> None:
    while True:
        await work()


async def test_a_node_whose_commits_no_replica_confirms_tells_no_append_that_it_lost(own_servers: ServerUrls) -> None:
    await migrate(own_servers.owner_url)
    async with Appender(own_servers.database_url, patience_s=1.0) as appender:
        game = new_game()
        await appender.append(opening(game))
        await confirm_no_commit(own_servers.owner_url)

        with pytest.raises(StoreUnavailable):
            await appender.append(opening(game, 2))


async def test_a_session_of_a_pool_that_has_rested_is_confirmed_anew(own_servers: ServerUrls) -> None:
    async with await build_app_pool(own_servers.database_url) as pool:
        await confirm_no_commit(own_servers.owner_url)

        async with borrowed(pool) as just_opened:
            at_once = await just_opened.fetchval("select 1")
        with pytest.raises(StoreUnavailable, match="no replica confirms"):
            async with borrowed(pool, timeout_s=0.3, confirmed_for_s=0):
                pass

    assert at_once == 1


async def test_a_node_whose_commits_are_confirmed_is_found_behind_one_that_was_the_primary(
    own_servers: ServerUrls, database: Database
) -> None:
    there = urlsplit(database.app_url)
    owner = await asyncpg.connect(own_servers.owner_url)
    await owner.execute(f"alter role {there.username} login password '{there.password}'")
    await owner.execute(f"create database {there.path.removeprefix('/')}")
    await owner.close()
    await confirm_no_commit(own_servers.owner_url)
    login, _, address = there.netloc.rpartition("@")
    former = urlsplit(own_servers.owner_url).netloc.rpartition("@")[2]

    connection = await open_app_connection(there._replace(netloc=f"{login}@{former},{address}").geturl())
    port = await connection.fetchval("select inet_server_port()")
    await connection.close()

    assert port == there.port


async def play(store: PostgresEventStore, half_way: asyncio.Event) -> list[Append]:
    """Append on through every fault; every append returned was acknowledged."""
    acknowledged = [opening(new_game(), command=new_command())]
    await store.append(acknowledged[0])
    while len(acknowledged) < APPENDS:
        append = following(acknowledged[-1], command=new_command())
        await store.append(append)
        acknowledged.append(append)
        if len(acknowledged) == APPENDS // 2:
            half_way.set()
    return acknowledged


def postgres_pid(folder: Path) -> int:
    (pid_file,) = folder.rglob("postmaster.pid")
    return int(pid_file.read_text().split()[0])


async def somebody_waits_for(connection: asyncpg.Connection) -> None:
    async with asyncio.timeout(10):
        waiting = False
        while not waiting:
            waiting = await connection.fetchval("select exists (select from pg_locks where not granted)")
