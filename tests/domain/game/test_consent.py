"""Consent: the players at a table end their game, or pause its clocks, if all who are present agree."""

from typing import Any

import pytest
from msgspec import UNSET

from domain.game.absence import Absence, count_lost_ms
from domain.game.clock import find_deadline_ms, list_running
from domain.game.consent import ABSENT_MS, CONSENTS_MAX, PAUSE_MS_MAX, list_needed
from domain.game.custody import hold
from domain.game.events import HouseOffer, StandIn
from domain.game.kind import GAMES
from domain.game.rejections import (
    AlreadyConsented,
    ClockStillRuns,
    ConsentRefused,
    GamePausedNow,
    NoClock,
    NotConsented,
    NotPaused,
    NotStarted,
    SeatDeparted,
    SeatHandedOver,
)
from domain.game.state import held_seat
from domain.house import HOUSE
from domain.ids import Seat
from domain.log.rejections import UnfitEvent
from domain.log.replay import replay
from tests.domain.audit.audited_game import audit, broken_in, bundle_of
from tests.domain.game.game_harness import ADA, BOB, CATALOGUE, CLOCK, RULES, Table, types_of, with_clock

SECOND = 1_000


def paused(**terms: Any) -> Table:
    """Return a game whose decisions have waited for ten seconds when it is paused."""
    table = Table(**{"clock": with_clock(60, 120), **terms}).start()
    table.now += 10 * SECOND
    for seat in range(3):
        table.consent(seat, "pause")
    return table


def deadlines(table: Table) -> list[int | None]:
    return [find_deadline_ms(table.game, owed) for owed in table.game.owed]


def test_a_game_ends_without_a_result_once_all_players_agree() -> None:
    table = Table().start()
    table.consent(0)
    table.consent(1)

    last = table.consent(2)

    assert types_of(last) == ["consent_given", "game_stopped", "secret_disclosed"]
    assert table.data("game_stopped") == [{"absent": [], "seats": [0, 1, 2]}]
    assert table.game.status == "aborted"
    assert broken_in(audit(bundle_of(table.raws, RULES.components))) == {}


def test_a_game_goes_on_while_a_player_does_not_agree() -> None:
    table = Table().start()
    table.consent(0)
    table.consent(1)
    table.withdraw(1)

    table.consent(2)

    assert table.game.status == "running"


def test_house_bots_and_seats_that_have_left_are_not_asked() -> None:
    table = Table()
    table.offer(2, HouseOffer(bot="steady"))
    table.players = (ADA, BOB, HOUSE[2])
    table.start()
    table.resign(1)

    table.consent(0)

    assert table.game.status == "aborted"


def test_the_players_who_are_present_end_a_game_without_a_clock_whose_other_player_stays_away() -> None:
    table = Table().start()
    for seat in (0, 1):
        table.answer_by_default(next(decision for decision in table.waiting() if decision.seat == seat))
    table.now += ABSENT_MS
    table.consent(0)
    table.consent(1)
    assert list_needed(table.game, table.now) == (0, 1, 2)

    table.now += 1
    table.consent(1)

    assert table.data("game_stopped") == [{"absent": [2], "seats": [0, 1]}]


def test_a_player_who_withholds_an_own_seal_is_absent_where_the_game_demands_own_custody() -> None:
    table = Table(demands=("own_custody",)).start()
    for seat in range(3):
        table.seal(seat, table.default(table.owed(seat)[0]))
    for seat in (0, 1):
        table.reveal(seat, table.default(table.owed(seat)[0]))
    table.now += ABSENT_MS + 1
    table.consent(0)

    table.consent(1)

    assert table.data("game_stopped") == [{"absent": [2], "seats": [0, 1]}]


def test_absence_follows_from_the_log_and_not_from_the_servers_custody() -> None:
    table = Table().start()
    table.seal(0, table.default(table.owed(0)[0]))
    for seat in (1, 2):
        table.entrust(seat, table.default(table.owed(seat)[0]))
    table.now += ABSENT_MS + 1
    table.consent(1)

    table.consent(2)

    blind = replay(GAMES, table.raws, CATALOGUE, secret=table.game.chance.secret)
    assert (blind.status, table.game.status) == ("running", "running")
    assert hold(blind, table.held) == table.game


@pytest.mark.parametrize("stand_in", [UNSET, StandIn(bot="steady", after=1)])
def test_a_player_with_a_clock_is_absent_a_day_after_the_first_clock_that_ran_out(stand_in: Any) -> None:
    table = Table(clock=with_clock(60, 0), stand_in=stand_in).start()
    table.now += 60_001
    table.expire(0, table.owed(0)[0].id)
    assert list_needed(table.game, table.now + ABSENT_MS) == (0, 1, 2)

    asked = list_needed(table.game, table.now + ABSENT_MS + 1)

    assert asked == (1, 2)


def test_the_player_of_a_handed_seat_takes_it_back_before_a_consent() -> None:
    table = Table(clock=with_clock(60, 0), stand_in=StandIn(bot="steady", after=1)).start()
    table.now += 60_001
    table.expire(0, table.owed(0)[0].id)

    with pytest.raises(SeatHandedOver):
        table.consent(0)
    table.reclaim(0)
    table.consent(0)

    assert list_needed(table.game, table.now + 2 * ABSENT_MS) == (0, 1, 2)


def test_a_consent_is_given_once_by_a_seat_that_plays_in_a_game_that_has_begun() -> None:
    before, table = Table(), Table().start()
    before.take(0)
    table.consent(0)
    table.resign(1)

    with pytest.raises(NotStarted):
        before.consent(0)
    with pytest.raises(AlreadyConsented):
        table.consent(0)
    with pytest.raises(NotConsented):
        table.withdraw(2)
    with pytest.raises(SeatDeparted):
        table.consent(1)


