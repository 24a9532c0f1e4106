"""The commands beside `serve`: what they print, refuse, and how they explain themselves."""

import json
import os
import socket
from pathlib import Path

import pytest
import typer

from infra.keys import read_key_file
from infra.version import VERSION
from services.cli.main import app
from tests.database import Database
from tests.services.cli.program import ROOT, SPINA, one_sentence, run, serving

NOWHERE = "postgresql://ada:hunter2@127.0.0.1:1/spina"
GAME = "0199c0de-0000-7000-8000-000000000001"


def explanations(group: typer.Typer, name: str = "spina") -> list[tuple[str, str]]:
    """Walk all commands, with what each states of itself."""
    found = [(name, str(group.info.help))]
    for command in group.registered_commands:
        assert command.callback is not None
        # The command that stands for every ruleset goes by their names.
        own_name = (command.name or command.callback.__name__).replace("ruleset", "charioteer")
        found.append((f"{name} {own_name}", command.help or command.callback.__doc__ or ""))
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        found += explanations(inner.typer_instance, f"{name} {inner.typer_instance.info.name}")
    return found


@pytest.mark.parametrize(("name", "explanation"), explanations(app))
def test_every_command_explains_itself_with_an_example(name: str, explanation: str) -> None:
    example = explanation.partition("Example: ")[2].strip()

    assert f"{name} " in f"{example} "


def test_help_needs_none_of_the_heavy_packages() -> None:
    ended = run("--help", program=SPINA, PYTHONPROFILEIMPORTTIME="1")

    imported = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}
    assert "typer" in imported
    assert imported.isdisjoint({"litestar", "asyncpg", "redis", "uvicorn", "cryptography", "msgspec", "structlog"})


def test_the_version_is_the_one_of_the_package_however_it_is_asked_for() -> None:
    ended, asked = run("version", "--json"), run("--version")

    assert json.loads(ended.stdout)["spina"] == VERSION
    assert asked.stdout.splitlines()[0] == f"spina {VERSION}"
    assert f'\nversion = "{VERSION}"\n' in (ROOT / "pyproject.toml").read_text()


def test_a_key_is_made_once_and_never_shown(tmp_path: Path) -> None:
    made = run("keys", "create", SPINA_DATA=str(tmp_path))
    again = run("keys", "create", SPINA_DATA=str(tmp_path))
    shown = run("keys", "show", SPINA_DATA=str(tmp_path))

    key = read_key_file(tmp_path / "master.key")
    assert key.key_id in made.stdout
    assert "never overwritten" in one_sentence(again)
    assert shown.stdout.strip() == key.key_id
    assert key.hex() not in made.stdout + again.stderr + shown.stdout


def test_a_missing_key_is_told_with_the_command_that_makes_one(tmp_path: Path) -> None:
    ended = run("keys", "show", SPINA_DATA=str(tmp_path))

    assert one_sentence(ended).endswith("`spina keys create` makes one")


def findings(*arguments: str, **given: str) -> tuple[int, dict[str, dict[str, object]]]:
    ended = run("doctor", "--json", *arguments, **given)
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    return ended.returncode, {line["what"]: line for line in lines}


def test_the_doctor_finds_a_fresh_machine_in_order_and_leaves_nothing(tmp_path: Path) -> None:
    exit_code, found = findings(SPINA_DATA=str(tmp_path / "data"), SPINA_PORT="0")

    assert all(line["is_ok"] for line in found.values())
    assert exit_code == 0
    assert str(found["postgres"]["found"]).startswith("PostgreSQL 18")
    assert str(found["redis"]["found"]).startswith("valkey 9")
    assert not (tmp_path / "data").exists()


def test_the_doctor_looks_at_given_servers(tmp_path: Path, database: Database, redis_url: str) -> None:
    run("keys", "create", SPINA_DATA=str(tmp_path))

    _exit_code, found = findings(
        SPINA_DATA=str(tmp_path), SPINA_PORT="0", SPINA_DATABASE_URL=database.app_url, SPINA_REDIS_URL=redis_url
    )

    assert found["migrations"] == {"what": "migrations", "is_ok": True, "found": "all applied", "advice": ""}
    assert found["redis"]["is_ok"]


