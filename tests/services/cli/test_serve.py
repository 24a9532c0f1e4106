"""`spina serve` as a process: it starts from nothing, prints its address, and leaves nothing, however it ends."""

import socket
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM, Signals

import httpx2
import pytest

from infra.keys import MasterKey, create_key_file, format_master_key, read_key_file
from tests.database import Database
from tests.services.cli.program import SPINA, get_health, one_sentence, run, serving

KEY = format_master_key(MasterKey(bytes(range(32))))
OTHER_KEY = format_master_key(MasterKey(bytes(range(1, 33))))
GAME = "0199c0de-0000-7000-8000-000000000001"
NOWHERE = "postgresql://ada:hunter2@127.0.0.1:1/spina"


@pytest.mark.parametrize("signal", [SIGTERM, SIGINT])
def test_a_server_starts_from_nothing_and_a_signal_stops_it_clean(tmp_path: Path, signal: Signals) -> None:
    with serving(tmp_path / "data", program=SPINA) as server:
        health = get_health(server.until_ready())

        assert health["status"] == "ok"
        assert len(server.servers_left()) >= 2
        assert server.stop(signal) == 0
        assert server.servers_left() == ()


def test_a_signal_during_the_start_stops_it_clean(tmp_path: Path) -> None:
    with serving(tmp_path / "data", program=SPINA) as server:
        server.until_logged("postgres_started")

        assert server.stop(SIGTERM) == 0
        assert server.servers_left() == ()


def test_a_killed_server_starts_again_with_the_same_key(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as first:
        first.until_ready()
        first.stop(SIGKILL)
    key_id = read_key_file(data / "master.key").key_id

    with serving(data) as second:
        health = get_health(second.until_ready())

        assert health["status"] == "ok"
        assert read_key_file(data / "master.key").key_id == key_id


def test_a_busy_port_is_told_before_anything_is_started(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        ended = run("serve", SPINA_PORT=str(port), SPINA_DATA=str(tmp_path / "data"))

    expected = (
        f"expected to listen on port {port} of 127.0.0.1, found: Address already in use; "
        "SPINA_PORT, or --port of a witness, takes another"
    )
    assert one_sentence(ended) == expected
    assert not (tmp_path / "data").exists()


def test_a_busy_folder_is_told_with_who_holds_it(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        server.until_ready()

        ended = run("serve", SPINA_PORT="0", SPINA_DATA=str(tmp_path / "data"))

        assert f"found process {server.process.pid} doing so" in one_sentence(ended)


def test_a_lost_key_is_not_replaced_by_a_new_one(tmp_path: Path) -> None:
    key_file = tmp_path / "data" / "master.key"
    with serving(tmp_path / "data") as server:
        server.until_ready()
        server.stop()
    key_id = read_key_file(key_file).key_id
    key_file.unlink()

    ended = run("serve", SPINA_PORT="0", SPINA_DATA=str(tmp_path / "data"))

    assert one_sentence(ended).endswith(f"this database was made with {key_id}: bring it back")
    assert not key_file.exists()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"SPINA_MASTER_KEY": "zz"}, "SPINA_MASTER_KEY: expected a master key, found none: a master key starts with"),
        (
            {"SPINA_METRICS_TOKEN_FILE": "/nope"},
            "SPINA_METRICS_TOKEN_FILE: expected a file with a token, found /nope: ",
        ),
        ({"SPINA_DATA": "/dev/null/x"}, "SPINA_DATA: expected a folder that can be made, found /dev/null/x: Not a dir"),
    ],
    ids=["master key", "metrics token", "data"],
)
def test_what_cannot_be_used_is_told_by_its_variable_before_a_server_is_started(
    tmp_path: Path, given: dict[str, str], expected: str
) -> None:
    ended = run("serve", **{"SPINA_DATA": str(tmp_path / "data"), "SPINA_PORT": "0", **given})

    assert one_sentence(ended).startswith(expected)
    assert not (tmp_path / "data" / "postgres").exists()


def test_an_unknown_setting_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    ended = run("serve", SPINA_PROT="81", SPINA_DATA=str(tmp_path / "data"))

    assert one_sentence(ended) == "SPINA_PROT: not a setting of Spina; did you mean SPINA_PORT?"


def test_a_database_that_is_not_there_is_told_without_its_password(tmp_path: Path) -> None:
    ended = run("serve", SPINA_PORT="0", SPINA_DATABASE_URL=NOWHERE, SPINA_MASTER_KEY=KEY, SPINA_DATA=str(tmp_path))

    # A service manager starts it again.
    assert one_sentence(ended, exit_code=75).startswith("expected a database at SPINA_DATABASE_URL, found: ")
    assert "hunter2" not in ended.stderr + ended.stdout


def test_with_a_given_database_a_key_is_never_made(tmp_path: Path, database: Database) -> None:
    ended = run("serve", SPINA_PORT="0", SPINA_DATABASE_URL=database.owner_url, SPINA_DATA=str(tmp_path / "data"))

    expected = f"there is no master key at {tmp_path / 'data' / 'master.key'}; `spina keys create` makes one"
    assert one_sentence(ended) == expected
    assert not (tmp_path / "data").exists()


def test_with_a_given_database_no_embedded_server_is_started(
    tmp_path: Path, database: Database, redis_url: str
) -> None:
    key_file = tmp_path / "key"
    create_key_file(key_file)
    given = {
        "SPINA_DATABASE_URL": database.app_url,
        "SPINA_OWNER_DATABASE_URL": database.owner_url,
        "SPINA_REDIS_URL": redis_url,
        "SPINA_MASTER_KEY_FILE": str(key_file),
    }

    with serving(tmp_path / "data", **given) as server:
        health = get_health(server.until_ready())

        assert health["status"] == "ok"
        assert server.servers_left() == ()
        assert server.stop() == 0
    assert not (tmp_path / "data").exists()


def test_a_database_of_another_key_is_refused_with_both_ids(tmp_path: Path, database: Database) -> None:
    given = {"SPINA_DATABASE_URL": database.owner_url, "SPINA_PORT": "0"}
    with serving(tmp_path, SPINA_MASTER_KEY=KEY, **given) as server:
        server.until_ready()

    ended = run("serve", SPINA_MASTER_KEY=OTHER_KEY, SPINA_DATA=str(tmp_path), **given)

    sentence = one_sentence(ended)
    assert "3de2988d49d4dc6c" in sentence
    assert KEY not in ended.stderr
    assert OTHER_KEY not in ended.stderr


def test_a_signal_ends_the_streams_of_a_server_at_once(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        base = server.until_ready().removesuffix("/health")
        made = httpx2.post(f"{base}/players", json={"name": "Ada"}).json()
        asked = {"command": GAME, "ruleset": "chariot-race@1", "seats": 2}
        httpx2.post(
            f"{base}/games", json=asked, headers={"authorization": f"Bearer {made['token']}"}
        ).raise_for_status()

        with httpx2.stream("GET", f"{base}/games/{GAME}/live", timeout=30) as stream:
            lines = stream.iter_lines()
            assert next(line for line in lines if line.startswith("id: ")) == "id: 1"
            code = server.stop(SIGTERM)
            rest = [line for line in lines if line]

        assert code == 0
        assert rest[-2:] == ["event: end", 'data: {"type":"end","reason":"restarting"}']
        assert server.servers_left() == ()
