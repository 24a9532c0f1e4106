"""Delayed games in projections: the state at the caller's moment, and for a seat the present one."""

from typing import Any

import pytest

from domain.ids import StreamVersion
from domain.log.record import parse_at, parse_line
from infra.event_store import READ_LINES_MAX
from projections.folding import fold
from projections.lobby import LOBBY
from projections.released import OF_GAMES
from services.reading.access import ANYONE, Caller
from services.reading.delayed import DelayedGames
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import ADA, DEE, GAME, NOON, Table
from tests.services.reading.test_histories import histories_on, store_log

DELAY_S = 60


def played_slowly() -> Table:
    """Every seat takes ten seconds for everything."""
    table = Table(delay_s=DELAY_S, seats=2)
    for seat in range(2):
        table.now += 10_000
        table.take(seat)
    for seat in range(2):
        table.now += 10_000
        table.ready(seat)
    for _ in range(6):
        table.now += 10_000
        table.answer_by_default(table.waiting()[0])
    return table


def expected(projection: Any, table: Table, *, now_ms: int) -> Any:
    lines = [parse_line(raw) for raw in table.raws]
    known = [line for line in lines if parse_at(line.at) + DELAY_S * 1_000 <= now_ms]
    return fold(projection, {}, known).states.get(GAME)


@pytest.mark.parametrize("projection", OF_GAMES, ids=lambda each: each.name)
async def test_the_public_is_told_at_any_time_what_was_true_before(projection: Any) -> None:
    table = played_slowly()
    store = await store_log(table)
    delayed = DelayedGames(store, histories_on(store))
    # Back and forth: a cache of a later moment is not shown at an earlier one.
    moments = [NOON + second * 1_000 for second in (59, 60, 200, 75, 81, 110, 111)]

    found = [await delayed.find(projection, GAME, ANYONE, now_ms=now_ms) for now_ms in moments]

    assert found == [expected(projection, table, now_ms=now_ms) for now_ms in moments]
    assert found[0] is None
    assert found[1] is not None


async def test_a_seat_is_told_what_is_and_changes_nothing_for_others() -> None:
    table = played_slowly()
    store = await store_log(table)
    delayed = DelayedGames(store, histories_on(store))
    now_ms = NOON + DELAY_S * 1_000

    seat = await delayed.find(LOBBY, GAME, Caller(player=ADA), now_ms=now_ms)
    other = await delayed.find(LOBBY, GAME, Caller(player=DEE), now_ms=now_ms)

    assert seat is not None
    assert other is not None
    assert (seat.version, other.version) == (len(table.raws), 1)


class CountingStore(MemoryEventStore):
    """Notes how many lines it was asked for."""

    lines = 0

    async def read_stream(self, stream: Any, *, after: StreamVersion, limit: int) -> list[bytes]:
        found = await super().read_stream(stream, after=after, limit=limit)
        self.lines += len(found) if limit < READ_LINES_MAX else 0
        return found


async def test_what_was_folded_is_gone_on_with() -> None:
    table = played_slowly()
    store = CountingStore()
    await store_log(table, store)
    delayed = DelayedGames(store, histories_on(store))
    for second in (100, 110):
        await delayed.find(LOBBY, GAME, ANYONE, now_ms=NOON + second * 1_000)

    state = await delayed.find(LOBBY, GAME, ANYONE, now_ms=NOON + 110_000)

    assert state is not None
    assert store.lines == state.version


class ReadsStore(MemoryEventStore):
    """Counts how often a stream is read."""

    reads = 0

    async def read_stream(self, stream: Any, *, after: StreamVersion, limit: int) -> list[bytes]:
        self.reads += 1
        return await super().read_stream(stream, after=after, limit=limit)


async def test_a_game_in_which_nothing_happens_is_looked_at_once_for_all_outsiders() -> None:
    table, store = played_slowly(), ReadsStore()
    await store_log(table, store)
    delayed, head = DelayedGames(store, histories_on(store)), StreamVersion(len(table.raws))
    moments = range(NOON, NOON + 200_000, 1_000)

    told, looked = [], []
    for now_ms in moments:
        before = store.reads
        told.append(await delayed.find(LOBBY, GAME, ANYONE, now_ms=now_ms, head=head))
        looked.append(store.reads > before)

    fresh = [
        await DelayedGames(store, histories_on(store)).find(LOBBY, GAME, ANYONE, now_ms=moment) for moment in moments
    ]
    assert told == fresh
    assert sum(looked) <= 2 + len({sentence and sentence.version for sentence in told})


async def test_a_player_of_the_game_is_told_it_as_it_is_whatever_outsiders_were_told() -> None:
    table, store = played_slowly(), MemoryEventStore()
    await store_log(table, store)
    delayed, head, now_ms = DelayedGames(store, histories_on(store)), StreamVersion(len(table.raws)), NOON + 30_000

    public = await delayed.find(LOBBY, GAME, ANYONE, now_ms=now_ms, head=head)
    own = await delayed.find(LOBBY, GAME, Caller(player=ADA), now_ms=now_ms, head=head)
    again = await delayed.find(LOBBY, GAME, ANYONE, now_ms=now_ms, head=head)

    assert own is not None
    assert own.version == head
    assert again == public != own
