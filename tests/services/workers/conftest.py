"""A log with an empty ledger for the tests that ask for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.database import Database, database_of_its_own
from tests.servers import ServersForTests
from tests.services.workers.ledger import Rig, open_rig


@pytest.fixture
async def rig(database: Database, tmp_path: Path) -> AsyncIterator[Rig]:
    async with open_rig(database, tmp_path) as rig:
        yield rig


@pytest.fixture
async def other_database(servers_for_tests: ServersForTests) -> AsyncIterator[Database]:
    """Stand for the same database at another time: an older copy, or one that went another way."""
    async with database_of_its_own(servers_for_tests.urls, template=servers_for_tests.template) as own:
        yield own
