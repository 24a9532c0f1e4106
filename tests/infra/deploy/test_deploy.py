"""The deployment's files name existing things: settings, paths, commands, roles. No container is started here."""

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import asyncpg
import pytest
import yaml  # type: ignore[import-untyped]  # it comes with Litestar, without types

from infra.deploy.secret_files import OWNER, SERVER, build_secrets, write_secrets
from infra.keys import parse_master_key
from infra.postgres.connection import open_app_connection
from infra.postgres.migrations import find_pending, migrate
from infra.settings import Settings, read_settings
from services.api.http.health import HEALTH_PATH
from services.api.http.meters import read_metrics_token
from services.cli.main import app as commands
from services.node.http_server import GRACEFUL_STOP_TIMEOUT_S
from tests.database import with_database, with_login
from tests.servers import ServersForTests

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "infra" / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
NODES = ("spina-1", "spina-2")
HAS_POWER = "select rolsuper or rolcreaterole or rolcreatedb from pg_roles where rolname = current_user"
# How compose writes a variable that its caller may or must set.
VARIABLE = re.compile(r"\$\{[A-Z_]+(?::[-?][^}]*)?\}")


def secrets_of(service: str) -> dict[str, str]:
    made = build_secrets()
    return {name: made[name] for name in COMPOSE["services"][service]["secrets"]}


def test_every_path_that_the_image_takes_is_there() -> None:
    copied = [line.split()[1] for line in DOCKERFILE.splitlines() if line.startswith("COPY ") and "--from" not in line]
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()

    assert all((ROOT / path).exists() for path in copied)
    assert {f"!{path}" for path in copied} <= set(ignored)
    assert {"domain", "projections", "infra", "services"} <= set(copied)


def test_the_image_runs_a_command_of_spina_without_root() -> None:
    entrypoint = re.search(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.MULTILINE)
    command = re.search(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)
    users = re.findall(r"^USER (.*)$", DOCKERFILE, re.MULTILINE)
    names = {command.callback.__name__ for command in commands.registered_commands if command.callback is not None}

    assert entrypoint is not None
    assert command is not None
    assert "/app/infra/deploy/entrypoint.sh" in yaml.safe_load(entrypoint[1])
    assert yaml.safe_load(entrypoint[1])[-3:] == ["python", "-m", "services.cli"]
    assert yaml.safe_load(command[1])[0] in names
    assert users == ["10001"]


def test_the_image_asks_for_the_health_that_the_server_tells() -> None:
    check = re.search(r"^HEALTHCHECK .*\n +CMD (.*)$", DOCKERFILE, re.MULTILINE)

    assert check is not None
    assert f"127.0.0.1:8000{HEALTH_PATH}'" in check[1]
    assert "SPINA_PORT=8000" in DOCKERFILE


@pytest.mark.parametrize("node", NODES)
def test_the_settings_of_every_process_are_settings_and_fit_together(node: str) -> None:
    service = COMPOSE["services"][node]
    image = dict(match_.split("=") for match_ in re.findall(r"SPINA_[A-Z]+=\S+", DOCKERFILE))
    given = {
        name: VARIABLE.sub("info" if name == "SPINA_LOG" else "games.example.org", str(text))
        for name, text in service["environment"].items()
    }
    secret = {f"SPINA_{name.upper()}": text for name, text in secrets_of(node).items() if name != "metrics_token"}

    settings = read_settings({**image, **given, **secret})

    assert isinstance(settings, Settings)
    assert not settings.has_embedded_servers
    assert not settings.has_exhibition
    assert settings.metrics_token_file == Path("/run/secrets/metrics_token")
    # The ledger's memory is on the volume.
    assert str(settings.ledger_folder).startswith(service["volumes"][0].partition(":")[2])


def test_processes_differ_in_nothing_but_their_volumes() -> None:
    first, second = (COMPOSE["services"][node] for node in NODES)

    assert {**first, "volumes": None} == {**second, "volumes": None}
    assert first["volumes"] != second["volumes"]


def test_every_secret_volume_and_network_that_is_used_is_made() -> None:
    made = build_secrets()
    services = COMPOSE["services"].values()
    volumes = {volume.partition(":")[0] for service in services for volume in service.get("volumes", ())}

    assert set(COMPOSE["secrets"]) == set(made)
    assert all(each == {"file": f"./secrets/{name}"} for name, each in COMPOSE["secrets"].items())
    assert {name for service in services for name in service.get("secrets", ())} == set(made)
    assert {name for service in services for name in service["networks"]} == set(COMPOSE["networks"])
    assert {name for name in volumes if not name.startswith("./")} == set(COMPOSE["volumes"])
    assert all((DEPLOY / name).is_file() for name in volumes if name.startswith("./"))


def test_the_proxy_knows_every_process_and_hides_the_metrics() -> None:
    caddy = (DEPLOY / "Caddyfile").read_text()

    assert "reverse_proxy " + " ".join(f"{node}:8000" for node in NODES) in caddy
    assert f"health_uri {HEALTH_PATH}" in caddy
    assert "respond /metrics 404" in caddy


