"""The steward: every drawn table gets its game, every finished game its result, and no wait is too long."""

from collections import Counter
from collections.abc import Sequence
from itertools import count

import pytest

from domain.derived_ids import is_derived
from domain.game.commands import GameCommand
from domain.game.events import ClockTerms, GameAborted, HouseOffer
from domain.game.rejections import SeatOfAnother
from domain.house import HOUSE
from domain.ids import LogPosition, StreamId
from domain.log.actors import ByOperator
from domain.tournament.events import TournamentAborted, TournamentClosed
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.ruling_events import GameVoided, ResultReplaced, TableReplayed
from domain.tournament.state import Awaited, Counted, Halted, WalkedOver
from infra.event_store import Append, StreamHead
from infra.store_faults import StoreUnavailable
from services.workers.lapses import LEFT_MS_MAX, OPEN_MS_MAX, READY_MS_MIN
from services.workers.steward import LEFT_BEHIND_EVERY_MS
from simulate.stores.event_store import MemoryEventStore
from tests.domain.log.redeciding import redecide
from tests.domain.tournament.tournament_harness import (
    CATALOGUE,
    CUP,
    HOUR,
    ORGANISER,
    PAIRS,
    SECRET,
    THREES,
    player,
    ranking,
)
from tests.services.workers.steward_harness import Estate


async def test_every_drawn_table_has_a_game_on_the_terms_of_the_tournament_for_those_drawn_there() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(4, tables=PAIRS, delay_s=7)

    await estate.draw()

    for table in (await estate.round()).tables:
        game = await estate.arena.load(table.game)
        assert (game.opened.delay_s, game.opened.seats, game.opened_by) == (7, 2, f"organiser:{ORGANISER.organiser}")
        with pytest.raises(SeatOfAnother):
            await estate.sit_down(table.game, next(index for index in range(4) if index not in table.entrants), seat=0)
        await estate.sit(table, *table.entrants)
        assert (await estate.arena.load(table.game)).status == "running"


async def test_the_result_of_a_game_that_is_over_is_taken_from_its_last_lines() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(4, tables=PAIRS)
    await estate.draw()
    await estate.finish(1)

    await estate.steward.step()

    one, other = (await estate.round()).tables
    game = await estate.arena.load(one.game)
    assert one.result is not None
    assert (one.result.version, one.result.hash) == (game.version, game.head)
    assert isinstance(one.status, Counted)
    assert [score.points for score in one.status.scored] == [60, 0]
    assert isinstance(other.status, Awaited)
    await estate.finish(2)
    await estate.steward.step()
    assert (await estate.round()).is_closed


async def test_a_game_that_was_aborted_waits_for_a_ruling_and_is_played_again_when_one_says_so() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(2, tables=PAIRS)
    await estate.draw()
    (table,) = (await estate.round()).tables
    abort = GameCommand(
        event=GameAborted(reason="The lamps went out."),
        id=estate.next_id(),
        stream=table.game,
        at_ms=estate.now_ms,
        actor=ByOperator(),
    )
    await estate.arena.handle(abort)
    await estate.steward.step()
    halted = (await estate.round()).tables[0]

    await estate.order(TableReplayed, ORGANISER, round=1, table=1, attempt=1, reason="Play it again by daylight.")
    await estate.steward.step()

    again = (await estate.round()).tables[0]
    assert isinstance(halted.status, Halted)
    assert (again.attempt, again.game != table.game) == (2, True)
    await estate.finish(1)
    await estate.steward.step()
    assert isinstance((await estate.round()).tables[0].status, Counted)


async def test_who_does_not_sit_down_in_time_is_drawn_out_and_the_others_play() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(3, tables=THREES)
    await estate.draw()
    (table,) = (await estate.round()).tables
    here = table.entrants[1:]
    await estate.sit(table, *here)
    estate.now_ms += HOUR
    await estate.steward.step()
    early = (await estate.round()).tables[0].attempt

    estate.now_ms += 1_000
    for _ in range(3):
        await estate.steward.step()

    again = (await estate.round()).tables[0]
    assert (early, again.attempt, sorted(again.entrants)) == (1, 2, sorted(here))
    assert (await estate.types(table.game))[-2:] == ["game_aborted", "secret_disclosed"]
    assert (await estate.game(1)).status == "open"


async def test_where_too_few_are_left_they_walk_over() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(2, tables=PAIRS)
    await estate.draw()
    (table,) = (await estate.round()).tables
    await estate.sit(table, table.entrants[0])

    estate.now_ms += HOUR + 1_000
    await estate.steward.step()
    await estate.steward.step()

    walked = (await estate.round()).tables[0]
    assert isinstance(walked.status, WalkedOver)
    assert walked.status.entrants == table.entrants[:1]
    assert (await estate.types(table.game))[-1] == "secret_disclosed"
    assert (await estate.round()).is_closed


