"""Starts that `spina serve` refuses over a database of one's own: one sentence and one exit code each.

Refusals that come before a database is asked are in test_serve.py.
"""

import asyncio
import re
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx2
import pytest

from infra.keys import create_key_file, read_key_file, seal_box
from infra.postgres.connection import POSTGRES_MIN
from infra.postgres.master_key_check import ADD_BOX, KNOWN_TEXT
from services.node.ledger import POLICY_FILE_NAME
from tests.database import Database, NewDatabase
from tests.fault_proxy import fault_proxy
from tests.infra.embedded.conditions import eventually
from tests.services.cli.program import one_sentence, run, serving

ORIGIN = "games.example.org/log/2026"
# While a connection to Redis was being made, a refused start hung every second time.
STARTS = 6

Given = dict[str, str]


@pytest.fixture
def given(tmp_path: Path, database: Database, redis_url: str) -> Given:
    key_file = tmp_path / "master.key"
    create_key_file(key_file)
    return {
        "SPINA_DATABASE_URL": database.app_url,
        "SPINA_OWNER_DATABASE_URL": database.owner_url,
        "SPINA_REDIS_URL": redis_url,
        "SPINA_MASTER_KEY_FILE": str(key_file),
        "SPINA_DATA": str(tmp_path),
        "SPINA_ORIGIN": ORIGIN,
        "SPINA_PORT": "0",
        "SPINA_EXHIBITION": "off",
    }


async def publish_a_line(given: Given) -> None:
    """Serve until the ledger has signed for the first line of a game."""
    with serving(Path(given["SPINA_DATA"]), **given) as server:
        ready = await asyncio.to_thread(server.until_ready)
        async with httpx2.AsyncClient(base_url=ready.removesuffix("/health")) as client:
            token = (await client.post("/players", json={"name": "Ada"})).json()["token"]
            asked = {"command": str(uuid4()), "ruleset": "chariot-race@1", "seats": 2}
            opened = await client.post("/games", json=asked, headers={"authorization": f"Bearer {token}"})
            opened.raise_for_status()

            async def is_signed() -> bool:
                signed = await client.get("/ledger/checkpoint")
                return signed.is_success and signed.text.splitlines()[1] != "0"

            await eventually(is_signed)
        assert await asyncio.to_thread(server.stop) == 0


async def change(database: Database, statement: str) -> None:
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute(statement)
    await owner.close()


async def test_a_name_that_the_ledger_was_not_published_under_is_refused_at_every_start(given: Given) -> None:
    await publish_a_line(given)
    del given["SPINA_ORIGIN"]

    ended = [await asyncio.to_thread(run, "serve", **given) for _ in range(STARTS)]
    examined = await asyncio.to_thread(run, "doctor", "--json", **given)

    expected = f"SPINA_ORIGIN is localhost/spina, but this database's ledger was published as {ORIGIN}: "
    assert [one_sentence(process).startswith(expected) for process in ended] == [True] * STARTS
    assert examined.returncode == 1
    assert f'"found":"published as {ORIGIN}, given is localhost/spina"' in examined.stdout


async def test_a_database_that_is_older_than_its_ledger_is_refused(given: Given, new_database: NewDatabase) -> None:
    await publish_a_line(given)

    async with new_database() as older:
        urls = {"SPINA_DATABASE_URL": older.app_url, "SPINA_OWNER_DATABASE_URL": older.owner_url}
        ended = await asyncio.to_thread(run, "serve", **given | urls)

    assert "it was restored to an older state, or is another one" in one_sentence(ended)


async def test_a_checkpoint_file_that_cannot_be_believed_is_refused(given: Given, tmp_path: Path) -> None:
    await publish_a_line(given)
    (file,) = (tmp_path / "ledger").glob("*.checkpoint")
    file.write_bytes(file.read_bytes()[:-2])

    ended = await asyncio.to_thread(run, "serve", **given)

    assert one_sentence(ended).startswith(f"{file} should hold the last signed checkpoint, and does not: ")


