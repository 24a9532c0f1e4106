"""What does not stand where it states stops the ledger before a leaf is made of it."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.ids import LineHash, LogPosition, StreamVersion
from domain.log.record import GENESIS, line_hash
from infra.event_store import StoredEvent
from infra.postgres.ledger_store import notary_desk
from services.ledger.leaves import BrokenLog, LeafMaker
from tests.appends import LEAF_KEY, new_game, opening
from tests.services.ledger.ledger_harness import Rig, drain

START = LogPosition(0)


def rewritten(event: StoredEvent, old: str, new: str) -> StoredEvent:
    """Change the line and its hash with it."""
    body = event.body.replace(old.encode(), new.encode(), 1)
    assert body != event.body
    return replace(event, body=body, hash=line_hash(body))


DAMAGE: dict[str, Callable[[StoredEvent], StoredEvent]] = {
    "another line": lambda event: replace(event, body=event.body.replace(b"seat_readied", b"seat_resigns")),
    "another hash": lambda event: replace(event, hash=LineHash("0" * 64)),
    "a version left out": lambda event: replace(event, version=StreamVersion(event.version + 1)),
    "a version twice": lambda event: replace(event, version=StreamVersion(event.version - 1)),
    "a version only in the store": lambda event: rewritten(event, '"version":3', '"version":4'),
    "a broken chain": lambda event: rewritten(event, '"prev":"', '"prev":"0'),
    "a chain from the start": lambda event: rewritten(
        event, event.body.decode().partition('"prev":"')[2][:64], GENESIS
    ),
    "another game": lambda event: replace(event, stream=new_game()),
    "another game in the line": lambda event: rewritten(event, event.stream, new_game()),
    "no line": lambda event: replace(event, body=b"{}", hash=line_hash(b"{}")),
    "no JSON": lambda event: replace(event, body=b"\xff", hash=line_hash(b"\xff")),
    "a position twice": lambda event: replace(event, position=LogPosition(event.position - 1)),
    "a position back": lambda event: replace(event, position=LogPosition(1)),
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_an_event_that_does_not_fit_is_refused(rig: Rig, damage: str) -> None:
    await rig.append(opening(new_game(), 5))
    events = await rig.read_events()
    events[2] = DAMAGE[damage](events[2])

    with pytest.raises(BrokenLog) as refused:
        await LeafMaker(rig.ledger).build(events, after=START)

    assert refused.value.position == events[2].position


@pytest.mark.parametrize("text", ["", "55" * 31, "55" * 33, "5G" * 32, "AB" * 32])
async def test_a_game_without_a_leaf_key_is_refused(rig: Rig, text: str) -> None:
    await rig.append(opening(new_game()))
    first = rewritten((await rig.read_events())[0], LEAF_KEY, text)

    with pytest.raises(BrokenLog, match="leaf key"):
        await LeafMaker(rig.ledger).build([first], after=START)


@pytest.mark.parametrize("streams_max", [0, 2, 100])
async def test_games_are_followed_with_any_memory(rig: Rig, streams_max: int) -> None:
    maker = LeafMaker(rig.ledger, streams_max=streams_max)
    whole = LeafMaker(rig.ledger)
    await rig.play(games=5)
    await rig.notarise()
    before = (await rig.read_events())[-1].position
    await rig.play(games=0)
    events = [event for event in await rig.read_events() if event.position > before]

    built = await maker.build(events, after=before)
    maker.keep(built.moved)

    assert built == await whole.build(events, after=before)
    assert len(maker._streams) <= streams_max  # noqa: SLF001 - what is bounded cannot be seen from outside


async def test_a_damaged_log_is_neither_stored_nor_signed(rig: Rig) -> None:
    class Damaged:
        async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]:
            events = await rig.store.read_log(after=after, limit=limit)
            return [replace(event, body=event.body + b" ") for event in events]

    await rig.play()
    async with notary_desk(rig.url) as desk:
        assert desk is not None
        notary = await rig.open_notary(desk, replace(rig.notary_parts(), log=Damaged()))
        with pytest.raises(BrokenLog):
            await drain(notary)

    assert (await rig.ledger.read_head()).tree_size == 0
    assert await rig.read_notes() == []
