"""Connections of a start and of operators: refused in a sentence where commits would wait for ever."""

from pathlib import Path

import asyncpg
import pytest

from infra.embedded.servers import embedded_servers
from services.node.databases import DatabaseAway, DatabaseRefused, database_at
from tests.database import Database
from tests.fault_proxy import fault_proxy
from tests.replication import confirm_no_commit


async def test_a_primary_whose_commits_no_replica_confirms_is_refused_with_that_reason(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path) as urls:
        await confirm_no_commit(urls.owner_url)

        with pytest.raises(DatabaseAway, match="found: a node whose commits no replica confirms"):
            async with database_at(urls.owner_url, variable="SPINA_OWNER_DATABASE_URL"):
                pass


async def test_acts_of_operators_are_durable_where_the_database_would_not_wait_for_its_disk(database: Database) -> None:
    async with database_at(database.owner_url, variable="SPINA_OWNER_DATABASE_URL") as owner:
        name = await owner.fetchval("select current_database()")
        await owner.execute(f'alter database "{name}" set synchronous_commit = off')

    async with database_at(database.owner_url, variable="SPINA_OWNER_DATABASE_URL") as owner:
        assert await owner.fetchval("show synchronous_commit") == "on"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:hunter2@127.0.0.1:1/spina?sslmode=some",
        "postgresql://ada:hunter2@127.0.0.1:1/spina?target_session_attrs=some",
        "postgresql://ada:hunter2@127.0.0.1:99999/spina",
        "postgresql://ada:hunter2#1@127.0.0.1:1/spina",
        "postgresql://ada:hunter2℀@127.0.0.1:1/spina",
    ],
)
async def test_a_url_that_no_later_try_can_read_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(DatabaseRefused) as refused:
        async with database_at(url, variable="SPINA_DATABASE_URL"):
            pass

    assert not isinstance(refused.value, DatabaseAway)
    assert "hunter2" not in str(refused.value)


async def test_a_database_that_goes_away_while_it_is_used_is_away(database: Database) -> None:
    async with fault_proxy(database.owner_url) as proxy:
        proxy.lose_request(b"select 7")

        with pytest.raises(DatabaseAway):
            async with database_at(proxy.url, variable="SPINA_OWNER_DATABASE_URL") as owner:
                await owner.fetchval("select 7")


async def test_a_database_whose_session_ended_while_it_rested_is_away(database: Database) -> None:
    async def use() -> None:
        async with (
            database_at(database.owner_url, variable="SPINA_OWNER_DATABASE_URL") as owner,
            database_at(database.owner_url, variable="SPINA_OWNER_DATABASE_URL") as other,
        ):
            await other.execute("select pg_terminate_backend($1, 5000)", owner.get_server_pid())
            await owner.fetchval("select 7")

    with pytest.raises(DatabaseAway):
        await use()


async def test_a_file_that_is_missing_is_told_as_it_is(database: Database, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        async with database_at(database.owner_url, variable="SPINA_OWNER_DATABASE_URL"):
            (tmp_path / "master.key").read_bytes()


async def test_a_mistake_in_a_statement_is_told_as_it_is(database: Database) -> None:
    with pytest.raises(asyncpg.UndefinedTableError):
        async with database_at(database.owner_url, variable="SPINA_OWNER_DATABASE_URL") as owner:
            await owner.execute("select * from nowhere")


async def test_a_database_without_the_tables_of_this_release_is_refused_with_the_remedy(database: Database) -> None:
    found = []
    for change in (
        "delete from spina.migration where number = 26",
        "update spina.migration set hash = '\\x00' where number = 4",
        "drop schema spina cascade",
    ):
        with pytest.raises(DatabaseRefused) as refused:  # noqa: PT012  the refusal is of all that is asked within
            async with database_at(database.owner_url, variable="SPINA_DATABASE_URL") as owner:
                await owner.execute(change)
                await owner.execute("select from spina.of_another_build")
        found.append(str(refused.value))

    expected = "expected a database at SPINA_DATABASE_URL, found: "
    assert found[0] == (
        f"{expected}tables of an earlier release, without 1 migrations; the next start of `spina serve` applies them"
    )
    assert found[1].startswith(f"{expected}tables of another build (migration 4 was applied as ")
    assert found[1].endswith("; see Upgrade in docs/operating.md")
    assert found[2] == f"{expected}no tables of Spina; the first start of `spina serve` makes them"
