"""What is told of the ledger's health: how far it is behind, how old its checkpoint is, and why it stands still."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from services.workers.notary_health import NotaryHealth, NotaryState, NotaryWatch, read_notary_health
from services.workers.office import Office, keep_ledger
from tests.database import Database
from tests.services.workers.ledger import ORIGIN, Rig, open_rig

PATIENCE_S = 20.0


async def read(rig: Rig, state: NotaryState, *, now_s: float = 0.0) -> NotaryHealth:
    watch = NotaryWatch(log=rig.store, ledger=rig.ledger, origin=ORIGIN, state=state)
    return await read_notary_health(watch, now_s=now_s)


async def keep_until(rig: Rig, office: Office, *, is_there: str) -> NotaryHealth:
    """Be the notary until its state has something to say."""
    task = asyncio.create_task(keep_ledger(office, stand_by_s=0.01))
    async with asyncio.timeout(PATIENCE_S):
        while not getattr(office.state, is_there):
            await rig.ledger.read_head()
    health = await read(rig, office.state, now_s=10.0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    return health


async def test_what_is_not_yet_a_leaf_is_behind(rig: Rig) -> None:
    await rig.play(games=2, lines=3)

    health = await read(rig, NotaryState())

    assert (health.behind_positions, health.uncovered_leaves) == (8, 0)
    assert (health.is_notary, health.checkpoint_age_s, health.refused) == (False, None, None)


async def test_a_notary_at_work_is_behind_by_nothing_and_tells_the_age_of_its_checkpoint(rig: Rig) -> None:
    await rig.play()

    health = await keep_until(rig, rig.office(monotonic_s=lambda: 4.0), is_there="published_s")

    assert health == NotaryHealth(
        is_notary=True, behind_positions=0, uncovered_leaves=0, checkpoint_age_s=6.0, refused=None
    )


async def test_a_notary_that_went_home_is_none_any_more(rig: Rig) -> None:
    office = rig.office(monotonic_s=lambda: 4.0)
    await rig.play()
    await keep_until(rig, office, is_there="published_s")

    assert not (await read(rig, office.state)).is_notary


@pytest.mark.parametrize("lines", [2, 9])
async def test_a_ledger_that_is_refused_says_why(
    rig: Rig, other_database: Database, tmp_path: Path, lines: int
) -> None:
    await rig.play()
    await rig.notarise()
    async with open_rig(other_database, tmp_path) as restored:
        await restored.play(lines=lines)

        health = await keep_until(restored, restored.office(), is_there="refused")

    assert health.refused is not None
    assert "restored to an older state" in health.refused
    assert not health.is_notary