async def test_nobody_is_late_for_the_time_in_which_nobody_looked() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(2, tables=PAIRS)
    await estate.draw()
    estate.now_ms += 3 * HOUR
    estate.restart()

    await estate.steward.step()
    at_once = (await estate.round()).tables[0].status
    estate.now_ms += HOUR + 1_000
    await estate.steward.step()

    assert isinstance(at_once, Awaited)
    assert isinstance((await estate.round()).tables[0].status, WalkedOver)


async def test_the_check_in_ends_on_time_and_who_is_there_is_drawn() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(3, tables=PAIRS)
    await estate.call()
    await estate.check_in(0, 2)
    await estate.steward.step()
    early = (await estate.round()).is_drawn

    estate.now_ms += HOUR + 1_000
    await estate.steward.step()

    assert (early, (await estate.round()).field) == (False, (0, 2))


async def test_no_entrant_can_use_up_the_id_of_what_the_server_will_say() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(3, tables=PAIRS)
    await estate.call()
    await estate.check_in(0, 2)
    for _ in range(3):
        estate.now_ms += HOUR + 1_000
        await estate.steward.step()

    said = [line for line in await estate.lines() if line.by in {"server", "clock"} and line.command is not None]

    assert {line.type for line in said} == {"check_in_closed", "no_show_told"}
    # No client may send such an id.
    assert all(is_derived(line.command or "") for line in said)


async def test_no_game_outlives_its_tournament() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(4, tables=PAIRS)
    await estate.draw()
    games = [table.game for table in (await estate.round()).tables]

    await estate.order(TournamentAborted, ORGANISER, reason="The hall burns.")
    for _ in range(2):
        await estate.steward.step()

    assert [(await estate.types(game))[-2:] for game in games] == [["game_aborted", "secret_disclosed"]] * 2


async def test_a_game_that_outlived_its_tournament_while_nobody_looked_is_found() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(2, tables=PAIRS)
    await estate.draw()
    (table,) = (await estate.round()).tables
    await estate.sit(table, table.entrants[0])
    estate.now_ms += HOUR + 1_000
    await estate.steward.step()
    await estate.order(TournamentClosed, ORGANISER, reason="Nobody else came.")
    before = (await estate.types(table.game))[-1]

    estate.restart()
    await estate.steward.step()

    assert before != "secret_disclosed"
    aborted = next(line for line in await estate.lines(table.game) if line.type == "game_aborted")
    assert (aborted.by, aborted.data["reason"]) == ("server", f"Tournament {CUP} is finished.")


@pytest.mark.parametrize("ruling", [GameVoided, ResultReplaced])
async def test_a_game_that_goes_on_when_its_table_is_ruled_on_ends(ruling: type[GameVoided | ResultReplaced]) -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(4, tables=PAIRS)
    await estate.draw()
    one = (await estate.round()).tables[0]
    await estate.sit(one, *one.entrants)
    said = {"ranking": ranking(1, 2)} if ruling is ResultReplaced else {}

    await estate.order(ruling, ORGANISER, round=1, table=1, attempt=1, reason="They played it by post.", **said)
    line = (await estate.read()).rulings[-1].line
    await estate.steward.step()

    aborted = next(line for line in await estate.lines(one.game) if line.type == "game_aborted")
    assert (aborted.by, aborted.data["reason"]) == ("server", f"By the ruling in line {line} of tournament {CUP}.")
    assert (await estate.game(2)).status == "open"
    assert isinstance((await estate.round()).tables[0].status, Counted)
    assert isinstance((await estate.round()).tables[1].status, Awaited)


class CountingStore(MemoryEventStore):
    """Counts how often heads are asked for."""

    asked = 0

    async def read_heads(self, streams: Sequence[StreamId]) -> dict[StreamId, StreamHead]:
        self.asked += 1
        return await super().read_heads(streams)


async def test_however_many_tables_there_were_they_are_looked_at_together() -> None:
    store = CountingStore()
    estate = Estate(store)
    await estate.open(10, tables=PAIRS)
    await estate.draw()
    for number in range(1, 6):
        await estate.finish(number)
    await estate.steward.step()
    estate.restart()
    store.asked = 0

    for _ in range(3):
        await estate.steward.step()

    # A game left behind, a game without a table, and then none any more.
    assert store.asked == 2


async def test_a_game_that_nobody_fills_lapses_a_day_after_the_last_change_in_it() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(2, tables=PAIRS)
    game = await estate.open_game()
    estate.listed_as_lapsing = [game]
    estate.now_ms += OPEN_MS_MAX - 1
    await estate.sit_down(game, 0, seat=0)

    estate.now_ms += OPEN_MS_MAX
    await estate.steward.step()
    before = await estate.types(game)
    estate.now_ms += LEFT_BEHIND_EVERY_MS
    await estate.steward.step()
    await estate.steward.step()

    assert before == ["game_opened", "seat_taken"]
    assert await estate.types(game) == [*before, "game_aborted", "secret_disclosed"]
    aborted = (await estate.lines(game))[2]
    assert (aborted.by, is_derived(str(aborted.command))) == ("operator", True)


