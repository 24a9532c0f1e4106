"""The contract of the timekeeper's book, run on each, so that the one in memory cannot lie about the other."""

from collections.abc import AsyncIterator

import pytest

from domain.game.absence import Absence
from domain.game.commands import GameCommand
from domain.game.events import GameAborted
from domain.ids import CommandId, GameId, LogPosition, StreamId
from domain.log.actors import ByOperator
from domain.log.record import parse_at
from infra.clock_book import BookMark, BookMoved, ClockBook, NotedAbsence
from infra.event_store import EventStore
from infra.postgres.clock_book import timekeeper_book
from infra.postgres.event_store import open_event_store
from simulate.stores.clock_book import MemoryClockBook
from simulate.stores.event_store import MemoryEventStore
from tests.database import NewDatabase
from tests.domain.game.game_harness import ADA, GAME, NOON, opening, with_clock
from tests.services.commands.test_arena import arena_on, take

OTHER = GameId(StreamId("0199c0de-0000-7000-8000-000000000002"))
ABORT = "0199c0de-0000-7000-8000-000000000003"
START = LogPosition(0)
FIRST = Absence(from_ms=NOON, to_ms=NOON + 5_000)
SECOND = Absence(from_ms=NOON + 8_000, to_ms=NOON + 12_000)


def abort(game: GameId) -> GameCommand:
    event = GameAborted(reason="none")
    return GameCommand(id=CommandId(ABORT), stream=game, at_ms=NOON, actor=ByOperator(), event=event)


@pytest.fixture(params=["memory", "postgres"])
async def kept(
    request: pytest.FixtureRequest, new_database: NewDatabase
) -> AsyncIterator[tuple[EventStore, ClockBook]]:
    if request.param == "memory":
        store = MemoryEventStore()
        yield store, MemoryClockBook(store)
        return
    async with (
        new_database() as database,
        open_event_store(database.app_url) as opened,
        timekeeper_book(database.app_url) as book,
    ):
        assert book is not None
        yield opened, book


async def test_moves_tell_what_clocks_need_to_know(kept: tuple[EventStore, ClockBook]) -> None:
    store, book = kept
    arena = arena_on(store)
    await arena.handle(opening(clock=with_clock(90), seats=2))
    await arena.handle(opening(id=CommandId(OTHER), stream=OTHER))
    await arena.handle(take(0, ADA))

    moves = await book.read_moves(after=START, limit=10)

    told = [(move.position, move.game, move.type, move.per_decision_ms) for move in moves]
    assert told == [
        (1, GAME, "game_opened", 90_000),
        (2, OTHER, "game_opened", None),
        (3, GAME, "seat_taken", None),
    ]
    assert {move.at_ms for move in moves} == {NOON} == {parse_at("2026-11-18T12:00:00.000Z")}
    assert await book.read_moves(after=LogPosition(1), limit=1) == moves[1:2]


async def test_a_new_book_begins_at_the_beginning(kept: tuple[EventStore, ClockBook]) -> None:
    _, book = kept

    assert await book.read_mark() == BookMark(position=START, per_decision_ms={})


async def test_clocks_are_watched_from_the_opening_of_their_game_to_its_end(kept: tuple[EventStore, ClockBook]) -> None:
    store, book = kept
    arena = arena_on(store)
    await arena.handle(opening(clock=with_clock(90), seats=2))
    await arena.handle(opening(id=CommandId(OTHER), stream=OTHER, clock=with_clock(1)))
    await book.follow(START, LogPosition(2))
    both = await book.read_mark()

    await arena.handle(abort(OTHER))
    await book.follow(LogPosition(2), LogPosition(4))

    assert both == BookMark(position=LogPosition(2), per_decision_ms={GAME: 90_000, OTHER: 1_000})
    assert await book.read_mark() == BookMark(position=LogPosition(4), per_decision_ms={GAME: 90_000})


async def test_nobody_follows_from_a_place_where_somebody_else_was(kept: tuple[EventStore, ClockBook]) -> None:
    store, book = kept
    arena = arena_on(store)
    await arena.handle(opening())
    await arena.handle(opening(id=CommandId(OTHER), stream=OTHER, clock=with_clock(1)))
    await book.follow(START, LogPosition(1))

    with pytest.raises(BookMoved):
        await book.follow(START, LogPosition(2))

    assert (await book.read_mark()).per_decision_ms == {}


async def test_the_first_beat_follows_no_absence(kept: tuple[EventStore, ClockBook]) -> None:
    _, book = kept

    assert await book.beat(NOON) == []


async def beat_at(book: ClockBook, *seconds: float) -> list[tuple[float, float]]:
    """Beat so many seconds after noon, and return the absences that are owed then."""
    noted: list[NotedAbsence] = []
    for second in seconds:
        noted = await book.beat(NOON + round(second * 1_000))
    return [((absence.absence.from_ms - NOON) / 1_000, (absence.absence.to_ms - NOON) / 1_000) for absence in noted]


@pytest.mark.parametrize(
    ("seconds", "absences"),
    [
        ((0, 2.999), []),
        ((0, 3), [(0, 3)]),
        ((0, -9), []),
        # Late ones that follow each other, with beats on time between them for less than three seconds.
        ((0, 2.5, 5), [(0, 5)]),
        ((0, 2, 3, 4, 4.9, 6.9), [(0, 6.9)]),
        ((0, 2, 3, 4, 5, 7), []),
        ((0, 1.9, 3.8, 5.7), []),
        # A late one soon after an absence.
        ((0, 5, 6, 8), [(0, 5), (5, 8)]),
        ((0, 5, 6, 7, 8, 10), [(0, 5)]),
        # After a clock that was ahead.
        ((3_600, 3_603, 0, 2.5), [(3_600, 3_603)]),
        ((3_600, 3_603, 0, 3), [(3_600, 3_603), (0, 3)]),
    ],
)
async def test_late_beats_are_absences_from_some_length_on(
    kept: tuple[EventStore, ClockBook], seconds: tuple[float, ...], absences: list[tuple[float, float]]
) -> None:
    _, book = kept

    assert await beat_at(book, *seconds) == absences


async def test_absences_are_owed_until_they_were_given_back(kept: tuple[EventStore, ClockBook]) -> None:
    _, book = kept
    assert await beat_at(book, 0, 5, 6, 7, 8, 12) == [(0, 5), (8, 12)]
    first, second = await book.beat(SECOND.to_ms)

    await book.note_given_back(through=first.number)

    assert [first.absence, second.absence] == [FIRST, SECOND]
    assert (await book.read_mark()).absences == (FIRST,)
    assert await book.beat(SECOND.to_ms) == [NotedAbsence(number=second.number, absence=SECOND)]
