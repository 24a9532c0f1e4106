"""Who gives up leaves nothing behind, and never in the middle of a turn of its own."""

import pytest

from domain.ids import Seat
from domain.rulesets.chariot_race.actions import Move
from domain.rulesets.chariot_race.board import Board, chariot_of
from domain.rulesets.chariot_race.choices import AttackChoices
from domain.rulesets.chariot_race.outcomes import RaceEnded, SeatWithdrawn, TurnEnded, WithdrawalAnnounced
from tests.domain.rulesets.chariot_race.stable import (
    RULES,
    chariot,
    names,
    play_by_default,
    race,
    rehearse,
    script_on,
    with_dice,
)


def resign(board: Board, seat: int) -> tuple[Board, list[object]]:
    script = script_on(board)
    RULES.resign(script, Seat(seat))
    return script.board, [each.event for each in script.written]


@pytest.mark.rule("XG-07")
def test_between_its_turns_a_seat_leaves_at_once_and_leaves_nothing_behind() -> None:
    board = with_dice(
        race(chariot("green", "outer-15"), chariot("red", "outer-17"), chariot("blue", "inner-9")), "steer"
    )

    after, told = resign(board, 1)

    assert told == [SeatWithdrawn(seat=Seat(1), chariots=("red",))]
    assert chariot_of(after, "red").status == "withdrawn"
    assert after.caltrops == ()
    assert RULES.decisions(after) == RULES.decisions(board)


@pytest.mark.rule("XG-07")
def test_nobody_pays_for_passing_who_has_left() -> None:
    board = with_dice(
        race(chariot("green", "outer-15", speed=4), chariot("red", "outer-17"), chariot("blue", "inner-9")), "steer"
    )

    after, _ = resign(board, 1)

    default = RULES.default_action(after, RULES.decisions(after)[0])
    foreseen = RULES.preview(after, RULES.decisions(after)[0], default)
    assert foreseen.damage_left == 12


@pytest.mark.rule("XG-07")
def test_inside_its_turn_a_seat_leaves_at_the_end_of_it() -> None:
    rehearsal = rehearse(3)
    [decision] = rehearsal.owed()

    before = len(rehearsal.written)
    rehearsal.resign(decision.seat)

    assert rehearsal.written[before] == WithdrawalAnnounced(seat=decision.seat)
    told = names(rehearsal.written[before:])
    assert told.index("SeatWithdrawn") == told.index("TurnEnded") + 1
    assert decision.seat in rehearsal.board.withdrawn
    assert decision.seat not in [each.seat for each in rehearsal.owed()]
    withdrawn = next(each for each in rehearsal.written if isinstance(each, SeatWithdrawn))
    assert len(withdrawn.chariots) == 2


@pytest.mark.rule("XG-07")
def test_the_last_seat_left_wins_even_without_a_chariot() -> None:
    board = race(
        chariot("green", "outer-15"),
        chariot("red", "outer-17"),
        chariot("blue", "inner-9", status="wrecked", wreck_moment=1),
    )
    board, _ = resign(with_dice(board, "steer"), 1)
    script = script_on(board)

    RULES.resign(script, Seat(2))
    while decisions := RULES.decisions(script.board):
        RULES.play(script, decisions[0], RULES.default_action(script.board, decisions[0]))

    assert script.written[-1].event == RaceEnded(reason="one_seat_left", finishers=())
    assert [(placing.place, placing.seat) for placing in RULES.ranking(script.board)] == [(1, 0), (2, 2), (3, 1)]


@pytest.mark.rule("XG-07", "XG-04")
def test_an_answer_that_lost_its_choices_is_not_waited_for() -> None:
    green = chariot("green", "outer-15", speed=0)
    board = race(green, chariot("red", "outer-17"), chariot("blue", "inner-9"))
    script = script_on(with_dice(board, "attack"))
    [decision] = RULES.decisions(script.board)
    RULES.play(script, decision, Move(minuses=0, path=""))
    choices = RULES.legal_actions(script.board, RULES.decisions(script.board)[0])
    assert isinstance(choices, AttackChoices)
    assert [target.chariot for target in choices.targets] == ["red"]

    RULES.resign(script, Seat(1))

    assert TurnEnded(chariot="green") in [each.event for each in script.written]


@pytest.mark.rule("XG-07", "XG-01")
@pytest.mark.parametrize("secret", range(6))
def test_a_race_goes_on_without_whoever_left(secret: int) -> None:
    rehearsal = rehearse(4, secret=secret)
    for _ in range(20 + secret):
        rehearsal.answer(rehearsal.owed()[0], RULES.default_action(rehearsal.board, rehearsal.owed()[0]))

    rehearsal.resign(Seat(1))
    play_by_default(rehearsal)

    assert rehearsal.board.ended == "finished"
    assert rehearsal.board.withdrawn == (1,)
    assert RULES.ranking(rehearsal.board)[-1].seat == 1
