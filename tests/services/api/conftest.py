"""A running API for the tests that ask for one."""

from collections.abc import AsyncIterator

import pytest

from tests.database import Database
from tests.services.api.server import Api, running_api


@pytest.fixture
async def api(database: Database) -> AsyncIterator[Api]:
    """One process over the test's own database, without Redis and without a limit on requests."""
    async with running_api(database) as api:
        yield api