def test_a_process_is_given_more_time_to_stop_than_it_takes() -> None:
    seconds = [int(COMPOSE["services"][node]["stop_grace_period"].removesuffix("s")) for node in NODES]

    assert all(duration > GRACEFUL_STOP_TIMEOUT_S for duration in seconds)


def test_no_secret_stands_in_the_files() -> None:
    written = " ".join(path.read_text() for path in DEPLOY.rglob("*") if path.is_file() and path.suffix != ".pyc")

    assert "spina-master-1:" not in written
    assert not re.search(r"://[a-z_]+:[^{\s@]+@", written)


def test_secrets_are_made_once_and_are_what_they_are_taken_for(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"

    write_secrets(folder)

    parse_master_key((folder / "master_key").read_text().strip())
    assert read_metrics_token(folder / "metrics_token")
    assert folder.stat().st_mode & 0o077 == 0
    with pytest.raises(FileExistsError):
        write_secrets(folder)


def test_secrets_in_files_become_settings_and_nothing_else_does(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    write_secrets(folder)

    ended = subprocess.run(  # noqa: S603  our own script, with files of this test
        ["/bin/sh", str(DEPLOY / "entrypoint.sh"), "env"],
        env={"SECRETS_FOLDER": str(folder), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )

    found = dict(line.split("=", 1) for line in ended.stdout.splitlines() if line.startswith("SPINA_"))
    expected = {"SPINA_DATABASE_URL", "SPINA_OWNER_DATABASE_URL", "SPINA_REDIS_URL", "SPINA_MASTER_KEY"}
    assert set(found) == expected
    assert read_settings(found).database_url == (folder / "database_url").read_text().strip()


@pytest.fixture
async def roles(servers_for_tests: ServersForTests, tmp_path: Path) -> AsyncIterator[tuple[str, str]]:
    """Make the roles as the container does, under names of this test's own; give the URLs of owner and server."""
    suffix, made = token_hex(4), build_secrets()
    for name in ("owner_password", "server_password"):
        (tmp_path / name).write_text(made[name] + "\n")
    owner, server, database = f"{OWNER}_{suffix}", f"{SERVER}_{suffix}", f"spina_deploy_{suffix}"
    sql = (DEPLOY / "postgres" / "roles.sql").read_text()
    sql = sql.replace("/run/secrets", str(tmp_path)).replace(OWNER, owner).replace(SERVER, server)
    superuser_url = servers_for_tests.urls.owner_url
    superuser = await asyncpg.connect(superuser_url)
    await superuser.execute(f"create database {database}")
    inside = await asyncpg.connect(with_database(superuser_url, database))
    await inside.execute(sql)
    await inside.close()
    here = with_database(superuser_url, database)
    yield (
        with_login(here, user=owner, password=made["owner_password"]),
        with_login(here, user=server, password=made["server_password"]),
    )
    await superuser.execute(f"drop database {database} with (force)")
    await superuser.execute(f"drop role {server}")
    await superuser.execute(f"drop role {owner}")
    await superuser.close()


async def test_the_owner_makes_the_schema_and_the_server_can_do_no_more_than_the_app(roles: tuple[str, str]) -> None:
    owner_url, server_url = roles

    await migrate(owner_url)

    assert await find_pending(server_url) == ()
    as_app = await open_app_connection(server_url)
    assert await as_app.fetchval("select count(*) from event") == 0
    await as_app.close()
    # By itself the login is no more than that role.
    server = await asyncpg.connect(server_url, server_settings={"search_path": "spina"})
    for forbidden in (
        "insert into stream values (gen_random_uuid(), 1, '')",
        "create table own (id int)",
        "create role another",
        "drop table event",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await server.execute(forbidden)
    await server.close()
    owner = await asyncpg.connect(owner_url)
    assert not await owner.fetchval(HAS_POWER)
    await owner.close()


def test_the_commands_that_the_files_tell_of_are_there() -> None:
    comments = [line[2:].strip() for line in (DEPLOY / "compose.yaml").read_text().splitlines() if line.startswith("#")]
    (made,) = [shlex.split(line) for line in comments if line.startswith("python -m")]

    assert (ROOT / f"{made[2].replace('.', '/')}.py").is_file()
    assert ROOT / made[3] == DEPLOY / "secrets"


def test_the_workflow_runs_what_exists_on_the_oldest_python_and_later_ones() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "check.yml").read_text())["jobs"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    commands_run = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]

    assert commands_run == [".ci/run", "make containers"]
    assert (ROOT / ".ci" / "run").is_file()
    assert re.search(r"^containers:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert project["requires-python"] == f">={jobs['every-test']['strategy']['matrix']['python'][0]}"


def test_a_machine_without_a_container_engine_gets_one_sentence() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.containers"],
        cwd=ROOT,
        env={"DOCKER_HOST": "unix:///no/engine"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ended.returncode == 1
    assert ended.stderr.startswith(
        "--services=containers: expected a container engine at unix:///no/engine, found none"
    )
    assert ended.stderr.count("\n") == 1
