"""A stand-in: a seat whose player lets clocks run out is handed to a house bot, and taken back by its player."""

from typing import Any

import msgspec
import pytest

from domain.game.clock import find_deadline_ms
from domain.game.events import HouseOffer, StandIn
from domain.game.rejections import NotYourSeat, SeatHandedOver, SeatNotHandedOver, UnfitTerms, WrongAnswer
from domain.game.stand_in import list_handed
from domain.game.state import held_seat
from domain.house import HOUSE
from domain.ids import Seat
from domain.log.actors import ByPlayer
from domain.log.rejections import LinkDoesNotFit
from domain.ruleset.decision import Decision
from tests.domain.audit.audited_game import audit, broken_in, bundle_of
from tests.domain.game.game_harness import ADA, BOB, CEM, RULES, Table, types_of, with_clock

TWICE = StandIn(bot="steady", after=2)


def opened(**terms: Any) -> Table:
    return Table(clock=with_clock(60, 0), **{"stand_in": TWICE, **terms})


def let_expire(table: Table) -> Any:
    """Let the clock of seat 0 run out on its next decision, after the others have answered."""
    while others := [decision for decision in table.waiting() if decision.seat != 0]:
        table.answer_by_default(others[0])
    owed = next(owed for owed in table.game.owed if owed.decision.seat == 0)
    table.now = (find_deadline_ms(table.game, owed) or 0) + 1
    return table.expire(0, owed.decision.id)


def handed(**terms: Any) -> Table:
    """Return a game whose seat 0 was handed over, and owes a secret choice."""
    table = opened(**terms).start()
    while not list_handed(table.game):
        let_expire(table)
    while not any(decision.seat == 0 and decision.kind == "sealed" for decision in table.waiting()):
        table.answer_by_default(table.waiting()[0])
    return table


def choice_of(table: Table) -> Decision:
    """Return the secret choice that seat 0 owes."""
    return next(decision for decision in table.waiting() if decision.seat == 0 and decision.kind == "sealed")


def test_a_seat_is_handed_over_with_the_clock_that_runs_out_for_the_agreed_time() -> None:
    table = opened().start()

    first = let_expire(table)
    second = let_expire(table)

    assert "seat_handed" not in types_of(first)
    assert types_of(second)[:2] == ["clock_expired", "seat_handed"]
    assert list_handed(table.game) == {0}


def test_two_clocks_that_run_out_in_one_turn_count_as_one() -> None:
    table = opened(stand_in=StandIn(bot="steady", after=3)).start()

    turns = []
    while not list_handed(table.game):
        let_expire(table)
        turns.append(table.data("clock_expired")[-1]["decision"].partition("/")[0])

    assert turns == ["r1", "r2", "r2", "r2", "r3"]


def test_an_answer_in_time_begins_the_count_anew() -> None:
    table = opened().start()
    let_expire(table)
    while not any(decision.seat == 0 for decision in table.waiting()):
        table.answer_by_default(table.waiting()[0])

    table.answer_by_default(next(decision for decision in table.waiting() if decision.seat == 0))

    assert held_seat(table.game, Seat(0)).lapses == frozenset()


def test_no_seat_is_handed_over_where_the_terms_name_no_stand_in() -> None:
    table = Table(clock=with_clock(60, 0)).start()

    for _ in range(3):
        let_expire(table)

    assert "seat_handed" not in table.types


def test_a_house_bot_is_handed_over_to_no_other() -> None:
    table = opened()
    table.offer(0, HouseOffer(bot="steady"))
    table.players = (HOUSE[0], BOB, CEM)
    table.start()

    for _ in range(3):
        let_expire(table)

    assert "seat_handed" not in table.types


def test_the_stand_in_answers_as_the_house_without_a_link() -> None:
    table = handed()
    links = held_seat(table.game, Seat(0)).links
    decision = choice_of(table)

    with pytest.raises(LinkDoesNotFit):
        table.entrust(0, table.default(decision), decision=decision.id, **{**table.driver(0), "nonce": table.nonce(0)})
    decided = table.entrust(0, table.default(decision), decision=decision.id, **table.driver(0))

    assert decided.entries[0].line.by == "house"
    assert held_seat(table.game, Seat(0)).links == links
    table.finish()
    assert {fields["nonce"] for fields in table.data("action_revealed") if fields["decision"] == decision.id} == {None}