async def test_a_seat_that_is_not_ready_after_the_others_ends_the_game_after_a_decision_s_time() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(2, tables=PAIRS)
    game = await estate.open_game(clock=ClockTerms(per_decision_ms=2 * READY_MS_MIN, bank_ms=0))
    estate.listed_as_lapsing = [game]
    for seat, entrant in enumerate((0, 1)):
        await estate.sit_down(game, entrant, seat=seat)
    await estate.ready(game, 0, seat=0)

    estate.now_ms += 2 * READY_MS_MIN
    await estate.steward.step()
    before = await estate.types(game)
    estate.now_ms += LEFT_BEHIND_EVERY_MS
    await estate.steward.step()

    assert before[-1] == "seat_readied"
    aborted = (await estate.lines(game))[-2]
    assert (aborted.type, aborted.data["reason"]) == ("game_aborted", "The others were ready, and waited for seat 1.")


@pytest.mark.parametrize(
    ("offers", "clock", "idle_ms", "status"),
    [
        ((None, HouseOffer(bot="fast")), None, OPEN_MS_MAX, "aborted"),
        ((None, HouseOffer(bot="fast")), ClockTerms(per_decision_ms=HOUR, bank_ms=0), LEFT_MS_MAX, "running"),
        ((), None, OPEN_MS_MAX, "running"),
        ((), None, LEFT_MS_MAX, "aborted"),
    ],
)
async def test_a_game_that_was_started_lapses_without_a_clock_sooner_where_house_bots_wait(
    offers: tuple[HouseOffer | None, ...], clock: ClockTerms | None, idle_ms: int, status: str
) -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(2, tables=PAIRS)
    game = await estate.open_game(offers=offers, clock=clock)
    await estate.start(game, player(0), HOUSE[1] if offers else player(1))
    estate.listed_as_lapsing = [game]

    estate.now_ms += idle_ms + LEFT_BEHIND_EVERY_MS
    await estate.steward.step()

    assert (await estate.arena.load(game)).status == status


class BrokenStore(MemoryEventStore):
    """Fails at one append, which is not done, or done with its answer lost."""

    def __init__(self, *, fails_at: int, is_done: bool) -> None:
        super().__init__()
        self._fails_at = fails_at
        self._is_done = is_done
        self._appends = count(1)
        self.is_counting = False
        self.has_failed = False

    async def append(self, append: Append) -> None:
        fails = self.is_counting and next(self._appends) == self._fails_at
        if not fails or self._is_done:
            await super().append(append)
        if fails:
            self.has_failed = True
            raise StoreUnavailable("cut by the test", may_have_committed=True)


async def play_through(store: BrokenStore) -> list[Counter[str]]:
    """Play a tournament with an absent entrant; at every fault of the store, all workers begin anew from it."""
    estate = Estate(store)
    await estate.open(5, tables=THREES)
    await estate.call()
    await estate.check_in(0, 1, 2, 3, 4)
    for turn in range(12):
        store.is_counting = True
        try:
            await estate.steward.step()
        except StoreUnavailable:
            estate.restart()
        store.is_counting = False
        if turn == 2:
            table = (await estate.round()).tables[0]
            await estate.sit(table, *table.entrants[1:])
            await estate.finish(2)
        estate.now_ms += HOUR + 1_000 if turn > 3 else 1_000
    games = await store.read_log(after=LogPosition(0), limit=1_000)
    return [Counter(await estate.types(stream)) for stream in sorted({event.stream for event in games})]


@pytest.mark.parametrize("is_done", [False, True])
async def test_wherever_it_is_stopped_everything_is_done_once(*, is_done: bool) -> None:
    whole, failed = await play_through(BrokenStore(fails_at=0, is_done=False)), 0

    for place in range(1, 12):
        store = BrokenStore(fails_at=place, is_done=is_done)
        assert await play_through(store) == whole, place
        failed += store.has_failed

    assert failed >= 5


async def test_two_who_look_after_one_tournament_do_nothing_twice() -> None:
    store = MemoryEventStore()
    one, other = Estate(store), Estate(store)
    await one.open(4, tables=PAIRS)
    await one.draw()
    for number in (1, 2):
        await one.finish(number)

    for estate in (one, other):
        await estate.steward.step()

    assert (await one.types()).count("result_taken") == 2
    raws = (await store.load_stream(CUP)).lines
    assert redecide(TOURNAMENTS, raws, CATALOGUE, SECRET).rounds[-1].is_closed
