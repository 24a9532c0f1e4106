"""The ledger's tables keep their promises: the head moves forward alone, and one size has one root."""

from base64 import b64encode
from pathlib import Path

import asyncpg
import pytest
from msgspec.structs import replace

from domain.ids import LogPosition
from domain.ledger.merkle import EMPTY_ROOT
from domain.ledger.tiles import Tile
from infra.ledger_store import CheckpointRefused, Growth, HeadMoved, LedgerHead, StoredCheckpoint
from infra.postgres.ledger_store import notary_desk
from infra.postgres.worker_signs import NOTARY_LOCK
from tests.database import Database
from tests.services.ledger.ledger_harness import ORIGIN, Rig, open_rig

MOVE_BACK = (
    "update spina.ledger_head set tree_size = tree_size - 1",
    "update spina.ledger_head set position = position - 1",
    "update spina.ledger_head set root = sha256('')",
    "insert into spina.ledger_head values (false, 0, sha256(''), 0, '{}')",
)


def checkpoint(size: int, root: bytes) -> StoredCheckpoint:
    note = f"{ORIGIN}\n{size}\n{b64encode(root).decode()}\n\n".encode()
    return StoredCheckpoint(tree_size=size, root=root, note=note)


async def read_growth(rig: Rig) -> Growth:
    """Make a step of the tree that was stored already, as a notary that lost its lock would send it."""
    head = await rig.ledger.read_head()
    entries = tuple(await rig.ledger.read_entries(0, head.tree_size))
    before = LedgerHead(tree_size=0, root=EMPTY_ROOT, position=LogPosition(0), edge=())
    return Growth(before=before, after=head, entries=entries, tiles=(), moved={})


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


async def test_a_step_from_another_head_is_refused_whole(database: Database, tmp_path: Path) -> None:
    async with open_rig(database, tmp_path) as rig:
        await rig.play()
        await rig.notarise()
        growth = await read_growth(rig)
        async with notary_desk(rig.url) as desk:
            assert desk is not None
            for before in (
                growth.before,
                replace(growth.after, tree_size=growth.after.tree_size, root=EMPTY_ROOT),
                replace(growth.after, position=LogPosition(growth.after.position - 1)),
            ):
                grown = replace(growth.after, tree_size=before.tree_size + len(growth.entries))
                with pytest.raises(HeadMoved):
                    await desk.grow(replace(growth, before=before, after=grown))

        assert await rig.ledger.read_head() == growth.after


async def test_a_size_has_one_root(database: Database, tmp_path: Path) -> None:
    async with open_rig(database, tmp_path) as rig:
        await rig.play()
        await rig.notarise()
        published = await rig.ledger.find_checkpoint(ORIGIN)
        assert published is not None
        async with notary_desk(rig.url) as desk:
            assert desk is not None
            await desk.publish(ORIGIN, published)
            with pytest.raises(CheckpointRefused, match="another root"):
                await desk.publish(ORIGIN, checkpoint(published.tree_size, EMPTY_ROOT))
            with pytest.raises(CheckpointRefused, match="leaves"):
                await desk.publish(ORIGIN, checkpoint(published.tree_size + 1, EMPTY_ROOT))

        assert await rig.ledger.find_checkpoint(ORIGIN) == published


async def test_origins_are_listed_once_each(database: Database, tmp_path: Path) -> None:
    async with open_rig(database, tmp_path) as rig:
        assert await rig.ledger.list_origins() == []
        for origin in ("b", "a"):
            for _ in range(2):
                await rig.play()
                await rig.notarise(rig.notary_parts(origin=origin, is_new_origin=True))

        assert await rig.ledger.list_origins() == ["a", "b"]


async def test_a_tile_that_is_not_as_wide_is_left_out(database: Database, tmp_path: Path) -> None:
    async with open_rig(database, tmp_path) as rig:
        await rig.play()
        await rig.notarise()
        wide, narrow = Tile(level=0, index=0, width=16), Tile(level=0, index=0, width=15)

        found = await rig.ledger.read_tiles([wide, narrow, Tile(level=1, index=0, width=1)])

        assert [tile.width for tile in found] == [15]
        assert len(found[narrow]) == 15 * 32


async def test_the_first_line_of_a_witness_stays(database: Database, tmp_path: Path) -> None:
    async with open_rig(database, tmp_path) as rig:
        await rig.play()
        await rig.notarise()
        size = (await rig.ledger.read_head()).tree_size

        for line in ("— w1 Zmlyc3Q=\n", "— w1 c2Vjb25k\n"):
            await rig.ledger.cosign(ORIGIN, tree_size=size, witness="w1", line=line)

        cosigned = await rig.ledger.find_cosigned_after(ORIGIN, 0, witnesses=1, limit=5)
        assert [each.note.endswith(b"Zmlyc3Q=\n") for each in cosigned] == [True]
        assert await rig.ledger.find_cosigned_after(ORIGIN, size, witnesses=1, limit=5) == []
        assert await rig.ledger.find_cosigned_after(ORIGIN, 0, witnesses=2, limit=5) == []
