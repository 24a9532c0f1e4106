"""Lines that this process has committed reach its readers without a read, and equal those that a read gives."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.game.state import Game
from domain.ids import Seat, StreamId, StreamVersion
from domain.log.enact import Decided
from domain.log.record import GENESIS
from infra.hint_source import MemoryHintSource
from services.live.frame_buffer import LINES_MAX, FrameBuffer
from services.live.hub import Hub, running_hub
from services.live.messages import Frame
from services.live.reader import Reader
from services.live.steps import StepSources, read_steps
from services.reading.access import ANYONE, Caller
from services.reading.histories import KNOWLEDGES, Knowledge
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import ADA, GAME, NOON, Table
from tests.services.live.node import PATIENCE_S
from tests.services.live.test_steps import VIEWS
from tests.services.reading.test_histories import CountingStore, histories_on, store_log


class ReadStore(MemoryEventStore):
    """Counts how often lines are read from it, and answers as slowly as another process does."""

    def __init__(self) -> None:
        super().__init__()
        self.reads_count = 0

    async def read_stream(self, stream: StreamId, *, after: StreamVersion, limit: int) -> list[bytes]:
        self.reads_count += 1
        lines = await super().read_stream(stream, after=after, limit=limit)
        # An answer is on its way for a while, in which more is written.
        await asyncio.sleep(0)
        return lines


class Silence(MemoryHintSource):
    """States nothing, not even that hints begin to come."""

    def subscribe(self, game: StreamId) -> None:
        pass


class Followed:
    """A table in a store, and a hub over it that gets its hints from the test alone."""

    def __init__(self, hub: Hub, store: ReadStore, table: Table, sources: StepSources) -> None:
        self.hub = hub
        self.store = store
        self.table = table
        self.sources = sources

    async def commit(self) -> Decided[Game]:
        """Do the next thing that is owed, as the write path does, up to the commit."""
        known = len(self.table.entries)
        decided = self.table.answer_by_default(self.table.waiting()[0])
        await store_log(self.table, self.store, after=known)
        return decided

    async def join(self, caller: Caller) -> tuple[Reader, list[StreamVersion]]:
        """Join, and take the present in."""
        reader = await self.hub.join(GAME, caller)
        return reader, versions_of(await reader.pull())


def versions_of(told: Sequence[object]) -> list[StreamVersion]:
    return [sentence.version for sentence in told if isinstance(sentence, Frame)]


@asynccontextmanager
async def following() -> AsyncIterator[Followed]:
    store, table = ReadStore(), Table(seats=2).start()
    await store_log(table, store)
    sources = StepSources(histories=histories_on(store), store=store)
    async with running_hub(sources, Silence(), now_ms=lambda: NOON) as hub:
        yield Followed(hub, store, table, sources)


@pytest.fixture
async def followed() -> AsyncIterator[Followed]:
    async with following() as found:
        yield found


@pytest.mark.parametrize(("seat", "knowledge"), VIEWS, ids=["public", "seat 0", "seat 1"])
async def test_frames_of_what_was_written_are_those_of_what_is_read(seat: Seat | None, knowledge: Knowledge) -> None:
    table = Table(seats=2).start()
    store = await store_log(table)
    sources = StepSources(histories=histories_on(store), store=store)
    buffer = FrameBuffer(sources, GAME, "prompt", steps_max=1_000)
    buffer.want(knowledge)
    await buffer.advance(now_ms=NOON)
    first = buffer.version

    table.finish()
    buffer.take(table.entries[first:])

    await store_log(table, store, after=first)
    read = await read_steps(sources, GAME, first, StreamVersion(len(table.raws)), knowledge)
    taken = buffer.steps(knowledge)
    assert taken is not None
    assert len(taken) == len(read) > 20
    for number in range(1, len(read)):
        frames = [steps[number].patch(steps[number - 1], seat) for steps in (taken, read)]
        assert frames[0] == frames[1]


async def test_steps_for_the_public_are_kept_from_when_somebody_of_it_comes() -> None:
    table = Table(seats=2).start()
    store = await store_log(table)
    buffer = FrameBuffer(StepSources(histories=histories_on(store), store=store), GAME, "prompt")
    buffer.want("secret")
    await buffer.advance(now_ms=NOON)
    was_kept = buffer.steps("public") is not None
    known = len(table.entries)

    must_read = buffer.want("public")
    await buffer.advance(now_ms=NOON)
    table.answer_by_default(table.owed()[0])
    buffer.take(table.entries[known:])

    public, secret = buffer.steps("public"), buffer.steps("secret")
    assert (was_kept, must_read) == (False, True)
    assert public is not None
    assert secret is not None
    assert [step.version for step in public] == list(range(known, len(table.entries) + 1))
    assert public[-1].version == secret[-1].version == buffer.version


@pytest.mark.parametrize("knowledge", KNOWLEDGES)
async def test_lines_that_live_readers_took_are_not_read_again_for_others(knowledge: Knowledge) -> None:
    table, store = Table(seats=2).start(), CountingStore()
    await store_log(table, store)
    sources = StepSources(histories=histories_on(store), store=store)
    buffer = FrameBuffer(sources, GAME, "prompt")
    buffer.want(knowledge)
    await buffer.advance(now_ms=NOON)
    known = len(table.entries)
    table.answer_by_default(table.owed()[0])
    await store_log(table, store, after=known)
    store.lines_max = 0

    buffer.take(table.entries[known:])
    newest = await sources.histories.read_newest(GAME, knowledge)

    assert newest is buffer.newest
    assert newest.version == len(table.entries) > known
    assert store.lines_max == 0


async def test_only_so_many_lines_are_taken_at_once() -> None:
    table = Table(seats=2, options={"rounds": 12}).start()
    store = await store_log(table)
    buffer = FrameBuffer(StepSources(histories=histories_on(store), store=store), GAME, "prompt")
    buffer.want("public")
    await buffer.advance(now_ms=NOON)
    first = buffer.version

    lines = table.finish().entries[first : first + LINES_MAX + 1]

    assert len(lines) == LINES_MAX + 1
    assert buffer.can_take(lines[:-1])
    assert not buffer.can_take(lines)


@pytest.mark.parametrize("caller", [ANYONE, Caller(player=ADA)], ids=["anyone", "a player"])
async def test_readers_here_are_told_of_a_commit_without_a_read(followed: Followed, caller: Caller) -> None:
    reader, present = await followed.join(caller)
    before = followed.store.reads_count

    decided = await followed.commit()
    followed.hub.note_written(GAME, decided.entries)
    told = versions_of(await reader.pull())

    assert told == [entry.line.version for entry in decided.entries]
    assert told[0] == present[-1] + 1
    assert followed.store.reads_count == before


async def test_the_hint_that_follows_a_commit_costs_no_read(followed: Followed) -> None:
    reader, _ = await followed.join(ANYONE)
    decided = await followed.commit()
    followed.hub.note_written(GAME, decided.entries)
    before = followed.store.reads_count

    followed.hub.hear(GAME, decided.entries[-1].line.version)
    versions_of(await reader.pull())

    assert followed.store.reads_count == before


async def test_what_does_not_follow_on_what_is_known_is_read(followed: Followed) -> None:
    reader, present = await followed.join(ANYONE)

    # Another process wrote the first of them, and its hint was lost.
    missed = await followed.commit()
    decided = await followed.commit()
    followed.hub.note_written(GAME, decided.entries)
    told = versions_of(await reader.pull())

    both = (*missed.entries, *decided.entries)
    assert told == [entry.line.version for entry in both]
    assert told[0] == present[-1] + 1


async def test_what_is_committed_during_a_read_is_told_after_it_once(followed: Followed) -> None:
    reader = await followed.hub.join(GAME, ANYONE, after=StreamVersion(len(followed.table.raws)))
    decided = await followed.commit()

    # The read that joining began has not had its turn yet.
    followed.hub.note_written(GAME, decided.entries)
    told = versions_of(await reader.pull())
    while told[-1] < decided.entries[-1].line.version:
        told += versions_of(await reader.pull())

    assert told == [entry.line.version for entry in decided.entries]


async def test_lines_that_go_on_from_another_one_are_not_told(followed: Followed) -> None:
    reader, _ = await followed.join(ANYONE)
    decided = await followed.commit()
    first = decided.entries[0]
    other = replace(first, line=replace(first.line, prev=GENESIS), raw=first.raw.replace(b"prev", b"PREV"))

    followed.hub.note_written(GAME, (other, *decided.entries[1:]))
    told = await reader.pull()

    assert versions_of(told) == [entry.line.version for entry in decided.entries]
    assert not any("PREV" in sentence.text for sentence in told if isinstance(sentence, Frame))


# Possible orders of this process, another one that writes the same game, and hints that are lost, late or old.
HAPPENINGS = ("own", "other", "late", "told late", "hint", "old hint", "any hint", "turn")


@given(st.lists(st.sampled_from(HAPPENINGS), min_size=1, max_size=30), st.sampled_from([ANYONE, Caller(player=ADA)]))
@example(["late", "any hint", "turn", "told late", "turn"], ANYONE)
def test_every_version_is_told_once_and_in_order_however_two_processes_write(steps: list[str], caller: Caller) -> None:
    asyncio.run(follow_through(steps, caller))


async def follow_through(steps: Sequence[str], caller: Caller) -> None:
    async with following() as followed:
        reader, present = await followed.join(caller)
        told: list[Frame] = []
        late: list[Decided[Game]] = []
        for step in steps:
            if followed.table.game.status == "running":
                await happen(followed, step, late)
        followed.hub.hear(GAME, None)
        raws = followed.table.raws
        async with asyncio.timeout(PATIENCE_S):
            while len(told) < len(raws) - present[-1]:
                told += [frame for frame in await reader.pull() if isinstance(frame, Frame)]

    assert [sentence.version for sentence in told] == list(range(present[-1] + 1, len(raws) + 1))
    assert all(
        b'"line":' + raw + b',"board":' in each.body for raw, each in zip(raws[present[-1] :], told, strict=True)
    )
    whole = await read_steps(followed.sources, GAME, present[-1], StreamVersion(len(raws)), reader.knowledge)
    frames = [after.patch(before, reader.seat).body for before, after in pairwise(whole)]
    assert [sentence.body for sentence in told] == frames


async def happen(followed: Followed, step: str, late: list[Decided[Game]]) -> None:
    match step:
        case "own":
            followed.hub.note_written(GAME, (await followed.commit()).entries)
        case "other":
            await followed.commit()
        case "late":
            # Announced after the next lines of others, as by a process that was held up.
            late.append(await followed.commit())
        case "hint":
            followed.hub.hear(GAME, StreamVersion(len(followed.table.raws)))
        case "old hint":
            followed.hub.hear(GAME, StreamVersion(1))
        case "told late":
            while late:
                followed.hub.note_written(GAME, late.pop().entries)
        case "any hint":
            followed.hub.hear(GAME, None)
        case _:
            # Work under way goes on for one turn of the loop.
            await asyncio.sleep(0)
