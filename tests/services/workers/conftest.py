"""A log with an empty ledger for the tests that ask for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.database import Database
from tests.services.workers.ledger import Rig, open_rig


@pytest.fixture
async def rig(database: Database, tmp_path: Path) -> AsyncIterator[Rig]:
    async with open_rig(database, tmp_path) as rig:
        yield rig
