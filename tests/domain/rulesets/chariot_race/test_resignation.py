"""Who gives up leaves nothing behind, and never in the middle of a turn of its own."""

import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.rulesets.chariot_race.actions import Move, ThrowJavelin
from domain.rulesets.chariot_race.board import Board, Chariot, chariot_of
from domain.rulesets.chariot_race.choices import AttackChoices
from domain.rulesets.chariot_race.components import Colour
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import RaceEnded, SeatWithdrawn, TurnEnded, WithdrawalAnnounced
from tests.domain.rulesets.chariot_race.boards import (
    RULES,
    answer,
    chariot,
    names,
    play_by_default,
    play_out,
    race,
    script_on,
    with_dice,
)


def with_wrecks(count: int, *racing: Chariot) -> Board:
    """Set up a race between turns in which so many further seats, 0 and up, have lost their chariot."""
    colours: tuple[Colour, ...] = ("blue", "red", "yellow", "purple")
    wrecks = (
        chariot(colour, "inner-9", seat=Seat(seat), status="wrecked", damage_left=0, wreck_moment=seat + 1)
        for seat, colour in enumerate(colours[:count])
    )
    return replace(race(*wrecks, *racing), turn=None)


def resign(board: Board, seat: int) -> tuple[Board, list[object]]:
    script = script_on(board)
    RULES.resign(script, Seat(seat))
    return script.board, [written.event for written in script.written]


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
    playout = play_out(3)
    [decision] = playout.owed()

    before = len(playout.written)
    playout.resign(decision.seat)

    assert playout.written[before] == WithdrawalAnnounced(seat=decision.seat)
    told = names(playout.written[before:])
    assert told.index("SeatWithdrawn") == told.index("TurnEnded") + 1
    assert decision.seat in playout.board.withdrawn
    assert decision.seat not in [decision.seat for decision in playout.owed()]
    withdrawn = next(event for event in playout.written if isinstance(event, SeatWithdrawn))
    assert len(withdrawn.chariots) == 2


@pytest.mark.rule("XG-07", "CR-43")
@pytest.mark.parametrize("wrecked", range(1, 5))
def test_no_seat_wins_when_the_last_chariot_resigns(wrecked: int) -> None:
    board = with_wrecks(wrecked, chariot("green", "outer-15", seat=Seat(5)))

    board, told = resign(board, 5)

    assert told[-1] == RaceEnded(reason="no_chariot_left", finishers=())
    assert [placing.place for placing in RULES.ranking(board)] == list(range(2, wrecked + 3))
    assert RULES.ranking(board)[-1].seat == 5


@pytest.mark.rule("XG-07", "CR-43")
@pytest.mark.parametrize("wrecked", range(4))
def test_a_resignation_that_leaves_one_seat_racing_gives_it_the_win(wrecked: int) -> None:
    racing = (chariot("green", "outer-15", seat=Seat(4)), chariot("white", "outer-17", seat=Seat(5)))
    board = with_wrecks(wrecked, *racing)

    board, told = resign(board, 5)

    assert told[-1] == RaceEnded(reason="one_seat_left", finishers=())
    assert [placing.seat for placing in RULES.ranking(board)][:1] == [4]
    assert [placing.place for placing in RULES.ranking(board)] == list(range(1, wrecked + 3))


@pytest.mark.rule("XG-07", "CR-43")
def test_a_wreck_after_a_resignation_ends_the_race_like_a_resignation_after_a_wreck() -> None:
    board = race(
        chariot("green", "outer-15", speed=0),
        chariot("red", "outer-17", damage_left=1),
        chariot("blue", "inner-9"),
    )
    board, _ = resign(with_dice(board, "attack"), 0)

    board, told = answer(board, ThrowJavelin(chariot="red"))

    assert told[-1] == RaceEnded(reason="one_seat_left", finishers=())
    assert [(placing.place, placing.seat) for placing in RULES.ranking(board)] == [(1, 2), (2, 1), (3, 0)]


@pytest.mark.rule("XG-07", "CR-75")
@pytest.mark.parametrize(("teams", "reason"), [("ABA", "one_team_left"), ("ABC", None)])
def test_a_resignation_that_leaves_one_team_gives_it_the_win(teams: str, reason: str | None) -> None:
    racing = (chariot("green", "outer-15"), chariot("red", "outer-17"), chariot("blue", "outer-19"))
    board = race(*racing, options=RaceOptions(teams=teams))

    board, _ = resign(board, 1)

    assert board.ended == reason
    assert {placing.seat for placing in RULES.ranking(board) if placing.place == 1} >= ({0, 2} if reason else set())


@pytest.mark.rule("XG-07", "CR-40")
def test_the_seat_that_is_left_may_have_finished_already() -> None:
    board = race(chariot("green", "outer-3", lap=2), chariot("red", "outer-17"))

    _, told = resign(board, 1)

    assert told[-1] == RaceEnded(reason="one_seat_left", finishers=("green",))


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

    assert TurnEnded(chariot="green") in [written.event for written in script.written]


@pytest.mark.rule("XG-07", "XG-01")
@pytest.mark.parametrize("secret", range(6))
def test_a_race_goes_on_without_whoever_left(secret: int) -> None:
    playout = play_out(4, secret=secret)
    for _ in range(20 + secret):
        playout.answer(playout.owed()[0], RULES.default_action(playout.board, playout.owed()[0]))

    playout.resign(Seat(1))
    play_by_default(playout)

    assert playout.board.ended == "finished"
    assert playout.board.withdrawn == (1,)
    assert RULES.ranking(playout.board)[-1].seat == 1
