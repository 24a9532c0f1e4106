"""The reader of the ledger under kills: a checkpoint out of a cache is no fault, and a ledger that went back is one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.ledger.watching import RemoteLog
from simulate.load.ledger_reader import LedgerReader
from tests.services.ledger.operators_log import OperatorsLog, client_over
from tests.services.ledger.test_monitor import ALONE, SIGNER, URL, leaves, open_monitor


class Scene:
    """A ledger and its reader, who has seen 300 entries."""

    def __init__(self, log: OperatorsLog, reader: LedgerReader) -> None:
        self.log = log
        self.reader = reader


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    log = OperatorsLog(SIGNER, leaves(300))
    async with client_over(log.answer) as client:
        reader = LedgerReader(open_monitor(client, tmp_path, ALONE), RemoteLog(client, f"{URL}/v1/ledger"))
        await reader.look()
        yield Scene(log, reader)


async def test_an_older_checkpoint_is_not_counted_and_no_fault(scene: Scene) -> None:
    scene.log.entries = leaves(200)
    await scene.reader.look()
    scene.log.entries = leaves(310)
    await scene.reader.look()

    await scene.reader.expect_newest(patience_s=0)

    assert (scene.reader.checkpoints, scene.reader.faults) == (2, [])


async def test_a_ledger_that_stays_behind_is_a_fault(scene: Scene) -> None:
    scene.log.entries = leaves(200)

    await scene.reader.expect_newest(patience_s=0)

    assert scene.reader.faults == ["expected at least the 300 entries that were shown, found 200"]


async def test_a_smaller_ledger_of_another_history_is_a_fault(scene: Scene) -> None:
    scene.log.entries = leaves(200, mac="cd" * 32)

    await scene.reader.look()

    (fault,) = scene.reader.faults
    assert "has signed two histories" in fault
