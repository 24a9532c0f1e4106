"""A whole test session, as a process: the servers it starts, when, and the remains of it however it ends."""

import os
import sys
import tempfile
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE, STDOUT, Process
from pathlib import Path

import asyncpg
import pytest

from infra.embedded.servers import ServerUrls
from tests.infra.embedded.conditions import eventually
from tests.servers import FOLDER_PREFIX

# Databases of tests that run beside this one come and go, and are left out.
NAMES = """
SELECT rolname::text AS name FROM pg_roles
UNION ALL
SELECT datname::text FROM pg_database WHERE datname LIKE 'spina_template_%'
"""
ROOT = Path(__file__).parents[1]
# A session with workers imports the project three times before its first test: half a minute on a busy machine.
STARTS_WITHIN_S = 150.0
PURE_TEST = """
def test_pure():
    pass
"""
# It describes where the servers are and then waits until a file appears in its folder.
WAITING_TEST = """
import pathlib, time, pytest

@pytest.mark.parametrize("number", range(4))
def test_waiting(server_urls, number):
    folder = pathlib.Path(__file__).parent
    (folder / f"told-{number}").write_text(server_urls.redis_url)
    while not (folder / "go").exists():
        time.sleep(0.02)
"""


async def test_a_session_without_a_test_that_asks_starts_no_server(tmp_path: Path) -> None:
    session = await start_session(tmp_path, PURE_TEST)

    output, _ = await session.communicate()

    assert session.returncode == 0, output
    assert b"1 passed" in output
    assert b"postgres_started" not in output


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "two workers"])
async def test_all_tests_of_a_session_share_one_pair_of_servers(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "go").touch()
    session = await start_session(tmp_path, WAITING_TEST, *options)

    output, _ = await session.communicate()

    assert session.returncode == 0, output
    assert len(told_urls(tmp_path)) == 1
    assert find_session_servers(tmp_path) == []
    assert session_folders(tmp_path) == []


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "two workers"])
async def test_a_killed_session_leaves_no_server_running(tmp_path: Path, options: tuple[str, ...]) -> None:
    session = await start_session(tmp_path, WAITING_TEST, *options)
    await eventually(lambda: any(tmp_path.glob("told-*")), within_s=STARTS_WITHIN_S)
    during = find_session_servers(tmp_path)

    session.kill()

    # Workers outlive the killed process that started the servers, and end by themselves once their test does.
    (tmp_path / "go").touch()
    await session.wait()
    await eventually(lambda: find_session_servers(tmp_path) == [])
    assert during != []


async def test_the_next_session_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    killed = await start_session(tmp_path, WAITING_TEST)
    await eventually(lambda: any(tmp_path.glob("told-*")), within_s=STARTS_WITHIN_S)
    killed.kill()
    await killed.communicate()
    await eventually(lambda: find_session_servers(tmp_path) == [])
    left = session_folders(tmp_path)

    session = await start_session(tmp_path, PURE_TEST)

    await session.communicate()
    assert len(left) == 1
    assert session_folders(tmp_path) == []


async def test_a_folder_that_cannot_be_looked_into_is_left_alone(tmp_path: Path) -> None:
    # Another user's, as an ordinary user sees it; root can look into everything, and finds no lock.
    closed = make_temp(tmp_path) / "spina-tests-of-somebody-else"
    closed.mkdir(mode=0, parents=True)

    session = await start_session(tmp_path, PURE_TEST)

    output, _ = await session.communicate()
    assert session.returncode == 0, output
    assert closed.exists()


async def test_given_servers_are_used_and_left_as_they_were(tmp_path: Path, server_urls: ServerUrls) -> None:
    (tmp_path / "go").touch()
    before = await names_on_server(server_urls.owner_url)
    given = {"SPINA_DATABASE_URL": server_urls.owner_url, "SPINA_REDIS_URL": server_urls.redis_url}
    session = await start_session(tmp_path, WAITING_TEST, **given)

    output, _ = await session.communicate()

    assert session.returncode == 0, output
    assert told_urls(tmp_path) == {server_urls.redis_url}
    assert b"postgres_started" not in output
    assert await names_on_server(server_urls.owner_url) <= before


async def test_a_missing_container_engine_is_said_by_each_test_that_asks(tmp_path: Path) -> None:
    (tmp_path / "go").touch()
    session = await start_session(tmp_path, WAITING_TEST, "--services=containers", DOCKER_HOST="unix:///no/engine")

    output, _ = await session.communicate()

    assert session.returncode == 1
    assert b"expected a container engine at unix:///no/engine, found none" in output


async def test_only_one_of_two_given_urls_is_refused(tmp_path: Path) -> None:
    (tmp_path / "go").touch()
    session = await start_session(tmp_path, WAITING_TEST, SPINA_REDIS_URL="redis://127.0.0.1:1/0")

    output, _ = await session.communicate()

    assert session.returncode == 1
    assert b"expected both or none of SPINA_DATABASE_URL and SPINA_REDIS_URL, found one" in output


def make_temp(folder: Path) -> Path:
    """Make the folder of a session's temporary files, once; it has a short name.

    The address of a socket has a hundred characters at most, and the folders of workers have long names.
    """
    temp = folder / "temp"
    if not temp.exists():
        session = next((parent for parent in folder.parents if parent.name.startswith(FOLDER_PREFIX)), None)
        temp.symlink_to(tempfile.mkdtemp(prefix="s", dir=session))
    return temp.resolve()


async def start_session(folder: Path, test: str, *options: str, **environment: str) -> Process:
    """Run pytest on one test module with this project's servers, its temporary files in `temp`."""
    (folder / "test_it.py").write_text(test)
    asked = ("-c", "pyproject.toml", "-p", "tests.conftest", "-p", "no:cacheprovider", "-s", *options)
    return await create_subprocess_exec(
        *(sys.executable, "-m", "pytest", *asked, str(folder / "test_it.py")),
        stdout=PIPE,
        stderr=STDOUT,
        cwd=ROOT,
        env={"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": str(make_temp(folder)), **environment},
    )


async def names_on_server(url: str) -> set[str]:
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(NAMES)
        return {row["name"] for row in rows}
    finally:
        await connection.close()


def told_urls(folder: Path) -> set[str]:
    return {told.read_text() for told in folder.glob("told-*")}


def session_folders(folder: Path) -> list[Path]:
    return list(make_temp(folder).glob("spina-tests-*"))


def find_session_servers(folder: Path) -> list[str]:
    """List the servers with data in the session's own temporary folder, by their arguments."""
    inside = str(make_temp(folder)).encode()
    processes = [process for process in Path("/proc").glob("[0-9]*") if is_server(process)]
    return [process.name for process in processes if inside in arguments_of(process)]


def arguments_of(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""  # it ended while we looked


def is_server(process: Path) -> bool:
    return arguments_of(process).partition(b"\0")[0].endswith((b"postgres", b"valkey-server"))