def test_witnesses_that_cannot_be_read_are_refused(given: Given, tmp_path: Path) -> None:
    policy = tmp_path / "ledger" / POLICY_FILE_NAME
    policy.parent.mkdir()
    policy.write_text("witness without a key\n")

    ended = run("serve", **given)

    assert one_sentence(ended).startswith(f"expected a policy that names witnesses at {policy}, found: ")


async def test_a_migration_that_was_applied_from_another_text_is_refused(given: Given, database: Database) -> None:
    await change(database, "update spina.migration set hash = '\\x00' where number = 4")

    ended = await asyncio.to_thread(run, "serve", **given)

    assert one_sentence(ended).startswith("migration 4 was applied as 0004_app_role (00), and here it is ")


async def test_a_log_that_this_build_does_not_read_is_refused(given: Given, database: Database) -> None:
    await publish_a_line(given)
    await change(
        database,
        """
        do $$
        declare
            leaf regclass;
        begin
            for leaf in select inhrelid from pg_inherits where inhparent = 'spina.event'::regclass loop
                execute format('alter table %s disable trigger user', leaf);
            end loop;
        end $$;
        update spina.event set body = convert_to(replace(convert_from(body, 'UTF8'), '"base":', '"former":'), 'UTF8');
        """,
    )

    ended = await asyncio.to_thread(run, "serve", **given)

    found = "found: a log of another build, which this one does not read: "
    assert one_sentence(ended).startswith(f"expected a database at SPINA_OWNER_DATABASE_URL, {found}")


async def test_a_key_check_that_cannot_be_opened_is_refused(given: Given, database: Database) -> None:
    key = read_key_file(Path(given["SPINA_MASTER_KEY_FILE"]))
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute(ADD_BOX, seal_box(key, KNOWN_TEXT, context=b"another context"))
    await owner.close()

    ended = await asyncio.to_thread(run, "serve", **given)

    assert one_sentence(ended) == "the box was changed, or was made for another context"


async def test_a_login_that_may_not_migrate_is_refused_by_its_variable(given: Given, database: Database) -> None:
    await change(database, "drop schema spina cascade")
    del given["SPINA_OWNER_DATABASE_URL"]

    ended = await asyncio.to_thread(run, "serve", **given)

    found = "a login that does not own the schema (permission denied for database "
    assert one_sentence(ended).startswith(f"expected a database at SPINA_OWNER_DATABASE_URL, found: {found}")


@pytest.mark.parametrize("command", [("serve",), ("doctor", "--json")], ids=["serve", "doctor"])
async def test_a_postgres_that_is_too_old_is_refused(given: Given, command: tuple[str, ...]) -> None:
    url = given["SPINA_DATABASE_URL"]
    major = str(await version_of(url)).encode()

    async with fault_proxy(url) as old:
        old.rewrite_replies(b"server_version\0" + major, b"server_version\0" + str(POSTGRES_MIN - 1).encode())
        ended = await asyncio.to_thread(run, *command, **given | {"SPINA_DATABASE_URL": old.url})

    assert ended.returncode == 1
    found = rf"found: PostgreSQL {POSTGRES_MIN - 1}\.\d+; Spina needs {POSTGRES_MIN} or later"
    assert re.search(found, ended.stdout + ended.stderr)


async def test_a_start_whose_database_goes_away_meanwhile_is_tried_again(given: Given) -> None:
    async with fault_proxy(given["SPINA_DATABASE_URL"]) as proxy:
        # The first connection of the server's role, after those that brought the database to its form.
        proxy.lose_request(b"search_path")
        ended = await asyncio.to_thread(run, "serve", **given | {"SPINA_DATABASE_URL": proxy.url})

    assert one_sentence(ended, exit_code=75)


async def version_of(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return connection.get_server_version().major
    finally:
        await connection.close()
