"""The contract of the ledger's store and of kept proofs, run on each, so that those in memory cannot lie."""

from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.ids import LogPosition, StreamVersion
from domain.ledger.merkle import EMPTY_ROOT
from domain.ledger.tiles import Tile
from infra.checkpoint_file import CheckpointFile
from infra.event_store import EventStore
from infra.ledger_keys import derive_log_signer
from infra.ledger_store import CheckpointRefused, Growth, HeadMoved, Ledger, LedgerHead, NotaryDesk, StoredCheckpoint
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.kept_proofs import KeptProof, KeptProofs
from infra.postgres.ledger_store import PostgresLedger, notary_desk
from infra.postgres.queries import Queries
from infra.postgres.worker_signs import ARCHIVIST_LOCK, locked_session
from services.ledger.notary import Notary, NotarySources
from services.ledger.proofs import LedgerProofs
from services.ledger.signed_memory import SignedMemory
from simulate.stores.event_store import MemoryEventStore
from simulate.stores.kept_proofs import MemoryKeptProofs
from simulate.stores.ledger import MemoryLedger
from tests.appends import following, new_game, opening
from tests.database import NewDatabase
from tests.services.ledger.ledger_harness import KEY, ORIGIN, drain
from tests.services.streams import OTHER, STREAM, build_stream, store_stream

LINES, GAMES = 15, 3
PROOF = KeptProof(version=StreamVersion(len(OTHER)), last_proof=b"last\n", first_seat_proof=None, policy=b"policy\n")


