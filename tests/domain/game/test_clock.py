"""Clocks: deadlines follow from the log alone, exactly to the millisecond."""

from typing import Any

import msgspec
import pytest

from domain.game.clock import charge, find_deadline_ms, waits_for_seat
from domain.game.custody import hold
from domain.game.events import CLOCK_MS_MAX, ClockTerms
from domain.game.kind import GAMES
from domain.game.rejections import ClockRanOut, ClockStillRuns, DecisionNotOwed, NoClock
from domain.game.state import Held
from domain.log.rejections import UnfitEvent
from domain.log.replay import replay
from tests.domain.game.game_harness import CATALOGUE, NOON, SECRET, Table, mug_terms, with_clock
from tests.domain.log.redeciding import redecide
from tests.domain.rulesets.fake_ruleset_torches import Bid, Strike

BIDS = {0: Bid(card=0, drop=None), 1: Bid(card=3, drop=None), 2: Bid(card=6, drop=None)}


def clocked(**terms: Any) -> Table:
    """Return a started game with 60 s a decision and a bank of 120 s; NOON is when its decisions were created."""
    return Table(clock=with_clock(), **terms).start()


def bank_s(table: Table, seat: int) -> float:
    status = table.game.seats[seat]
    assert isinstance(status, Held)
    return status.bank_ms / 1000


def deadline_s(table: Table, place: int = 0) -> float:
    deadline_ms = find_deadline_ms(table.game, table.game.owed[place])
    assert deadline_ms is not None
    return (deadline_ms - NOON) / 1000


def striking() -> Table:
    """Return a game in which one seat owes two strikes at once."""
    table = clocked()
    for seat, bid in BIDS.items():
        table.entrust(seat, bid)
    return table


def test_an_answer_within_the_time_of_its_decision_leaves_the_bank_alone() -> None:
    table = clocked()
    table.now = NOON + 60_000

    table.entrust(0, BIDS[0])

    assert bank_s(table, 0) == 120


def test_what_is_used_above_the_time_of_a_decision_leaves_the_bank() -> None:
    table = clocked()
    table.now = NOON + 60_001

    table.entrust(0, BIDS[0])

    assert bank_s(table, 0) == 119.999


@pytest.mark.parametrize(("late_ms", "is_in_time"), [(-1, True), (0, True), (1, False)])
def test_an_answer_is_in_time_up_to_its_deadline_and_no_millisecond_longer(late_ms: int, *, is_in_time: bool) -> None:
    table = clocked()
    table.now = NOON + 180_000 + late_ms

    if is_in_time:
        table.entrust(0, BIDS[0])
        assert bank_s(table, 0) == -late_ms / 1000
    else:
        with pytest.raises(ClockRanOut):
            table.entrust(0, BIDS[0])


@pytest.mark.parametrize(("late_ms", "has_expired"), [(-1, False), (0, False), (1, True)])
def test_a_clock_expires_just_after_its_deadline(late_ms: int, *, has_expired: bool) -> None:
    table = clocked()
    table.now = NOON + 180_000 + late_ms

    if has_expired:
        table.expire(0, "r1/bid/0")
        assert bank_s(table, 0) == 0
    else:
        with pytest.raises(ClockStillRuns):
            table.expire(0, "r1/bid/0")


def test_an_action_after_its_deadline_is_refused_although_no_expiry_is_logged() -> None:
    table = striking()
    (left, _) = table.owed()
    table.now = NOON + 180_001

    with pytest.raises(ClockRanOut):
        table.play(left.seat, left.id, Strike(target=None))
    assert "clock_expired" not in table.types


def test_a_decision_created_later_has_its_own_time_and_the_bank_that_is_left() -> None:
    table = clocked()
    table.now = NOON + 100_000

    for seat, bid in BIDS.items():
        table.entrust(seat, bid)

    assert deadline_s(table) == 100 + 60 + 80


def test_two_decisions_owed_at_once_use_the_bank_once() -> None:
    table = striking()
    left, right = table.owed()
    table.now = NOON + 100_000
    table.play(left.seat, left.id, Strike(target=None))
    before = deadline_s(table)
    table.now = NOON + 130_000

    table.play(right.seat, right.id, Strike(target=None))

    assert before == 180
    assert bank_s(table, left.seat) == 120 - 70


def test_the_bank_runs_while_any_decision_of_the_seat_is_overdue_in_whatever_order_they_are_answered() -> None:
    table = Table(links=0, **{**mug_terms(), "clock": with_clock()}).start()
    early, also = table.game.owed[:2]
    late = msgspec.structs.replace(also, since_ms=NOON + 30_000)
    game = msgspec.structs.replace(table.game, owed=(early, late))

    banks = [charge(game, answered, NOON + 100_000).bank_ms for answered in (early, late)]

    assert banks == [80_000, 80_000]
    assert [find_deadline_ms(game, owed) for owed in (early, late)] == [NOON + 180_000, NOON + 180_000]


def test_two_decisions_that_ran_out_together_expire_together() -> None:
    table = Table(**{**mug_terms(), "clock": with_clock()}).start()
    table.now = NOON + 180_001
    table.expire(0, "m1/0/a")

    table.expire(0, "m1/0/b")

    assert table.types[-2:] == ["clock_expired", "clock_expired"]


