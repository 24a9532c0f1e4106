"""Real servers, started and stopped: the content of one folder, the user they run as, and who gets in."""

import os
import socket
from pathlib import Path

import asyncpg
import pytest
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError

from infra.embedded.account import Account, Way, candidates
from infra.embedded.credentials import find_credentials
from infra.embedded.folder import FolderInUse, find_servers
from infra.embedded.program import ServerFailed
from infra.embedded.servers import embedded_servers
from tests.infra.embedded.questions import ask, data_in, execute, ping
from tests.infra.embedded.supervisors import supervisor

# Any id but root's will do; on most systems this one is `nobody`.
ORDINARY_UID = 65534


async def test_data_is_there_again_after_each_stop_and_start(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data") as first:
        await execute(first.owner_url, "CREATE TABLE lap AS SELECT 7 AS number")

    for _ in range(2):
        async with embedded_servers(tmp_path / "data") as again:
            found = await ask(again.owner_url, "SELECT number FROM lap")

            assert found == 7
            assert again == first


@pytest.mark.usefixtures("made_data")
async def test_each_start_has_a_log_of_its_own(tmp_path: Path) -> None:
    for _ in range(2):
        async with embedded_servers(tmp_path / "data"):
            pass

    starts = [log.read_text().count("ready to accept connections") for log in logs_in(tmp_path)]

    assert starts == [1, 1]


@pytest.mark.usefixtures("made_data")
async def test_nothing_runs_after_a_stop(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data"):
        during = find_servers(data_in(tmp_path))

    after = find_servers(data_in(tmp_path))

    assert len(during) == 2
    assert after == ()


@pytest.mark.parametrize("account", candidates(), ids=lambda account: account.way.value)
async def test_each_identity_open_to_this_user_runs_both_servers(tmp_path: Path, account: Account) -> None:
    async with embedded_servers(tmp_path / "data", accounts=(account,)) as urls:
        is_pong = await ping(urls.redis_url)
        major = await ask(urls.database_url, "SELECT current_setting('server_version_num')::int / 10000")

    assert is_pong
    assert major == 18


async def test_data_survives_a_change_of_identity(tmp_path: Path) -> None:
    accounts = candidates()
    async with embedded_servers(tmp_path / "data", accounts=(accounts[0],)) as urls:
        await execute(urls.owner_url, "CREATE TABLE lap AS SELECT 7 AS number")

    for account in (accounts[-1], accounts[0]):
        async with embedded_servers(tmp_path / "data", accounts=(account,)) as urls:
            assert await ask(urls.owner_url, "SELECT number FROM lap") == 7


async def test_an_identity_that_the_machine_forbids_is_passed_over(tmp_path: Path) -> None:
    # No user may have the highest id; the system keeps it for "no change".
    forbidden = Account(way=Way.NOBODY, uid=2**32 - 1, gid=2**32 - 1)

    async with embedded_servers(tmp_path / "data", accounts=(forbidden, *candidates())) as urls:
        is_pong = await ping(urls.redis_url)

    assert is_pong


@pytest.mark.usefixtures("made_data")
async def test_no_server_runs_as_root(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data"):
        users = {effective_uid_inside(pid) for pid in find_servers(data_in(tmp_path))}

    assert 0 not in users


async def test_an_ordinary_user_runs_both_servers(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    uid = ORDINARY_UID if os.geteuid() == 0 else None
    if uid is not None:
        os.chown(home, uid, uid)

    async with supervisor(home / "data", uid=uid) as running:
        is_pong = await ping(running.urls.redis_url)
        who = await ask(running.urls.database_url, "SELECT current_user::text")

    assert is_pong
    assert who == "spina_app"
    assert (home / "data" / "postgres").stat().st_uid == (os.geteuid() if uid is None else uid)


@pytest.mark.usefixtures("made_data")
async def test_a_second_supervisor_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    async with supervisor(tmp_path / "data") as running:
        with pytest.raises(FolderInUse) as refused:
            async with embedded_servers(tmp_path / "data"):
                pass

        assert refused.value.folder == tmp_path / "data"
        assert refused.value.holder_pid == running.process.pid
        assert await ping(running.urls.redis_url)


@pytest.mark.usefixtures("made_data")
async def test_data_of_another_release_is_refused_with_the_servers_own_words(tmp_path: Path) -> None:
    (tmp_path / "data" / "postgres" / "PG_VERSION").write_text("17\n")

    with pytest.raises(ServerFailed, match=r"initialized by PostgreSQL version 17"):
        async with embedded_servers(tmp_path / "data"):
            pass

    assert find_servers(data_in(tmp_path)) == ()


@pytest.mark.usefixtures("made_data")
async def test_a_port_taken_meanwhile_is_replaced_and_the_other_kept(tmp_path: Path) -> None:
    before = find_credentials(data_in(tmp_path).credentials)
    assert before is not None

    with socket.create_server(("127.0.0.1", before.postgres_port)):
        async with embedded_servers(tmp_path / "data") as urls:
            answer = await ask(urls.database_url, "SELECT 1")

    after = find_credentials(data_in(tmp_path).credentials)
    assert after is not None
    assert answer == 1
    assert after.postgres_port != before.postgres_port
    assert after.valkey_port == before.valkey_port


async def test_lost_passwords_are_replaced_and_the_data_kept(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data") as first:
        await execute(first.owner_url, "CREATE TABLE lap AS SELECT 7 AS number")
    data_in(tmp_path).credentials.unlink()

    async with embedded_servers(tmp_path / "data") as second:
        found = await ask(second.owner_url, "SELECT number FROM lap")
        major = await ask(second.database_url, "SELECT 18")

    assert (found, major) == (7, 18)
    assert second != first


@pytest.mark.usefixtures("made_data")
async def test_nobody_gets_in_without_the_password(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data") as urls:
        for url in (urls.owner_url, urls.database_url):
            with pytest.raises(asyncpg.InvalidPasswordError):
                await asyncpg.connect(url, password="a guess")

        async with Redis.from_url(without_password(urls.redis_url)) as stranger:
            with pytest.raises(AuthenticationError):
                await stranger.ping()


async def test_the_app_role_owns_nothing_and_the_owner_everything(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data") as urls:
        roles = await ask(
            urls.owner_url,
            "SELECT json_object_agg(rolname, rolsuper)::text FROM pg_roles WHERE rolname ~ '^spina'",
        )
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await execute(urls.database_url, "CREATE TABLE lap (number int)")

    assert roles == '{ "spina_owner" : true, "spina_app" : false }'


def without_password(redis_url: str) -> str:
    return f"redis://{redis_url.rpartition('@')[2]}"


def logs_in(tmp_path: Path) -> list[Path]:
    logs = tmp_path / "data" / "logs"
    return [logs / "postgres.log", logs / "postgres.log.1"]


def effective_uid_inside(pid: int) -> int:
    """The user as the process itself sees it: in a user namespace of its own that is the one it maps to."""
    inside, outside, _ = Path(f"/proc/{pid}/uid_map").read_text().split()[:3]
    uid = Path(f"/proc/{pid}").stat().st_uid
    return int(inside) if uid == int(outside) else uid
