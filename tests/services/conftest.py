"""A server that is asked over real HTTP, and a second database, for the tests that want them."""

from collections.abc import AsyncIterator

import pytest

from services.client.connection import Connection, connected
from tests.database import Database, database_of_its_own
from tests.servers import ServersForTests
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
