"""Clocks run out when the log states so: once, not too early, and never for the server's own absence."""

import asyncio
from functools import partial
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from domain.audit.findings import Broken
from domain.audit.walk import walk
from domain.derived_ids import derive_command, is_derived
from domain.game.clock import list_running
from domain.game.commands import GameCommand
from domain.game.consent import PAUSE_MS_MAX
from domain.game.events import ClockExpired, GameAborted
from domain.game.kind import GAMES
from domain.game.state import Game, find_owed
from domain.ids import CommandId, GameId, StreamVersion
from domain.ledger.leaf import build_leaf
from domain.log.actors import ByOperator
from domain.log.entry import Entry
from domain.log.record import encode_line, format_at, line_hash, parse_at
from domain.log.replay import read_entry
from infra.store_faults import StoreUnavailable
from services.workers.timekeeper import LATE_MS
from simulate.stores.clock_book import MemoryClockBook
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import CATALOGUE, LEAF_KEY, NOON, RULES, SECRET
from tests.domain.log.redeciding import redecide
from tests.services.commands.test_arena import BreakingStore, arena_on
from tests.services.workers.broken_book import BrokenBook
from tests.services.workers.broken_desk import Way
from tests.services.workers.timekeeper_harness import SECOND, Hall, new_hall, no_bank

GAMES_OF_A_BATCH = 150


async def test_a_clock_expires_as_soon_as_its_time_is_up_and_once() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())

    await hall.work(60)
    in_time = await hall.expiries(game)
    await hall.work(0.5)
    await hall.work(30)

    assert in_time == []
    assert await hall.expiries(game) == [(0, "01:00"), (1, "01:00")]


async def test_nobody_can_use_up_the_id_by_which_a_clock_will_expire() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())

    await hall.work(61)

    (first, *_) = await hall.lines(game, "clock_expired")
    assert first.command is not None
    # No client may send such an id, and another one would not stand in the way.
    assert is_derived(first.command)