def test_a_seat_that_changes_its_mind_for_ever_fills_no_log() -> None:
    table = Table().start()
    for _ in range(CONSENTS_MAX):
        table.consent(0)
        table.withdraw(0)

    with pytest.raises(ConsentRefused):
        table.consent(0)


def test_a_game_is_paused_once_all_players_agree() -> None:
    table = paused()

    assert table.types[-2:] == ["consent_given", "game_paused"]
    assert list_running(table.game) == []
    with pytest.raises(GamePausedNow):
        table.answer_by_default(table.waiting()[0])
    with pytest.raises(GamePausedNow):
        table.consent(0, "pause")


def test_no_clock_expires_in_a_pause() -> None:
    table = paused()
    table.now += 1_000 * SECOND

    with pytest.raises(GamePausedNow):
        table.expire(0, table.owed(0)[0].id)


def test_the_time_of_a_pause_counts_in_no_decision() -> None:
    table, unpaused = paused(), Table(clock=with_clock(60, 120)).start()
    table.now += 1_000 * SECOND

    table.end_pause(1)

    assert deadlines(table) == [(deadline or 0) + 1_000 * SECOND for deadline in deadlines(unpaused)]


def test_a_bank_that_runs_has_after_a_pause_as_much_as_before() -> None:
    table = paused(clock=with_clock(5, 120))
    table.now += 1_000 * SECOND
    table.end_pause(0)
    table.now += 20 * SECOND

    table.answer_by_default(next(decision for decision in table.waiting() if decision.seat == 0))

    assert getattr(table.game.seats[0], "bank_ms", None) == (120 - 25) * SECOND


def test_a_decision_that_was_created_in_a_pause_begins_with_its_end() -> None:
    table = paused()
    table.now += 1_000 * SECOND
    table.resign(0)
    table.now += 1_000 * SECOND

    table.end_pause(1)

    assert all(owed.since_ms <= table.now for owed in table.game.owed)


def test_any_seat_that_plays_ends_a_pause_and_the_clock_after_its_longest_time() -> None:
    table, other = paused(), paused()
    table.resign(0)

    with pytest.raises(SeatDeparted):
        table.end_pause(0)
    table.end_pause(2)
    other.now += PAUSE_MS_MAX
    with pytest.raises(ClockStillRuns):
        other.end_pause()
    other.now += 1
    other.end_pause()

    assert (table.game.paused_ms, other.game.paused_ms) == (None, None)
    assert other.entries[-1].line.by == "clock"
    with pytest.raises(NotPaused):
        other.end_pause(1)


def test_a_pause_needs_a_new_consent_of_all_after_the_last_one() -> None:
    table = paused()
    table.end_pause(0)

    table.consent(0, "pause")

    assert table.game.paused_ms is None


def test_a_game_that_is_paused_can_still_be_ended_and_left() -> None:
    table = paused()
    table.resign(0)
    table.consent(1)

    table.consent(2)

    assert table.game.status == "aborted"


def test_a_game_without_a_clock_has_nothing_to_pause() -> None:
    table = Table().start()

    with pytest.raises(NoClock):
        table.consent(0, "pause")


def test_the_server_gives_back_no_time_of_a_pause() -> None:
    table = paused()
    start_ms = table.now
    absences = [Absence(from_ms=start_ms - 4 * SECOND, to_ms=start_ms + 500 * SECOND)]

    lost_ms = count_lost_ms(table.game, absences, start_ms + 600 * SECOND)

    assert lost_ms == 4 * SECOND


def test_time_that_was_given_back_before_a_pause_is_not_given_back_after_it() -> None:
    table = Table(clock=with_clock(60, 120)).start()
    away = Absence(from_ms=table.now, to_ms=table.now + 36_000 * SECOND)
    table.now = away.to_ms
    table.extend(0, 1, 2, ms=36_000 * SECOND, actor=CLOCK)
    for seat in range(3):
        table.consent(seat, "pause")
    table.now += 86_400 * SECOND

    table.end_pause(0)

    assert count_lost_ms(table.game, [away], table.now) == 0
    with pytest.raises(UnfitEvent):
        table.extend(0, 1, 2, ms=1, actor=CLOCK)


def test_an_absence_inside_a_pause_is_not_given_back_after_it() -> None:
    table = paused()
    away = Absence(from_ms=table.now + 100 * SECOND, to_ms=table.now + 200 * SECOND)
    table.now += 205 * SECOND

    table.end_pause(0)
    table.now += 60 * SECOND

    assert count_lost_ms(table.game, [away], table.now) == 0


def test_consents_lapse_with_the_next_answer_of_its_seat() -> None:
    table = Table(clock=with_clock(60, 120)).start()
    table.consent(0, "pause")
    table.consent(0, "end")

    table.answer_by_default(next(decision for decision in table.waiting() if decision.seat == 0))

    assert held_seat(table.game, Seat(0)).consents == ()


def test_no_check_speaks_against_a_game_that_was_paused_in_the_middle_of_a_play() -> None:
    table = Table(clock=with_clock(60, 120)).start()
    while "decision_asked" not in table.types:
        owed = table.waiting()[0]
        if owed.kind == "plain" and "/shield/" not in owed.id:
            others = [seat for seat in range(3) if seat != owed.seat]
            table.play(owed.seat, owed.id, {"kind": "strike", "target": others[0]})
        else:
            table.answer_by_default(owed)
    for seat in range(3):
        table.consent(seat, "pause")
    table.now += 500 * SECOND
    table.end_pause(0)

    table.finish()

    assert table.game.status == "finished"
    assert broken_in(audit(bundle_of(table.raws, RULES.components))) == {}
