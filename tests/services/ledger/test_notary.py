"""What the notary makes of a log, and that nothing makes it sign two things that disagree."""

from itertools import count
from pathlib import Path

import pytest

from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.leaf import format_leaf
from domain.ledger.signers import check_signed
from infra.ledger_store import HeadMoved
from infra.postgres.ledger_store import notary_desk
from services.ledger.signed_memory import OlderLedger
from services.workers.notary_standby import UnknownOrigin, check_not_older, remember_published
from tests.appends import following
from tests.database import Database
from tests.services.ledger.ledger_harness import ORIGIN, Rig, drain, find_disagreements, open_rig, roots_of


async def test_every_event_is_a_leaf_in_the_order_of_the_log(rig: Rig) -> None:
    await rig.play(games=5, lines=60)

    await rig.notarise()

    events = await rig.read_events()
    head = await rig.ledger.read_head()
    entries = await rig.ledger.read_entries(0, head.tree_size)
    assert [entry.position for entry in entries] == [event.position for event in events]
    assert head.root == roots_of(events)[len(events)]
    assert str(entries[7].leaf.version) in format_leaf(entries[7].leaf).decode()


async def test_the_checkpoint_is_signed_under_the_origin_and_kept_beside_the_key(rig: Rig) -> None:
    await rig.play()

    await rig.notarise()

    parts = rig.notary_parts()
    published = await rig.ledger.find_checkpoint(ORIGIN)
    assert published is not None
    signed = parse_signed_checkpoint(published.note)
    assert check_signed(signed.note, (parts.signer.key,))
    assert signed.checkpoint.origin == ORIGIN
    assert [path.read_bytes() for path in rig.folder.glob("*.checkpoint")] == [published.note]


async def test_the_next_notary_goes_on_where_the_last_one_stopped(rig: Rig) -> None:
    for _ in range(4):
        await rig.play(games=2, lines=50)
        await rig.notarise()

    events = await rig.read_events()
    assert (await rig.ledger.read_head()).tree_size == len(events)
    assert len(await rig.read_notes()) == 4
    assert find_disagreements(await rig.read_notes(), events) == []


async def test_a_log_that_stands_still_gets_no_further_checkpoint(rig: Rig) -> None:
    await rig.play()
    await rig.notarise()
    before = await rig.read_notes()

    await rig.notarise()

    assert await rig.read_notes() == before


async def test_only_one_session_gets_the_desk(rig: Rig) -> None:
    async with notary_desk(rig.url) as first, notary_desk(rig.url) as second:
        assert first is not None
        assert second is None

    async with notary_desk(rig.url) as third:
        assert third is not None


async def test_a_notary_that_was_overtaken_stores_and_signs_nothing(rig: Rig) -> None:
    await rig.play()
    async with notary_desk(rig.url) as desk:
        assert desk is not None
        slow = await rig.open_notary(desk)
        quick = await rig.open_notary(desk)
        await drain(quick)

        with pytest.raises(HeadMoved):
            await slow.grow()

    events = await rig.read_events()
    assert (await rig.ledger.read_head()).tree_size == len(events)
    assert find_disagreements(await rig.read_notes(), events) == []


async def test_a_clock_that_is_moved_back_holds_nothing_up(rig: Rig) -> None:
    backwards = count(1_000_000, -5_000)
    async with notary_desk(rig.url) as desk:
        assert desk is not None
        notary = await rig.open_notary(desk, rig.notary_parts(monotonic_s=lambda: float(next(backwards))))
        for _ in range(3):
            await rig.play()
            await notary.step()

    events = await rig.read_events()
    assert len(await rig.read_notes()) == 3
    assert find_disagreements(await rig.read_notes(), events) == []


async def test_a_clock_that_stands_still_gives_one_checkpoint(rig: Rig) -> None:
    async with notary_desk(rig.url) as desk:
        assert desk is not None
        notary = await rig.open_notary(desk, rig.notary_parts(monotonic_s=lambda: 7.0))
        for _ in range(3):
            await rig.play()
            await notary.step()

    assert len(await rig.read_notes()) == 1
    assert (await rig.ledger.read_head()).tree_size == len(await rig.read_events())


async def test_a_database_restored_to_an_older_state_is_refused(rig: Rig, other_database: Database) -> None:
    async with open_rig(other_database, rig.folder) as restored:
        await rig.play()
        for append in rig.last.values():
            await restored.append(append) if append.expected_version == 0 else None
        await rig.notarise()

        with pytest.raises(OlderLedger, match="new-origin"):
            await restored.notarise()

        assert await restored.read_notes() == []


async def test_a_restored_database_that_went_on_to_be_larger_is_refused(rig: Rig, other_database: Database) -> None:
    async with open_rig(other_database, rig.folder) as restored:
        await rig.play()
        await rig.notarise()
        await restored.play(games=9)

        with pytest.raises(OlderLedger, match="root"):
            await restored.notarise()

        assert await restored.read_notes() == []


async def test_a_copy_that_runs_beside_the_original_is_refused(rig: Rig, other_database: Database) -> None:
    async with open_rig(other_database, rig.folder) as copy, notary_desk(copy.url) as desk:
        assert desk is not None
        notary = await copy.open_notary(desk)
        await copy.play(games=9)
        await rig.play()
        await rig.notarise()

        with pytest.raises(OlderLedger):
            await drain(notary)

        assert await copy.read_notes() == []


async def test_a_new_origin_is_the_way_out(rig: Rig, other_database: Database) -> None:
    async with open_rig(other_database, rig.folder) as restored:
        await rig.play(lines=8)
        await rig.notarise()
        await restored.play(lines=4)

        await restored.notarise(restored.notary_parts(origin="ledger.test/again", is_new_origin=True))

        notes = await restored.read_notes("ledger.test/again")
        assert find_disagreements(notes, await restored.read_events()) == []
        assert b"ledger.test/again\n15\n" in notes[0]


async def test_an_origin_is_not_changed_by_accident(rig: Rig) -> None:
    await rig.play()
    await rig.notarise()

    with pytest.raises(UnknownOrigin, match=ORIGIN):
        await check_not_older(rig.notary_parts(origin="ledger.test/mistyped"))


async def test_whoever_stands_by_remembers_what_another_machine_published(
    rig: Rig, other_database: Database, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    await rig.play()
    await rig.notarise()
    parts = rig.notary_parts(folder=elsewhere)

    await remember_published(parts, parts.build_memory())

    async with open_rig(other_database, elsewhere) as restored:
        with pytest.raises(OlderLedger):
            await restored.notarise()


async def test_a_checkpoint_that_was_remembered_and_not_published_is_published_later(rig: Rig) -> None:
    await rig.play()
    await rig.notarise()
    head = await rig.ledger.read_head()
    parts = rig.notary_parts()
    await rig.append(following(next(iter(rig.last.values())), 1))
    async with notary_desk(rig.url) as desk:
        assert desk is not None
        notary = await rig.open_notary(desk)
        await notary.grow()
        signed = parts.signer.sign(tree_size=notary.head.tree_size, root=notary.head.root)
        await parts.build_memory().remember(signed)

    await rig.notarise()

    assert len(await rig.read_notes()) == 2
    assert (await rig.ledger.read_head()).tree_size == head.tree_size + 1
