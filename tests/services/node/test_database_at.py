"""Connections of a start and of operators: refused in a sentence where commits would wait for ever."""

from pathlib import Path

import pytest

from infra.embedded.servers import embedded_servers
from services.node.serving import DatabaseRefused, database_at
from tests.replication import confirm_no_commit


async def test_a_primary_whose_commits_no_replica_confirms_is_refused_with_that_reason(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path) as urls:
        await confirm_no_commit(urls.owner_url)

        with pytest.raises(DatabaseRefused, match="found: a node whose commits no replica confirms"):
            async with database_at(urls.owner_url, variable="SPINA_OWNER_DATABASE_URL"):
                pass
