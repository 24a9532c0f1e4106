"""The ledger's measurement on a small scale: everything is taken in, and the proofs that are timed hold."""

from pathlib import Path

from bench.ledger import ORIGIN, measure_ledger
from tests.database import Database
from tests.services.ledger.ledger_harness import open_rig


async def test_a_ledger_is_measured_as_it_grows(database: Database, tmp_path: Path) -> None:
    figures = await measure_ledger(database.owner_url, database.app_url, tmp_path, sizes=(300, 1_500))

    async with open_rig(database, tmp_path) as rig:
        published = await rig.ledger.find_checkpoint(ORIGIN)
    assert list(figures.rows) == ["300 leaves", "1,500 leaves"]
    assert published is not None
    assert published.tree_size == 1_500
