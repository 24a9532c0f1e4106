"""Fixtures of the services: a server over real HTTP, a second database, a log with an empty ledger."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from spina_client.connection import Connection, connected
from tests.database import Database, database_of_its_own
from tests.servers import ServersForTests
from tests.services.ledger.ledger_harness import Rig, open_rig
from tests.services.listening import listening


@pytest.fixture
async def server(database: Database) -> AsyncIterator[Connection]:
    """Connections to a server of the test's own."""
    async with listening(database) as url, connected(url) as connection:
        yield connection


@pytest.fixture
async def other_database(servers_for_tests: ServersForTests) -> AsyncIterator[Database]:
    """Stand for the same database at another time: an older copy, or one that went another way."""
    async with database_of_its_own(servers_for_tests.urls, template=servers_for_tests.template) as own:
        yield own


@pytest.fixture
async def rig(database: Database, tmp_path: Path) -> AsyncIterator[Rig]:
    """Open a log with an empty ledger."""
    async with open_rig(database, tmp_path) as rig:
        yield rig
