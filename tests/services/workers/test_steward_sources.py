"""Which tournaments the steward hears of: those that go on, and those whose games outlived them."""

from collections.abc import Sequence

import pytest

from domain.ids import GameId, TournamentId
from domain.log.record import parse_at, parse_line
from projections.lobby import LOBBY
from projections.tournaments import TOURNAMENTS
from services.workers.lapses import OPEN_MS_MAX
from services.workers.steward_sources import listing_lapsing, listing_running, listing_unfinished
from simulate.stores.projection_store import MemoryProjections
from tests.domain.audit.audited_tournament import cup
from tests.domain.game.game_harness import NOON
from tests.domain.tournament.tournament_harness import CUP
from tests.projections.games import game_id, golden_games, interleave
from tests.services.workers.projecting import PagedLog, drain, memory_desk, opened_session, sources_of

# The name of the first of some logs that go on side by side.
FIRST = TournamentId(game_id(1))


async def hear_of(*streams: Sequence[bytes]) -> tuple[list[TournamentId], list[TournamentId]]:
    """Project these logs, and list the tournaments that go on and those with games that do."""
    store = MemoryProjections()
    log = PagedLog(interleave([list(stream) for stream in streams]), page=100)
    for projection in (LOBBY, TOURNAMENTS):
        async with opened_session(sources_of(log, lambda: memory_desk(store), projection)) as session:
            await drain(session)
    running = await listing_running(store, lambda: NOON)()
    unfinished = await listing_unfinished(store, lambda: NOON)()
    return list(running), list(unfinished)


@pytest.mark.parametrize(("lines_missing", "running"), [(0, []), (4, [FIRST])])
async def test_a_tournament_is_looked_after_until_it_is_over(lines_missing: int, running: list[TournamentId]) -> None:
    raws = cup().raws[: len(cup().raws) - lines_missing]

    assert await hear_of(raws, *cup().games.values()) == (running, [])


async def test_a_game_that_is_not_over_names_its_tournament_whatever_became_of_that() -> None:
    first, *others = cup().games.values()

    assert await hear_of(cup().raws, first[:1], *others) == ([], [CUP])


async def test_a_game_of_no_tournament_names_none() -> None:
    assert await hear_of(golden_games()[0][:20]) == ([], [])


async def test_games_before_their_start_are_named_a_day_after_the_last_change_in_them() -> None:
    opened = golden_games()[0][0]
    store, opened_ms = MemoryProjections(), parse_at(parse_line(opened).at)
    table, *_ = cup().games.values()
    log = PagedLog(interleave([[opened], golden_games()[1], table[:1]]), page=100)
    async with opened_session(sources_of(log, lambda: memory_desk(store), LOBBY)) as session:
        await drain(session)

    async def list_at(now_ms: int) -> Sequence[GameId]:
        return await listing_lapsing(store, lambda: now_ms)()

    assert await list_at(opened_ms + OPEN_MS_MAX) == []
    assert await list_at(opened_ms + OPEN_MS_MAX + 1) == [game_id(1)]
