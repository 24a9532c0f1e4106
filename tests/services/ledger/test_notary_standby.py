"""The notary as processes stand by for it: one signs, the others remember; a refusal leaves it without a heartbeat."""

import asyncio
from itertools import count
from pathlib import Path

import pytest

from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.policy import PolicyWitness
from infra.embedded.credentials import choose_port
from infra.postgres.ledger_store import notary_desk
from services.ledger.signed_memory import OlderLedger
from services.workers.notary_standby import build_notary
from services.workers.standby import Pace, standing_by
from tests.database import Database
from tests.domain.ledger.signing import WITNESS
from tests.services.ledger.ledger_harness import PATIENCE_S, Rig, find_disagreements, open_rig

QUICK = Pace(look_every_s=0.001, stand_by_s=0.001)


async def test_the_session_with_the_lock_signs(rig: Rig) -> None:
    beaten = asyncio.Event()
    await rig.play()

    async def beat(_worker: str) -> None:
        beaten.set()

    async with asyncio.timeout(PATIENCE_S), standing_by([build_notary(rig.notary_parts())], beat, QUICK):
        await beaten.wait()
        while not await rig.read_notes():
            pass

    assert len(await rig.read_notes()) == 1


async def test_a_witness_that_is_away_stops_no_checkpoint(rig: Rig) -> None:
    away = PolicyWitness(name="away", key=WITNESS.key, url=f"http://127.0.0.1:{choose_port()}")
    beaten = asyncio.Event()

    async def beat(_worker: str) -> None:
        beaten.set()

    parts = rig.notary_parts(witnesses=(away,), monotonic_s=count(step=10.0).__next__)
    async with asyncio.timeout(PATIENCE_S), standing_by([build_notary(parts)], beat, QUICK):
        await beaten.wait()
        for _ in range(2):
            await rig.play()
            lines = sum(game.last_version for game in rig.last.values())
            while parse_signed_checkpoint((await rig.read_notes())[-1]).checkpoint.tree_size < lines:
                pass

    assert find_disagreements(await rig.read_notes(), await rig.read_events()) == []


@pytest.mark.parametrize("lines", [2, 9])
async def test_an_older_ledger_is_refused(rig: Rig, other_database: Database, tmp_path: Path, lines: int) -> None:
    await rig.play()
    await rig.notarise()
    async with open_rig(other_database, tmp_path) as restored:
        await restored.play(lines=lines)
        worker = build_notary(restored.notary_parts())

        with pytest.raises(worker.refusals) as refused:
            async with worker.open():
                pass

    assert isinstance(refused.value, OlderLedger)


async def test_a_session_without_the_lock_remembers_what_was_published_and_signs_nothing(
    rig: Rig, tmp_path: Path
) -> None:
    elsewhere = rig.notary_parts(folder=tmp_path / "elsewhere")
    await rig.play()
    await rig.notarise()

    async with notary_desk(rig.url) as desk, build_notary(elsewhere).open() as step:
        assert desk is not None
        assert step is None

    assert list(elsewhere.folder.iterdir())