def test_the_player_of_a_handed_seat_takes_it_back_before_an_answer() -> None:
    table = handed()
    decision = choice_of(table)
    with pytest.raises(SeatHandedOver):
        table.entrust(0, table.default(decision), decision=decision.id)

    table.reclaim(0)
    table.answer_by_default(decision)

    assert table.entries[-1].line.by in ("seat:0", "server")
    assert list_handed(table.game) == frozenset()


def test_a_handed_seat_that_resigns_is_handed_over_no_longer() -> None:
    table = handed()

    table.resign(0)

    assert list_handed(table.game) == frozenset()


def test_what_the_seat_owes_stays_owed_when_it_is_taken_back() -> None:
    table = handed()
    before = table.game.owed

    table.reclaim(0)

    assert table.game.owed == before


def test_the_stand_in_answers_no_longer_once_the_seat_is_taken_back() -> None:
    table = handed()
    driver, decision = table.driver(0), choice_of(table)
    table.reclaim(0)

    with pytest.raises(NotYourSeat):
        table.entrust(0, table.default(decision), decision=decision.id, **driver)


@pytest.mark.parametrize("player", [HOUSE[1], ADA])
def test_a_handed_seat_is_played_by_the_house_player_of_its_number_alone(player: Any) -> None:
    table = handed()
    decision = choice_of(table)

    with pytest.raises((NotYourSeat, SeatHandedOver)):
        table.entrust(0, table.default(decision), decision=decision.id, nonce=None, actor=ByPlayer(player=player))


def test_only_its_player_takes_a_handed_seat_back() -> None:
    table = handed()

    with pytest.raises(NotYourSeat):
        table.reclaim(0, actor=ByPlayer(player=HOUSE[0]))
    with pytest.raises(SeatNotHandedOver):
        table.reclaim(1)


def test_a_choice_of_the_stand_in_stands_after_the_seat_is_taken_back() -> None:
    table = handed()
    decision = choice_of(table)
    table.entrust(0, table.default(decision), decision=decision.id, **table.driver(0))
    table.reclaim(0)

    table.finish()

    assert table.game.status == "finished"
    assert broken_in(audit(bundle_of(tuple(table.raws), RULES.components))) == {}


def test_the_stand_in_replaces_no_choice_that_the_player_has_sealed() -> None:
    table = opened().start()
    decision = choice_of(table)
    table.seal(0, table.default(decision), decision=decision.id)
    held = msgspec.structs.replace(held_seat(table.game, Seat(0)), is_handed=True)
    table.take_up(msgspec.structs.replace(table.game, seats=(held, *table.game.seats[1:])))

    with pytest.raises(WrongAnswer):
        table.entrust(0, table.default(decision), decision=decision.id, **table.driver(0))


@pytest.mark.parametrize("demand", ["links", "own_custody", "signed"])
def test_a_game_that_demands_what_only_players_have_has_no_stand_in(demand: str) -> None:
    with pytest.raises(UnfitTerms):
        opened(demands=(demand,))


def test_a_game_without_a_clock_has_no_stand_in() -> None:
    with pytest.raises(UnfitTerms):
        Table(stand_in=TWICE)


def test_a_log_in_which_the_house_plays_a_seat_that_was_not_handed_over_is_refused() -> None:
    table = handed()
    decision = choice_of(table)
    table.entrust(0, table.default(decision), decision=decision.id, **table.driver(0))
    table.finish()
    at = table.types.index("seat_handed")

    broken = broken_in(audit(bundle_of((*table.raws[:at], *table.raws[at + 1 :]), RULES.components)))

    assert {"authors", "chain"} <= set(broken)


def test_an_audit_says_that_a_seat_with_links_had_a_stand_in() -> None:
    table = handed()
    decision = choice_of(table)
    table.entrust(0, table.default(decision), decision=decision.id, **table.driver(0))
    table.finish()

    report = audit(bundle_of(tuple(table.raws), RULES.components)).report
    told = {assurance.name: assurance for assurance in report.assurances}

    assert "inputs were a stand-in's" in told["links"].told
    assert not told["links"].is_kept
