"""A flipped bit anywhere in what is stored of the ledger is found, at the start and by the tree check."""

import asyncio

import asyncpg
import pytest

from infra.postgres.ledger_store import notary_desk
from services.ledger.signed_memory import OlderLedger
from services.ledger.tree_check import LedgerDamaged, check_after_start, scrub
from tests.database import Database
from tests.services.ledger.ledger_harness import Rig

FLIP = "update spina.{table} set {column} = set_byte({column}, {place}, get_byte({column}, {place}) # 1) where {row}"
DAMAGE = {
    "a leaf": FLIP.format(table="ledger_entry", column="mac", place=7, row="index = 300"),
    "a version": "update spina.ledger_entry set version = version + 1000 where index = 2",
    "a missing entry": "delete from spina.ledger_entry where index = 299",
    "a tile": FLIP.format(table="ledger_tile", column="hashes", place=4000, row="index = 1"),
    "a missing tile": "delete from spina.ledger_tile where level = 0 and index = 0",
    "the edge": FLIP.format(table="ledger_head", column="edge[1]", place=3, row="true"),
    "the edge above": FLIP.format(table="ledger_head", column="edge[2]", place=40, row="true"),
    "the root": FLIP.format(table="ledger_head", column="root", place=0, row="true"),
}


async def damage(database: Database, change: str) -> None:
    """As an owner who takes the guards away first."""
    owner = await asyncpg.connect(database.owner_url)
    try:
        for table in ("ledger_entry", "ledger_tile", "ledger_head"):
            await owner.execute(f"alter table spina.{table} disable trigger user")
        assert (await owner.execute(change)).split()[-1] == "1"
    finally:
        await owner.close()


@pytest.fixture
async def filled(rig: Rig) -> Rig:
    await rig.play(games=6, lines=99)
    await rig.notarise()
    assert (await rig.ledger.read_head()).tree_size == 600
    return rig


@pytest.mark.parametrize("what", DAMAGE)
async def test_nothing_is_signed_over_damage(filled: Rig, database: Database, what: str) -> None:
    await damage(database, DAMAGE[what])
    await filled.play()

    # The file beside the key knows the root as well, and is asked first.
    with pytest.raises((LedgerDamaged, OlderLedger)):
        await filled.notarise()

    assert len(await filled.read_notes()) == 1


@pytest.mark.parametrize("what", DAMAGE)
async def test_the_tree_check_finds_old_damage(filled: Rig, database: Database, what: str) -> None:
    await damage(database, DAMAGE[what])

    with pytest.raises(LedgerDamaged):
        await asyncio.wait_for(scrub(filled.ledger, pause_s=0.0), timeout=20)


async def test_an_undamaged_ledger_is_found_so(filled: Rig) -> None:
    head = await filled.ledger.read_head()

    await check_after_start(filled.ledger, head)
    async with notary_desk(filled.url) as desk:
        assert desk is not None
        assert (await filled.open_notary(desk)).head == head


async def test_an_empty_ledger_is_found_undamaged(rig: Rig) -> None:
    head = await rig.ledger.read_head()

    await check_after_start(rig.ledger, head)

    assert head.tree_size == 0