def test_the_doctor_says_what_to_do_about_each_fault(tmp_path: Path) -> None:
    given = {"SPINA_DATABASE_URL": NOWHERE, "SPINA_REDIS_URL": "redis://:hunter2@127.0.0.1:1/0"}

    exit_code, found = findings(SPINA_DATA=str(tmp_path), SPINA_PORT="0", **given)

    assert exit_code == 1
    wrong = {what for what, line in found.items() if not line["is_ok"]}
    assert wrong == {"master key", "postgres", "redis"}
    assert all(line["advice"] for line in found.values() if not line["is_ok"])
    assert "hunter2" not in json.dumps(found)


def test_the_doctor_names_every_wrong_setting() -> None:
    exit_code, found = findings(SPINA_PORT="x")

    assert exit_code == 1
    assert found["settings"]["found"] == "SPINA_PORT: expected a whole number from 0 to 65535, found 'x'"


@pytest.mark.parametrize("has_given_database", [False, True])
def test_the_doctor_finds_nothing_wrong_with_ones_own_running_server(
    tmp_path: Path, database: Database, redis_url: str, *, has_given_database: bool
) -> None:
    urls = {"DATABASE_URL": database.app_url, "OWNER_DATABASE_URL": database.owner_url, "REDIS_URL": redis_url}
    given = {f"SPINA_{name}": url for name, url in urls.items()} if has_given_database else {}
    run("keys", "create", SPINA_DATA=str(tmp_path / "data"))
    # With a given database the doctor knows a server by its command line.
    with serving(tmp_path / "data", program=SPINA, **given) as server:
        port = server.until_ready().rpartition(":")[2].partition("/")[0]
        exit_code, found = findings(SPINA_DATA=str(tmp_path / "data"), SPINA_PORT=port, **given)

    assert found["port"]["found"] == f"your server has {port} of 127.0.0.1, as process {server.process.pid}"
    assert exit_code == 0


def test_the_doctor_finds_a_port_that_somebody_else_has(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1]
        exit_code, found = findings(SPINA_DATA=str(tmp_path / "data"), SPINA_PORT=str(port))

    assert exit_code == 1
    assert found["port"]["advice"] == f"stop process {os.getpid()}, or set SPINA_PORT"


def test_the_doctor_prints_a_table_for_people(tmp_path: Path) -> None:
    ended = run("doctor", SPINA_DATA=str(tmp_path / "data"), SPINA_PORT="0")

    assert "what to do" in ended.stdout
    assert "PostgreSQL 18" in ended.stdout


@pytest.mark.parametrize("command", [("export", GAME), ("export", "--all"), ("rebuild", "lobby")])
def test_the_url_of_a_database_that_cannot_be_read_is_not_shown(command: tuple[str, ...]) -> None:
    ended = run(*command, "--database", "postgresql://ada:hunter2#1@127.0.0.1:1/spina")

    assert one_sentence(ended).startswith("--database: expected a URL that starts with postgresql://")
    assert "hunter2" not in ended.stderr + ended.stdout


def test_the_doctor_prints_a_long_word_whole() -> None:
    word = "games.example.org/log/2026-" + "2" * 100

    ended = run("doctor", SPINA_PORT=word)

    assert word in "".join(ended.stdout.split())


def test_a_measurement_is_printed_and_saved(tmp_path: Path) -> None:
    saved = tmp_path / "new" / "bench.json"

    ended = run("bench", "fold", "--quick", "--json", str(saved))

    report = json.loads(saved.read_text())
    assert ended.returncode == 0, ended.stderr
    assert report["machine"]["spina"] == VERSION
    assert report["fold"][0]["rows"]["parse_line + line_hash"]["ratio"] > 0
    assert "append" not in report
    assert "reading" in ended.stdout
