"""What a process can tell of its notary: whether it is at work here, and whether it waits for somebody to come."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from infra.postgres.ledger_store import notary_desk
from services.workers.office import Office, keep_ledger
from tests.database import Database
from tests.services.ledger.ledger_harness import Rig, open_rig

PATIENCE_S = 20.0


@asynccontextmanager
async def keeping(office: Office) -> AsyncIterator[None]:
    task = asyncio.create_task(keep_ledger(office, stand_by_s=0.01))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(rig: Rig, office: Office, **wanted: bool) -> None:
    """Return when the state is as wanted; each look gives the office a turn."""
    async with asyncio.timeout(PATIENCE_S):
        while any(getattr(office.state, name) is not value for name, value in wanted.items()):
            await rig.ledger.read_head()


async def test_whoever_has_the_desk_is_the_notary_until_it_goes_home(rig: Rig) -> None:
    office = rig.office()
    await rig.play()

    async with keeping(office):
        await until(rig, office, is_notary=True, is_refusing=False)

    assert not office.state.is_notary


@pytest.mark.parametrize("lines", [2, 9])
async def test_a_notary_that_refuses_says_so(rig: Rig, other_database: Database, tmp_path: Path, lines: int) -> None:
    await rig.play()
    await rig.notarise()
    async with open_rig(other_database, tmp_path) as restored:
        await restored.play(lines=lines)
        office = restored.office()

        async with keeping(office):
            await until(restored, office, is_notary=False, is_refusing=True)


async def test_who_stands_by_for_a_notary_that_works_refuses_nothing(rig: Rig) -> None:
    office = rig.office()
    await rig.play()
    await rig.notarise()
    office.state.is_refusing = True
    async with notary_desk(rig.url) as desk:
        assert desk is not None

        async with keeping(office):
            await until(rig, office, is_notary=False, is_refusing=False)
