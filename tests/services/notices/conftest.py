"""A server whose ways may reach the loopback, and a receiver there."""

from collections.abc import AsyncIterator

import pytest

from tests.database import Database
from tests.services.api.server import Api, running_api
from tests.services.notices.receiver import Receiver, receiving


@pytest.fixture
async def api(database: Database) -> AsyncIterator[Api]:
    async with running_api(database, reaches_private=True) as api:
        yield api


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver
