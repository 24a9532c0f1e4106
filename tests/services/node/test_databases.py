"""Connections of a start and of operators: refused in a sentence where commits would wait for ever."""

from pathlib import Path

import pytest

from infra.embedded.servers import embedded_servers
from services.node.databases import DatabaseAway, database_at
from tests.database import Database
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