async def test_an_expiry_that_a_delay_still_hides_is_not_found_by_its_leaf_in_the_ledger(guesses: int) -> None:
    """An outsider knows all lines before it, the leaf key, the rules, and the second in which the clock ran out."""
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(61)
    (expired, *_) = await hall.lines(game, "clock_expired")
    make = partial(build_leaf, bytes.fromhex(LEAF_KEY), stream=game, version=expired.version)
    leaf = make(line=line_hash((await hall.raws(game))[expired.version - 1]))

    def is_found(command: CommandId | None) -> bool:
        lines = (replace(expired, at=format_at(NOON + ms), command=command) for ms in range(60_000, 61_000))
        return any(make(line=line_hash(encode_line(line))) == leaf for line in lines)

    subject = f"expiry of {expired.data['decision']} of seat 0 since {NOON}"
    secrets = (None, *(number.to_bytes(32, "big") for number in range(guesses // 1_000 - 1)))
    guessed = [is_found(derive_command(game, subject, secret=secret)) for secret in secrets]
    assert is_found(expired.command)
    assert guessed == [False] * (guesses // 1_000)


async def test_an_answer_that_came_in_time_goes_before_the_expiry() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(60)
    answer = await hall.choice(game, 0)
    hall.now_ms += LATE_MS

    await hall.step()
    await hall.arena.handle(answer)
    hall.now_ms += 1
    await hall.step()

    assert [seat for seat, _ in await hall.expiries(game)] == [1]


async def test_a_pause_ends_after_a_week_and_the_clocks_run_on_from_there() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(20)
    await hall.pause(game)

    await hall.work(120)
    hall.wait(7 * 24 * 3_600)
    await hall.work(50)

    (ended,) = await hall.lines(game, "pause_ended")
    assert ended.by == "clock"
    assert parse_at(ended.at) > NOON + 20 * SECOND + PAUSE_MS_MAX
    expiries = await hall.lines(game, "clock_expired")
    assert [parse_at(expiry.at) > parse_at(ended.at) + 40 * SECOND for expiry in expiries] == [True, True]


async def test_whoever_sealed_and_does_not_reveal_forfeits() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(1)
    await hall.seal(game, 0)
    await hall.seal(game, 1)

    await hall.work(61)

    assert len(await hall.lines(game, "action_forfeited")) == 2


async def test_a_game_left_alone_is_played_to_its_end_by_the_clock() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank(1))

    for _ in range(200):
        await hall.work(1)
        if (await hall.read(game)).status != "running":
            break
    await hall.step()

    assert (await hall.read(game)).status == "finished"
    assert hall.timekeeper is not None
    assert hall.timekeeper.watched_count == 0
    assert redecide(GAMES, await hall.raws(game), CATALOGUE, SECRET).status == "finished"


async def test_a_game_without_a_clock_is_not_watched() -> None:
    hall = new_hall()
    game = await hall.open()
    await hall.work()
    await hall.arena.handle(
        GameCommand(
            event=GameAborted(reason="nobody came"),
            id=CommandId("0199c0de-0000-7000-b000-000000000001"),
            stream=game,
            at_ms=NOON,
            actor=ByOperator(),
        )
    )

    await hall.step()

    assert hall.timekeeper is not None
    assert hall.timekeeper.watched_count == 0


async def test_whoever_answers_on_another_process_moves_the_deadline() -> None:
    hall = new_hall()
    elsewhere = arena_on(hall.store)
    game = await hall.open(clock=no_bank())
    await hall.work(50)

    for seat in (0, 1):
        await elsewhere.handle(await hall.choice(game, seat))
    await hall.work(59)
    early = await hall.expiries(game)
    await hall.work(2)

    assert early == []
    assert {at for _, at in await hall.expiries(game)} == {"01:50"}


async def test_more_games_than_are_looked_at_together_all_expire() -> None:
    hall = new_hall()
    games = [await hall.open(clock=no_bank()) for _ in range(GAMES_OF_A_BATCH)]

    await hall.work(61)

    assert [len(await hall.expiries(game)) for game in games] == [2] * GAMES_OF_A_BATCH


async def test_two_timekeepers_at_once_expire_a_clock_once() -> None:
    hall = new_hall()
    game = await hall.open(clock=no_bank())
    await hall.work(1)
    other = Hall(hall.store, hall.book)
    other.now_ms = hall.now_ms
    await other.work()

    for second in range(2, 62):
        hall.now_ms = other.now_ms = NOON + second * SECOND
        await asyncio.gather(hall.step(), other.step())

    assert [seat for seat, _ in await hall.expiries(game)] == [0, 1]


@pytest.mark.parametrize("way", Way)
@pytest.mark.parametrize("breaks_at", range(6))
async def test_whatever_write_of_the_book_breaks_an_absence_is_given_back_once(breaks_at: int, way: Way) -> None:
    store = MemoryEventStore()
    book = MemoryClockBook(store)
    hall = Hall(store, book)
    game = await hall.open(clock=no_bank())
    await hall.work(40)
    hall.wait(100)
    hall.restart()

    hall.book = BrokenBook(book, breaks_at=breaks_at, way=way)
    for _ in range(4):
        try:
            await hall.work(2)
        except StoreUnavailable:
            hall.restart()
    await hall.work(6)

    (extension,) = await hall.lines(game, "clock_extended")
    assert extension.data["ms"] == 100 * SECOND
    assert await hall.expiries(game) == []


@pytest.mark.parametrize("is_persisted", [False, True])
@pytest.mark.parametrize("after_s", [59, 200])
async def test_an_append_that_breaks_neither_loses_nor_doubles_what_the_clock_does(
    after_s: int, *, is_persisted: bool
) -> None:
    store = BreakingStore()
    hall = new_hall(store)
    game = await hall.open(clock=no_bank())
    await hall.work(59)
    hall.wait(after_s - 59)

    store.is_breaking, store.is_persisted = True, is_persisted
    while store.is_breaking:
        try:
            await hall.work(1)
        except StoreUnavailable:
            hall.restart()
    await hall.work(3)

    assert len(await hall.lines(game, "clock_extended")) == (after_s > 59)
    assert [seat for seat, _ in await hall.expiries(game)] == [0, 1]


async def play_at_random(hall: Hall, games: list[GameId], random: Random) -> list[tuple[int, int]]:
    """Play, work, crash and go away for a while; returns the spans without a timekeeper."""
    away: list[tuple[int, int]] = []
    for _ in range(60):
        game = random.choice(games)
        match random.randrange(6):
            case 0:
                away.append((hall.now_ms, hall.now_ms + random.randrange(3_000, 90_000)))
                hall.now_ms = away[-1][1]
                hall.restart()
                await hall.step()
            case 1:
                hall.restart()
            case 2 | 3:
                found = await hall.read(game)
                for clock in list_running(found)[:1]:
                    if clock.deadline_ms >= hall.now_ms and found.owed[0].decision.kind == "sealed":
                        await hall.entrust(game, clock.seat)
            case _:
                await hall.work(random.randrange(1, 30))
    return away


def keep_state(states: dict[StreamVersion, Game], entry: Entry, state: Game) -> None:
    states[entry.line.version] = state


@pytest.mark.parametrize("seed", range(20))
async def test_whatever_happens_nobody_has_less_than_the_time_of_a_decision(seed: int) -> None:
    random, hall = Random(seed), new_hall()  # noqa: S311 - a seed that can be repeated
    games = [await hall.open(clock=no_bank(30)) for _ in range(3)]
    await hall.step()

    away = await play_at_random(hall, games, random)
    await hall.work(40)

    for game in games:
        states: dict[StreamVersion, Game] = {}
        entries = [read_entry(GAMES, raw, RULES) for raw in await hall.raws(game)]
        walked = walk(GAMES, entries, RULES, SECRET, judge=partial(keep_state, states))
        assert not isinstance(walked.redecision, Broken)
        assert walked.last is not None
        assert all(clock.deadline_ms + LATE_MS >= hall.now_ms for clock in list_running(walked.last))
        for line in await hall.lines(game, "clock_expired"):
            at_ms = parse_at(line.at)
            expired = msgspec.convert(line.data, ClockExpired)
            owed = find_owed(states[line.version], expired.seat, expired.decision)
            assert owed is not None
            lost_ms = sum(max(0, min(to, at_ms) - max(since, owed.since_ms)) for since, to in away)
            assert at_ms - owed.since_ms - lost_ms > 30 * SECOND
