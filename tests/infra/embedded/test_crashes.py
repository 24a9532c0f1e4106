"""Servers and supervisors really killed: which of them return by themselves, and the state at the next start."""

import asyncio
import os
import socket
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP
from urllib.parse import urlsplit

import pytest
from structlog.testing import capture_logs

from infra.embedded.credentials import HOST, is_free
from infra.embedded.folder import ServersLeftRunning, find_servers, wait_until_free
from infra.embedded.servers import ServerUrls, embedded_servers
from tests.infra.embedded.conditions import eventually
from tests.infra.embedded.questions import answers, ask, data_in, execute, pid_of, ping
from tests.infra.embedded.supervisors import start_supervisor, supervisor


@pytest.mark.usefixtures("made_data")
async def test_a_killed_postgres_comes_back_at_the_same_url_with_what_was_committed(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data") as urls:
        await execute(urls.owner_url, "CREATE TABLE lap AS SELECT 7 AS number")

        os.kill(pid_of("postgres", tmp_path), SIGKILL)

        await eventually(lambda: answers(urls.owner_url))
        assert await ask(urls.owner_url, "SELECT number FROM lap") == 7


@pytest.mark.usefixtures("made_data")
async def test_a_postgres_killed_again_and_again_comes_back(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data") as urls:
        for _ in range(3):
            os.kill(pid_of("postgres", tmp_path), SIGKILL)

            await eventually(lambda: answers(urls.owner_url))


@pytest.mark.usefixtures("made_data")
async def test_a_killed_valkey_comes_back_at_the_same_url(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data") as urls:
        killed = pid_of("valkey-server", tmp_path)
        os.kill(killed, SIGKILL)

        await eventually(lambda: ping(urls.redis_url))
        assert pid_of("valkey-server", tmp_path) != killed


@pytest.mark.usefixtures("made_data")
async def test_both_servers_go_with_a_killed_supervisor_and_the_next_start_has_the_data(tmp_path: Path) -> None:
    async with supervisor(tmp_path / "data") as running:
        await execute(running.urls.owner_url, "CREATE TABLE lap AS SELECT 7 AS number")

        running.process.kill()

        try:
            await eventually(lambda: find_servers(data_in(tmp_path)) == ())
        finally:
            # Should they not have gone, they are not to outlive this test either.
            for left in find_servers(data_in(tmp_path)):
                os.kill(left, SIGKILL)
    async with embedded_servers(tmp_path / "data") as urls:
        assert urls == running.urls
        assert await ask(urls.owner_url, "SELECT number FROM lap") == 7


@pytest.mark.usefixtures("made_data")
async def test_a_start_right_after_the_supervisor_was_killed_waits_for_its_servers(tmp_path: Path) -> None:
    async with supervisor(tmp_path / "data") as running:
        left = pid_of("postgres", tmp_path)
        os.kill(left, SIGSTOP)
        running.process.kill()
        await running.process.wait()
        try:
            starting = asyncio.create_task(start_and_stop(tmp_path / "data"))
            await eventually(lambda: holder_is_this_process(tmp_path / "data"))
        finally:
            os.kill(left, SIGCONT)

        # A start that had not waited would have found the port taken and chosen another.
        assert await starting == running.urls


@pytest.mark.usefixtures("made_data")
async def test_servers_that_do_not_end_are_named(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data"):
        running = find_servers(data_in(tmp_path))

        with pytest.raises(ServersLeftRunning) as left:
            await wait_until_free(data_in(tmp_path), timeout_s=0.1)

    assert left.value.pids == running
    assert str(running[0]) in str(left.value)


@pytest.mark.usefixtures("made_data")
async def test_a_server_whose_port_somebody_took_comes_back_when_it_is_free(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data") as urls:
        port = urlsplit(urls.redis_url).port
        with capture_logs() as told:
            os.kill(pid_of("valkey-server", tmp_path), SIGKILL)
            with await taking(port):
                await eventually(lambda: "valkey_not_restarted" in [entry["event"] for entry in told])

        await eventually(lambda: ping(urls.redis_url))


async def test_a_supervisor_killed_while_it_makes_the_database_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    process = await start_supervisor(tmp_path / "data")
    await eventually((tmp_path / "data" / "postgres.new" / "base").exists)

    process.kill()

    await process.communicate()
    assert not (tmp_path / "data" / "postgres").exists()
    async with embedded_servers(tmp_path / "data") as urls:
        assert await ask(urls.database_url, "SELECT 1") == 1


async def test_a_half_made_database_is_made_anew(tmp_path: Path) -> None:
    unfinished = tmp_path / "data" / "postgres.new"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")

    async with embedded_servers(tmp_path / "data") as urls:
        found = await ask(urls.database_url, "SELECT 1")

    assert found == 1
    assert not unfinished.exists()


@pytest.mark.usefixtures("made_data")
async def test_a_pid_file_that_names_somebody_else_is_not_believed(tmp_path: Path) -> None:
    # As left by kill -9, its number since given to another process: this one.
    pid_file = tmp_path / "data" / "postgres" / "postmaster.pid"
    pid_file.write_text(f"{os.getppid()}\n{tmp_path / 'data' / 'postgres'}\n0\n0\n\n\n\nready\n")

    async with embedded_servers(tmp_path / "data") as urls:
        assert await ask(urls.database_url, "SELECT 1") == 1


async def start_and_stop(folder: Path) -> ServerUrls:
    async with embedded_servers(folder) as urls:
        return urls


async def taking(port: int | None) -> socket.socket:
    """Listen on a port as soon as its server has gone."""
    assert port is not None
    await eventually(lambda: is_free(port))
    return socket.create_server((HOST, port))


def holder_is_this_process(folder: Path) -> bool:
    return (folder / "lock").read_text() == f"{os.getpid()}\n"