def test_a_seat_that_answered_is_not_expired() -> None:
    table = clocked()
    table.entrust(0, BIDS[0])
    table.now = NOON + 500_000

    with pytest.raises(DecisionNotOwed):
        table.expire(0, "r1/bid/0")


def test_a_choice_that_lapsed_cannot_be_sealed_any_more_nor_lapse_again() -> None:
    table = clocked()
    table.now = NOON + 180_001
    table.expire(0, "r1/bid/0")
    table.extend(0, ms=600_000)

    with pytest.raises(ClockRanOut):
        table.seal(0, BIDS[0], decision="r1/bid/0")
    table.now = NOON + 900_000
    with pytest.raises(DecisionNotOwed):
        table.expire(0, "r1/bid/0")


def test_an_extension_adds_to_the_banks_of_the_seats_it_names() -> None:
    table = clocked()

    table.extend(0, 2, ms=30_000)

    assert [bank_s(table, seat) for seat in range(3)] == [150, 120, 150]
    assert deadline_s(table) == 210


def test_an_extension_saves_a_seat_whose_deadline_has_passed_unexpired() -> None:
    table = clocked()
    table.now = NOON + 400_000
    table.extend(0, 1, 2, ms=600_000)

    table.entrust(0, BIDS[0])

    assert bank_s(table, 0) == 120 + 600 - 340


@pytest.mark.parametrize("seats", [(), (1, 0), (0, 0)])
def test_an_extension_names_seats_ascending_and_once(seats: tuple[int, ...]) -> None:
    table = clocked()

    with pytest.raises(UnfitEvent):
        table.extend(*seats)


def test_without_a_clock_nothing_runs_out() -> None:
    table = Table().start()
    table.now = NOON + 10**10

    with pytest.raises(NoClock):
        table.expire(0, "r1/bid/0")
    with pytest.raises(NoClock):
        table.extend(0)
    table.entrust(0, BIDS[0])
    assert find_deadline_ms(table.game, table.game.owed[0]) is None


def test_what_the_server_has_in_custody_never_expires() -> None:
    table = clocked()
    table.seal(0, BIDS[0])
    table.entrust(1, BIDS[1])
    table.entrust(2, BIDS[2])
    table.now = NOON + 500_000

    assert [waits_for_seat(table.game, owed) for owed in table.game.owed] == [True, False, False]
    with pytest.raises(DecisionNotOwed):
        table.expire(1, "r1/bid/1")


def test_a_reveal_has_a_time_of_its_own() -> None:
    table = clocked()
    for seat in (1, 2):
        table.entrust(seat, BIDS[seat])
    table.now = NOON + 100_000
    table.seal(0, BIDS[0])

    assert deadline_s(table) == 100 + 60 + 80
    table.now = NOON + 240_001
    with pytest.raises(ClockRanOut):
        table.reveal(0, BIDS[0])
    table.expire(0, "r1/bid/0")
    assert "action_forfeited" in table.types


def test_while_a_play_waits_for_another_seat_no_other_clock_runs() -> None:
    table = striking()
    left, right = table.owed()
    table.now = NOON + 50_000
    table.play(left.seat, left.id, Strike(target=0 if left.seat else 1))
    (shield,) = table.owed()
    table.now = NOON + 200_000

    while table.owed()[0].id.count("shield"):
        (shield,) = table.owed()
        table.play(shield.seat, shield.id, table.default(shield))

    again = next(owed for owed in table.game.owed if owed.decision == right)
    assert again.since_ms == NOON + 200_000
    assert deadline_s(table) == 200 + 60 + 120


def test_time_never_goes_back() -> None:
    table = clocked()
    table.now = NOON + 100_000
    table.entrust(0, BIDS[0])
    table.now = NOON + 5

    table.entrust(1, BIDS[1])

    assert table.entries[-1].line.at == table.entries[-2].line.at
    assert bank_s(table, 1) == 80


def test_folding_and_deciding_again_give_the_same_banks() -> None:
    table = striking()
    for step in range(20):
        if table.game.status != "running":
            break
        table.now += 7_000 * (step % 11)
        table.answer_by_default(table.waiting()[0])

    assert hold(replay(GAMES, table.raws, CATALOGUE, secret=SECRET), table.held) == table.game
    assert redecide(GAMES, table.raws, CATALOGUE, SECRET).seats == table.game.seats


def test_an_increment_credits_the_bank_for_the_first_seal_of_a_choice() -> None:
    table = Table(clock=with_clock(60, 120, 5)).start()
    table.entrust(0, BIDS[0])

    table.entrust(0, BIDS[0], decision="r1/bid/0")

    assert bank_s(table, 0) == 125


def test_an_increment_credits_no_clock_that_ran_out() -> None:
    table = Table(clock=with_clock(60, 0, 5)).start()
    table.now = NOON + 60_001

    table.expire(0, table.owed(0)[0].id)

    assert bank_s(table, 0) == 0


def test_an_increment_fills_no_bank_beyond_the_longest_clock() -> None:
    terms = ClockTerms(per_decision_ms=60_000, bank_ms=CLOCK_MS_MAX - 1, increment_ms=5_000)
    table = Table(clock=terms).start()

    table.entrust(0, BIDS[0])

    assert bank_s(table, 0) == CLOCK_MS_MAX / 1000
