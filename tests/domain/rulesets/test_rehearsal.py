"""A rehearsal keeps the promises of a game to its rules, without a game."""

from typing import Any

import pytest

from domain.ids import Seat
from domain.rejection import IllegalAction
from domain.rulesets.rehearsal import Rehearsal
from tests.domain.game.mug import Go, Mug, Parry, TokensLost, Value
from tests.domain.game.mug import Options as MugOptions
from tests.domain.game.table import SECRET, Table, mug_terms
from tests.domain.rulesets.torches import BidForfeited, Options, Strike, Torches

THREE = (Seat(0), Seat(1), Seat(2))


def rehearsed(**options: Any) -> Rehearsal:
    return Rehearsal(Torches(), seats=THREE, options=Options(**options), secret=SECRET)


def mug_of_two(*values: int, **options: Any) -> Rehearsal:
    """Return a rehearsal of Mug in which seats 0 and 1 sealed these values, two each."""
    rehearsal = Rehearsal(Mug(), seats=THREE[:2], options=MugOptions(**options), secret=SECRET)
    for decision, value in zip(rehearsal.owed(), values, strict=True):
        rehearsal.answer(decision, Value(value=value))
    return rehearsal


def test_a_rehearsal_writes_what_a_game_without_links_writes() -> None:
    rehearsal = rehearsed()
    table = Table(links=0).start()

    while rehearsal.owed():
        decision = rehearsal.owed()[0]
        action = table.game.ruleset.default_action(rehearsal.board, decision)
        if isinstance(action, Strike):
            alive = [each.seat for each in rehearsal.board.places if each.lives and each.seat != decision.seat]
            action = Strike(target=alive[0])
        rehearsal.answer(decision, action)
        (table.entrust if decision.kind == "sealed" else play_in(table, decision.id))(decision.seat, action)

    game_events = ("GameStarted", "DecisionAsked", "GameFinished", "SecretDisclosed")
    outcomes = [entry.event for entry in table.entries if entry.line.kind == "outcome"]
    assert rehearsal.written == [each for each in outcomes if type(each).__name__ not in game_events]
    assert rehearsal.board == table.game.board


def play_in(table: Table, decision: str) -> Any:
    return lambda seat, action: table.play(seat, decision, action)


def test_an_illegal_answer_is_refused_and_changes_nothing() -> None:
    rehearsal = rehearsed()
    before = rehearsal.board

    with pytest.raises(IllegalAction):
        rehearsal.answer(rehearsal.owed()[0], Strike(target=1))

    assert rehearsal.board is before
    assert len(rehearsal.owed()) == 3


def test_what_is_withheld_is_a_forfeit() -> None:
    rehearsal = rehearsed()
    first, *others = rehearsal.owed()
    rehearsal.withhold(first)
    for decision in others:
        rehearsal.answer(decision, Torches().default_action(rehearsal.board, decision))

    assert BidForfeited(seat=Seat(0)) in rehearsal.written


def test_what_became_illegal_before_it_is_opened_is_a_forfeit() -> None:
    rehearsal = mug_of_two(3, 3, 0, 0)

    while rehearsal.owed():
        decision = rehearsal.owed()[0]
        rehearsal.answer(decision, Go(is_far=False) if decision.id.endswith("/go") else Parry(is_high=False))

    assert rehearsal.written.count(TokensLost(seat=Seat(0))) == 1


def test_what_a_forfeit_withdraws_is_neither_forfeited_nor_played() -> None:
    rehearsal = Rehearsal(Mug(), seats=THREE[:2], options=MugOptions(opens_together=True), secret=SECRET)
    for decision in rehearsal.owed():
        if decision.seat == 0:
            rehearsal.withhold(decision)
        else:
            rehearsal.answer(decision, Value(value=1))

    assert rehearsal.written.count(TokensLost(seat=Seat(0))) == 1


def test_an_asked_decision_is_all_that_is_owed_until_it_is_answered() -> None:
    rehearsal = mug_of_two(1, 1, 1, 1)
    go = rehearsal.owed()[0]
    rehearsal.answer(go, Go(is_far=True))

    (asked,) = rehearsal.owed()
    written = len(rehearsal.written)
    rehearsal.answer(asked, Parry(is_high=True))

    assert asked.id.startswith(f"{go.id}/parry/")
    assert [type(each).__name__ for each in rehearsal.written[written:]][:2] == ["DiceRolled", "SeatWent"]
    assert mug_terms()["seats"] == 2


def test_a_seat_resigns_between_plays() -> None:
    rehearsal = rehearsed()

    rehearsal.resign(Seat(0))
    rehearsal.resign(Seat(1))

    assert rehearsal.owed() == ()
    assert [each.seat for each in Torches().ranking(rehearsal.board) if each.place == 1] == [2]
