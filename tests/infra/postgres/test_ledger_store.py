"""The ledger's tables keep their promises: not even their owner moves the head back."""

from pathlib import Path

import asyncpg
import pytest

from infra.postgres.worker_signs import NOTARY_LOCK
from tests.database import Database
from tests.services.ledger.ledger_harness import open_rig

MOVE_BACK = (
    "update spina.ledger_head set tree_size = tree_size - 1",
    "update spina.ledger_head set position = position - 1",
    "update spina.ledger_head set root = sha256('')",
    "insert into spina.ledger_head values (false, 0, sha256(''), 0, '{}')",
)


@pytest.mark.parametrize("change", MOVE_BACK)
async def test_not_even_the_owner_moves_the_head_back(database: Database, tmp_path: Path, change: str) -> None:
    async with open_rig(database, tmp_path) as rig:
        await rig.play()
        await rig.notarise()
        owner = await asyncpg.connect(database.owner_url)
        await owner.execute("select pg_advisory_lock($1)", NOTARY_LOCK)
        try:
            with pytest.raises((asyncpg.RestrictViolationError, asyncpg.CheckViolationError)):
                await owner.execute(change)
        finally:
            await owner.close()
