"""Notices follow from the lines of a game; a game in which no account has a way is folded only as players change."""

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from domain.game.events import SeatResigned, StandIn
from domain.game.evolve import settle
from domain.ids import GameId, LogPosition, PlayerId, Seat, StreamId
from services.notices.composing import compose_for_game
from services.notices.finding import NoticeFinder, Placed, cut_whole, find_in_game
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import ADA, BOB, CATALOGUE, GAME, Table, with_clock
from tests.services.api.server import VAULT
from tests.services.commands.test_arena import arena_on, command_of, entrust, start_game
from tests.services.notices.test_tournament_notices import find_all

LIMIT = 1_000


class CountingStore(MemoryEventStore):
    """Counts the reads of single streams, which come before every fold."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    async def load_stream(self, *given: Any) -> Any:
        self.reads += 1
        return await super().load_stream(*given)

    async def read_stream(self, *given: Any, **named: Any) -> Any:
        self.reads += 1
        return await super().read_stream(*given, **named)


async def find_none(_accounts: Collection[PlayerId]) -> set[PlayerId]:
    return set()


def finder_on(store: MemoryEventStore) -> NoticeFinder:
    games = GameHistories(store=store, catalogue=CATALOGUE, vault=VAULT)
    return NoticeFinder(games, TournamentHistories(store))


async def test_a_game_of_accounts_without_a_way_is_folded_only_when_its_players_change() -> None:
    store = CountingStore()
    finder, arena = finder_on(store), arena_on(store)
    await start_game(arena)
    begun = await store.read_log(after=LogPosition(0), limit=LIMIT)
    await finder.find(begun, find_none)
    reads = store.reads
    await arena.handle(command_of(ADA, 30, SeatResigned(seat=Seat(0))))
    over = await store.read_log(after=begun[-1].position, limit=LIMIT)

    assert await finder.find(over, find_none) == []
    assert (reads, store.reads) == (1, 1)


async def test_a_stream_that_cannot_be_read_holds_up_no_other() -> None:
    store = MemoryEventStore()
    finder, arena = finder_on(store), arena_on(store)
    await start_game(arena)
    begun = await store.read_log(after=LogPosition(0), limit=LIMIT)
    lost = [replace(event, stream=StreamId("0199c0de-0000-7000-8000-00000000dead")) for event in begun]

    assert await finder.find([*lost, *begun], find_all) == await finder.find(begun, find_all)


async def test_each_player_of_a_game_is_told_its_start_its_turn_and_its_end_once() -> None:
    store = MemoryEventStore()
    finder, arena = finder_on(store), arena_on(store)
    await start_game(arena)
    begun = await store.read_log(after=LogPosition(0), limit=LIMIT)
    told_begun = await finder.find(begun, find_all)
    await arena.handle(command_of(ADA, 30, SeatResigned(seat=Seat(0))))
    told_over = await finder.find(await store.read_log(after=begun[-1].position, limit=LIMIT), find_all)

    assert {(notice.kind, notice.account) for notice in told_begun} == {
        (kind, player) for kind in ("game_started", "your_turn") for player in (ADA, BOB)
    }
    assert {(notice.kind, notice.account) for notice in told_over} == {("game_over", ADA), ("game_over", BOB)}
    assert {notice.stream for notice in (*told_begun, *told_over)} == {GameId(GAME)}
    assert len({notice.id for notice in (*told_begun, *told_over)}) == len(told_begun) + len(told_over) == 6


async def test_lines_are_read_up_to_the_end_of_a_command() -> None:
    store = MemoryEventStore()
    arena = arena_on(store)
    await start_game(arena)
    for seat in (0, 1):
        await arena.handle(entrust(await arena.load(GAME), seat, seat))
    whole = await store.read_log(after=LogPosition(0), limit=LIMIT)
    ends = {len(whole), *(place for place in range(len(whole)) if b'"command":null' not in whole[place].body)}

    cuts = {len(cut_whole(whole[:limit], limit=limit)) for limit in range(1, len(whole) + 1)}

    assert cuts <= ends
    assert list(cut_whole(whole, limit=LIMIT)) == list(whole)


def test_a_player_is_told_that_the_seat_was_handed_over_until_it_is_taken_back() -> None:
    table = Table(clock=with_clock(60, 0), stand_in=StandIn(bot="steady", after=1)).start()
    before = settle(table.game)
    table.now += 60_001
    lines = [entry.line for entry in table.expire(0, table.owed(0)[0].id).entries]
    placed = [Placed(position=LogPosition(line.version), line=line) for line in lines]

    handed = [notice for notice in find_in_game(before, settle(table.game), placed) if notice.kind == "seat_handed"]

    assert [notice.account for notice in handed] == [ADA]
    content = compose_for_game("seat_handed", table.game, ADA, "Charioteer", fact=handed[0].fact)
    assert content is not None
    assert content.text == "A house bot plays your seat in Charioteer: take it back."
    table.reclaim(0)
    assert compose_for_game("seat_handed", table.game, ADA, "Charioteer", fact=handed[0].fact) is None
