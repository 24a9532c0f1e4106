"""Connections to a server over real HTTP, for the clients that are tested against it."""

from collections.abc import AsyncIterator

import pytest

from spina_client.connection import Connection, connected
from tests.database import Database
from tests.services.listening import listening


@pytest.fixture
async def server(database: Database) -> AsyncIterator[Connection]:
    """Connections to a server of the test's own."""
    async with listening(database) as url, connected(url) as connection:
        yield connection
