"""Readers who wait for a tournament: answered once it moves on, all by the same look, and let go when it does not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from domain.ids import StreamId, StreamVersion, TournamentId
from domain.tournament.state import Tournament
from infra.hint_source import MemoryHintSource
from infra.store_faults import StoreUnavailable
from services.commands.tournaments import NoSuchTournament, Tournaments
from services.node.live import SharedHints
from services.reading.tournaments.histories import TournamentHistories
from services.reading.tournaments.watches import TournamentWatches
from services.reading.waiting import AHEAD_MAX
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import GAME
from tests.domain.tournament.tournament_harness import CUP, opening
from tests.services.commands.test_tournaments import enter, tournaments_on
from tests.services.live.live_readers import background
from tests.services.live.node import PATIENCE_S

MANY = 200


class ReadStore(MemoryEventStore):
    """Counts how often it is read, and can be away."""

    def __init__(self) -> None:
        super().__init__()
        self.reads_count = 0
        self.is_away = False

    async def read_stream(self, stream: StreamId, *, after: StreamVersion, limit: int) -> list[bytes]:
        self.reads_count += 1
        if self.is_away:
            raise StoreUnavailable("away")
        return await super().read_stream(stream, after=after, limit=limit)


class Subscribed(MemoryHintSource):
    """Reports its subscriptions."""

    def __init__(self) -> None:
        super().__init__()
        self.streams: set[StreamId] = set()

    def subscribe(self, game: StreamId) -> None:
        super().subscribe(game)
        self.streams.add(game)

    def unsubscribe(self, game: StreamId) -> None:
        super().unsubscribe(game)
        self.streams.remove(game)


class Club:
    """A tournament of version 1 with readers, where time passes when the test states so."""

    def __init__(self) -> None:
        self.store = ReadStore()
        self.hints = Subscribed()
        self.stopping = asyncio.Event()
        self.tournaments: Tournaments = tournaments_on(self.store)
        self.watches = TournamentWatches(
            TournamentHistories(self.store), self.hints, stopping=self.stopping, pause=self._pause
        )
        self._looked = asyncio.Event()
        self._time = asyncio.Event()

    async def _pause(self, event: asyncio.Event, _: float) -> None:
        if event is self.stopping:
            return
        self._looked.set()
        async with asyncio.TaskGroup() as ways:
            over = [ways.create_task(each.wait()) for each in (event, self._time)]
            await asyncio.wait(over, return_when=asyncio.FIRST_COMPLETED)
            for way in over:
                way.cancel()
        self._time.clear()

    def wait_for(self, version: int, *, tournament: TournamentId = CUP) -> asyncio.Task[Tournament]:
        return asyncio.ensure_future(self.watches.wait_for(tournament, version, timeout_s=2 * PATIENCE_S))

    async def until_looked(self) -> None:
        """Wait until nothing but time or a hint brings another look."""
        async with asyncio.timeout(PATIENCE_S):
            await self._looked.wait()
        self._looked.clear()

    def let_time_pass(self) -> None:
        self._time.set()


@pytest.fixture
async def club() -> Club:
    club = Club()
    await club.tournaments.handle(opening())
    return club


@asynccontextmanager
async def hinted(club: Club) -> AsyncIterator[list[StreamId]]:
    """Let hints reach the watches beside another listener; yield the hints of that one."""
    heard: list[StreamId] = []
    source = SharedHints(club.hints, club.watches.hear)
    async with background(source.run(lambda stream, _: heard.append(stream))):
        yield heard


async def test_all_readers_of_a_tournament_share_one_look(club: Club) -> None:
    waiting = [club.wait_for(2) for _ in range(MANY)]
    await club.until_looked()
    before = club.store.reads_count

    await club.tournaments.handle(enter(0))
    club.watches.hear(CUP)
    found = await asyncio.gather(*waiting)

    assert {finding.version for finding in found} == {2}
    assert club.store.reads_count == before + 1


async def test_a_version_that_is_there_is_waited_for_by_nobody(club: Club) -> None:
    await club.tournaments.handle(enter(0))

    found = await club.wait_for(2)

    assert found.version == 2


async def test_whoever_comes_later_is_told_what_the_others_know(club: Club) -> None:
    waiting = club.wait_for(2)
    await club.until_looked()
    before = club.store.reads_count

    found = await club.wait_for(1)

    assert found.version == 1
    assert club.store.reads_count == before
    assert not waiting.done()
    waiting.cancel()
    await asyncio.wait({waiting})


async def test_a_lost_hint_costs_no_more_than_some_time(club: Club) -> None:
    waiting = club.wait_for(2)
    await club.until_looked()

    await club.tournaments.handle(enter(0))
    club.let_time_pass()

    assert (await waiting).version == 2


async def test_a_reader_waits_on_while_the_version_is_another_one(club: Club) -> None:
    first, second = club.wait_for(2), club.wait_for(3)
    await club.until_looked()

    await club.tournaments.handle(enter(0))
    club.watches.hear(CUP)
    await first
    await club.until_looked()
    assert not second.done()
    await club.tournaments.handle(enter(1))
    club.watches.hear(CUP)

    assert (await second).version == 3


async def test_hints_reach_those_who_wait_and_whoever_else_listens(club: Club) -> None:
    async with hinted(club) as heard:
        waiting = club.wait_for(2)
        await club.until_looked()

        await club.tournaments.handle(enter(0))
        club.hints.announce(CUP, StreamVersion(2))
        found = await waiting

    assert found.version == 2
    assert set(heard) == {CUP}


async def test_hints_of_games_are_passed_by(club: Club) -> None:
    club.watches.hear(GAME, StreamVersion(7))

    assert club.store.reads_count == 0


async def test_nobody_waits_for_a_version_that_cannot_come_soon(club: Club) -> None:
    async with asyncio.timeout(PATIENCE_S):
        found = await club.wait_for(2 + AHEAD_MAX)

    assert found.version == 1


async def test_nobody_waits_longer_than_told(club: Club) -> None:
    found = await club.watches.wait_for(CUP, 2, timeout_s=0)

    assert found.version == 1


async def test_whoever_waits_is_let_go_when_the_server_stops(club: Club) -> None:
    waiting = club.wait_for(2)
    await club.until_looked()

    club.stopping.set()
    club.let_time_pass()
    async with asyncio.timeout(PATIENCE_S):
        found = await waiting

    assert found.version == 1


async def test_a_store_that_is_away_is_told_to_all_and_asked_again_by_whoever_comes_again(club: Club) -> None:
    refused = []

    async def insist() -> Tournament:
        try:
            return await club.watches.wait_for(CUP, 2, timeout_s=PATIENCE_S)
        except StoreUnavailable as fault:
            refused.append(fault)
            club.store.is_away = False
            return await club.watches.wait_for(CUP, 2, timeout_s=PATIENCE_S)

    waiting = [asyncio.ensure_future(insist()) for _ in range(2)]
    await club.until_looked()
    club.store.is_away = True
    club.let_time_pass()
    await club.until_looked()
    await club.tournaments.handle(enter(0))
    club.watches.hear(CUP)

    assert {tournament.version for tournament in await asyncio.gather(*waiting)} == {2}
    assert len(refused) == 2


async def test_nobody_waits_for_a_tournament_that_is_not_there(club: Club) -> None:
    with pytest.raises(NoSuchTournament):
        await club.wait_for(1, tournament=TournamentId(StreamId("0199c0de-0000-7000-b000-000000000000")))


async def test_nothing_is_looked_at_or_subscribed_to_once_the_last_reader_has_left(club: Club) -> None:
    waiting = [club.wait_for(2) for _ in range(2)]
    await club.until_looked()

    waiting[0].cancel()
    await asyncio.wait(waiting[:1])
    subscribed = set(club.hints.streams)
    waiting[1].cancel()
    await asyncio.wait(waiting)

    assert subscribed == {CUP}
    assert club.hints.streams == set()
    assert asyncio.all_tasks() == {asyncio.current_task()}
