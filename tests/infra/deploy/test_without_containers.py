"""docs/operating.md without containers, step by step: the page's SQL, settings and commands, on real servers."""

import asyncio
import re
import shlex
import subprocess
from collections.abc import AsyncIterator
from configparser import ConfigParser
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit

import asyncpg
import pytest

from infra.postgres.connection import POSTGRES_MIN
from infra.settings import read_settings
from services.node.http_server import GRACEFUL_STOP_TIMEOUT_S
from tests.servers import ServersForTests
from tests.services.cli.program import ROOT, get_health, run, serving

SECTION = (ROOT / "docs" / "operating.md").read_text().partition("\n## Without containers")[2].partition("\n## ")[0]
UNIT = ROOT / "infra" / "deploy" / "spina@.service"
PROGRAM = "/opt/spina/bin/spina "


def block(language: str) -> str:
    """Take the page's one block of a language."""
    (found,) = re.findall(rf"^   ```{language}\n(.*?)^   ```$", SECTION, re.MULTILINE | re.DOTALL)
    return re.sub("^   ", "", found, flags=re.MULTILINE)


def commands() -> list[list[str]]:
    """List the page's calls of the program, in order."""
    lines = [line.strip() for line in SECTION.splitlines()]
    return [shlex.split(line.removeprefix(PROGRAM)) for line in lines if line.startswith(PROGRAM)]


@pytest.fixture
async def given(servers_for_tests: ServersForTests, redis_url: str, tmp_path: Path) -> AsyncIterator[dict[str, str]]:
    """Run the page's SQL under names of this test's own; give its settings."""
    superuser_url, suffix = servers_for_tests.urls.owner_url, token_hex(4)
    server = urlsplit(superuser_url)
    own = {
        "spina_schema_owner": f"spina_schema_owner_{suffix}",
        "spina_server": f"spina_server_{suffix}",
        "database spina": f"database spina_{suffix}",
        "127.0.0.1:5432/spina": f"{server.hostname}:{server.port}/spina_{suffix}",
        "OWNER_PASSWORD": token_hex(8),
        "SERVER_PASSWORD": token_hex(8),
        "redis://127.0.0.1:6379/0": redis_url,
        "/var/lib/spina": str(tmp_path),
    }
    superuser = await asyncpg.connect(superuser_url)
    for statement in replaced(block("sql"), own).split(";")[:-1]:
        # The app's role belongs to the whole server, and has been made for other tests.
        if "create role spina_app " not in statement:
            await superuser.execute(statement)
    yield read_as_systemd(replaced(block("ini"), own))
    await superuser.execute(f"drop {own['database spina']} with (force)")
    for role in ("spina_server", "spina_schema_owner"):
        await superuser.execute(f"drop role {own[role]}")
    await superuser.close()


def replaced(text: str, own: dict[str, str]) -> str:
    for said, there in own.items():
        text = text.replace(said, there)
    return text


def read_as_systemd(text: str) -> dict[str, str]:
    """Read a file of settings, in single quotes throughout: there every character stands for itself (systemd.exec)."""
    settings = dict(line.split("=", 1) for line in text.splitlines())
    assert all(re.fullmatch("'[^']*'", value) for value in settings.values())
    return {name: value[1:-1] for name, value in settings.items()}


def test_the_shell_reads_the_settings_as_systemd_does_whatever_is_in_them(tmp_path: Path) -> None:
    text = block("ini").replace("_PASSWORD", "&b$HOME;c `d` \\e?f=g&h=i")
    (tmp_path / "environment").write_text(text)

    ended = subprocess.run(
        ["/bin/sh", "-euc", "set -a; . ./environment; exec env -0"], cwd=tmp_path, check=True, capture_output=True
    )

    read = dict(part.split("=", 1) for part in ended.stdout.decode().split("\0") if part)
    assert read.items() >= read_as_systemd(text).items()
    assert "&b$HOME;c `d` " in read["SPINA_DATABASE_URL"]


async def test_the_steps_of_the_page_lead_to_two_processes_and_an_organiser(
    given: dict[str, str], tmp_path: Path
) -> None:
    *before, after = commands()

    ended = [await asyncio.to_thread(run, *command, **given, SPINA_PORT="0") for command in before]
    with serving(tmp_path, **given) as server, serving(tmp_path, **given) as other:
        health = get_health(await asyncio.to_thread(server.until_ready))
        await asyncio.to_thread(other.until_ready)
        made = await asyncio.to_thread(run, *after, **given)
        codes = [await asyncio.to_thread(each.stop) for each in (server, other)]

    assert [command[0] for command in (*before, after)] == ["keys", "doctor", "account"]
    assert [process.returncode for process in (*ended, made)] == [0, 0, 0], made.stderr + ended[1].stdout
    assert (health["status"], codes) == ("ok", [0, 0])
    assert made.stdout.startswith("Made the organiser ")


def test_the_unit_runs_what_the_page_installs() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # names keep their case
    unit.read(UNIT)

    service = unit["Service"]

    assert service["ExecStart"] == f"{PROGRAM}serve"
    assert service["Environment"] == "SPINA_PORT=%i"
    assert f"`{service['EnvironmentFile']}`" in SECTION
    assert f"cp {UNIT.relative_to(ROOT)} /etc/systemd/system/" in SECTION
    assert service["ReadWritePaths"] == str(
        read_settings(dict(line.split("=", 1) for line in shlex.split(block("ini")))).data
    )
    assert int(service["TimeoutStopSec"]) > GRACEFUL_STOP_TIMEOUT_S


def test_the_page_names_the_least_version_of_postgres() -> None:
    assert f"PostgreSQL {POSTGRES_MIN} or later" in SECTION
