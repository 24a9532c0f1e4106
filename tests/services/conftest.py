"""Fixtures of the services: a server over real HTTP, a second database, a log with an empty ledger."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from spina_client.connection import Connection, connected
from tests.database import Database, NewDatabase
from tests.services.ledger.ledger_harness import Rig, open_rig
from tests.services.listening import listening


@pytest.fixture
async def server(database: Database) -> AsyncIterator[Connection]:
    """Connections to a server of the test's own."""
    async with listening(database) as url, connected(url) as connection:
        yield connection


@pytest.fixture
async def other_database(new_database: NewDatabase) -> AsyncIterator[Database]:
    """Stand for the same database at another time: an older copy, or one that went another way."""
    async with new_database() as own:
        yield own


@pytest.fixture
async def rig(database: Database, tmp_path: Path) -> AsyncIterator[Rig]:
    """Open a log with an empty ledger."""
    async with open_rig(database, tmp_path) as rig:
        yield rig