class Shelf(Struct, frozen=True, kw_only=True):
    """One database with a log, its ledger and the proofs that are kept."""

    log: EventStore
    ledger: Ledger
    desk: NotaryDesk
    kept: KeptProofs | MemoryKeptProofs
    folder: Path

    async def play(self) -> None:
        """Let games begin and move on."""
        for _ in range(GAMES):
            begun = opening(new_game())
            await self.log.append(begun)
            await self.log.append(following(begun, LINES // GAMES - 1))

    async def notarise(self, origin: str = ORIGIN) -> LedgerHead:
        signer = derive_log_signer(KEY, origin)
        file = CheckpointFile(self.folder, signer.key)
        sources = NotarySources(
            log=self.log,
            ledger=self.ledger,
            desk=self.desk,
            signer=signer,
            memory=SignedMemory(self.ledger, LedgerProofs(self.ledger), file),
            monotonic_s=lambda: 0.0,
        )
        published = await self.ledger.find_checkpoint(origin)
        await drain(Notary(sources, await self.ledger.read_head(), published=published))
        return await self.ledger.read_head()


@pytest.fixture(params=["memory", "postgres"])
async def shelf(request: pytest.FixtureRequest, new_database: NewDatabase, tmp_path: Path) -> AsyncIterator[Shelf]:
    if request.param == "memory":
        log, ledger = MemoryEventStore(), MemoryLedger()
        yield Shelf(log=log, ledger=ledger, desk=ledger, kept=MemoryKeptProofs(log, ledger), folder=tmp_path)
        return
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(new_database())
        store = await stack.enter_async_context(open_event_store(database.app_url))
        pool = await stack.enter_async_context(build_app_pool(database.app_url))
        desk = await stack.enter_async_context(notary_desk(database.app_url))
        assert desk is not None
        await stack.enter_async_context(locked_session(database.app_url, ARCHIVIST_LOCK))
        yield Shelf(
            log=store, ledger=PostgresLedger(Queries(pool)), desk=desk, kept=KeptProofs(Queries(pool)), folder=tmp_path
        )


def checkpoint(size: int, root: bytes) -> StoredCheckpoint:
    note = f"{ORIGIN}\n{size}\n{b64encode(root).decode()}\n\n".encode()
    return StoredCheckpoint(tree_size=size, root=root, note=note)


async def test_every_leaf_is_found_by_its_line_and_by_its_index(shelf: Shelf) -> None:
    await shelf.play()

    head = await shelf.notarise()

    entries = await shelf.ledger.read_entries(0, LINES)
    found = [await shelf.ledger.find_index(entry.leaf.stream, entry.leaf.version) for entry in entries]
    assert (head.tree_size, head.position) == (LINES, entries[-1].position)
    assert found == list(range(LINES))
    assert await shelf.ledger.find_index(new_game(), StreamVersion(1)) is None


async def test_the_ledger_knows_where_each_stream_stands(shelf: Shelf) -> None:
    await shelf.play()
    await shelf.notarise()
    (first, *_) = await shelf.ledger.read_entries(0, 1)

    streams = await shelf.ledger.read_streams([first.leaf.stream, new_game()])

    stored = await shelf.log.load_stream(first.leaf.stream)
    assert [(stream.version, stream.head) for stream in streams.values()] == [(LINES // GAMES, stored.head)]


async def test_a_step_from_another_head_is_refused_whole(shelf: Shelf) -> None:
    await shelf.play()
    head = await shelf.notarise()
    entries = tuple(await shelf.ledger.read_entries(0, head.tree_size))
    empty = LedgerHead(tree_size=0, root=EMPTY_ROOT, position=LogPosition(0), edge=())

    for before in (empty, replace(head, root=EMPTY_ROOT), replace(head, position=LogPosition(head.position - 1))):
        after = replace(head, tree_size=before.tree_size + len(entries))
        with pytest.raises(HeadMoved):
            await shelf.desk.grow(Growth(before=before, after=after, entries=entries, tiles=(), moved={}))

    assert await shelf.ledger.read_head() == head


async def test_a_size_has_one_root(shelf: Shelf) -> None:
    await shelf.play()
    await shelf.notarise()
    published = await shelf.ledger.find_checkpoint(ORIGIN)
    assert published is not None

    await shelf.desk.publish(ORIGIN, published)
    with pytest.raises(CheckpointRefused, match="another root"):
        await shelf.desk.publish(ORIGIN, checkpoint(published.tree_size, EMPTY_ROOT))
    with pytest.raises(CheckpointRefused, match="leaves"):
        await shelf.desk.publish(ORIGIN, checkpoint(published.tree_size + 1, EMPTY_ROOT))

    assert await shelf.ledger.find_checkpoint(ORIGIN) == published


async def test_checkpoints_are_found_from_a_size_on(shelf: Shelf) -> None:
    for _ in range(3):
        await shelf.play()
        await shelf.notarise()

    found = await shelf.ledger.find_checkpoints_after(ORIGIN, LINES, limit=5)

    assert [finding.tree_size for finding in found] == [2 * LINES, 3 * LINES]
    assert await shelf.ledger.find_checkpoints_after(ORIGIN, 0, limit=1) != found
    assert await shelf.ledger.find_checkpoint("another.test/log") is None


async def test_origins_are_listed_once_each(shelf: Shelf) -> None:
    assert await shelf.ledger.list_origins() == []
    for origin in ("b", "a"):
        for _ in range(2):
            await shelf.play()
            await shelf.notarise(origin)

    assert await shelf.ledger.list_origins() == ["a", "b"]


async def test_a_tile_that_is_not_as_wide_is_left_out(shelf: Shelf) -> None:
    await shelf.play()
    await shelf.notarise()
    wide, narrow = Tile(level=0, index=0, width=LINES + 1), Tile(level=0, index=0, width=LINES)

    found = await shelf.ledger.read_tiles([wide, narrow, Tile(level=1, index=0, width=1)])

    assert [tile.width for tile in found] == [LINES]
    assert len(found[narrow]) == LINES * 32


async def test_the_first_line_of_a_witness_stays(shelf: Shelf) -> None:
    await shelf.play()
    size = (await shelf.notarise()).tree_size

    for line in ("— w1 Zmlyc3Q=\n", "— w1 c2Vjb25k\n"):
        await shelf.ledger.cosign(ORIGIN, tree_size=size, witness="w1", line=line)

    cosigned = await shelf.ledger.find_cosigned_after(ORIGIN, 0, witnesses=1, limit=5)
    assert [each.note.endswith(b"Zmlyc3Q=\n") for each in cosigned] == [True]
    assert await shelf.ledger.find_cosigned_after(ORIGIN, size, witnesses=1, limit=5) == []
    assert await shelf.ledger.find_cosigned_after(ORIGIN, 0, witnesses=2, limit=5) == []


async def test_the_first_proofs_of_an_ended_stream_stay(shelf: Shelf) -> None:
    await store_stream(shelf.log, build_stream())

    await shelf.kept.keep(STREAM, PROOF)
    await shelf.kept.keep(STREAM, replace(PROOF, last_proof=b"another\n", first_seat_proof=b"seat\n"))
    with pytest.raises(asyncpg.InvalidParameterValueError, match="is not the last"):
        await shelf.kept.keep(STREAM, replace(PROOF, version=StreamVersion(2)))

    assert await shelf.kept.find(STREAM) == PROOF
    assert await shelf.kept.find(new_game()) is None


async def test_no_ended_stream_is_passed_by_without_its_proofs(shelf: Shelf) -> None:
    await store_stream(shelf.log, build_stream())
    size = (await shelf.notarise()).tree_size

    with pytest.raises(asyncpg.InvalidParameterValueError, match="wait for a proof"):
        await shelf.kept.mark_passed(size)
    await shelf.kept.keep(STREAM, PROOF)
    for index in (size, size - 1):
        await shelf.kept.mark_passed(index)

    assert await shelf.kept.read_passed() == size


async def test_first_lines_and_last_lines_are_due(shelf: Shelf) -> None:
    stream = build_stream()
    await store_stream(shelf.log, stream)
    await shelf.play()
    await shelf.notarise()

    due = await shelf.kept.list_due(0, LINES)

    assert [(event.stream, event.version, event.opening) for event in due] == [
        (STREAM, 1, stream[0]),
        (STREAM, len(stream), None),
    ]
    assert await shelf.kept.find_first_seat(STREAM) == 2
