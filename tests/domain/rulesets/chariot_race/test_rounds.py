"""The order of turns, the end of a round, the end of a race."""

import pytest

from domain.rulesets.chariot_race.actions import Move, Pass, ThrowJavelin
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import RaceEnded, RoundBegan, TurnBegan, TurnEnded
from domain.rulesets.chariot_race.rounds import order_of_turns
from tests.domain.rulesets.chariot_race.boards import (
    RULES,
    SAFE_HOME,
    answer,
    chariot,
    names,
    play_by_default,
    play_out,
    race,
    with_dice,
)

HOME = chariot("red", "outer-2", lap=2, is_home=True)


@pytest.mark.rule("CR-10", "XG-03")
def test_the_furthest_ahead_acts_first_whatever_the_lane() -> None:
    board = race(
        chariot("blue", "outer-15"),  # 312
        chariot("red", "inner-12"),  # 336
        chariot("green", "middle-15"),  # 360
        chariot("yellow", "inner-32", lap=-1),  # 0
        chariot("purple", "outer-1", lap=1),  # 888: a lap ahead
    )

    assert [turn.colour for turn in order_of_turns(board)] == ["purple", "green", "red", "blue", "yellow"]


@pytest.mark.rule("CR-10", "RO-10")
def test_level_chariots_act_in_the_order_of_the_round_before() -> None:
    board = race(chariot("white", "outer-15"), chariot("blue", "inner-11"), chariot("green", "middle-13"))

    assert board.order == ("white", "blue", "green")
    assert [turn.colour for turn in order_of_turns(board)] == ["white", "blue", "green"]


@pytest.mark.rule("CR-10", "CR-11")
def test_each_chariot_has_one_turn_a_round_in_the_order_fixed_at_its_start() -> None:
    playout = play_by_default(play_out(5))
    order: tuple[str, ...] = ()
    turns: list[str] = []

    for told in playout.written:
        if isinstance(told, RoundBegan):
            assert turns == list(order)
            order, turns = told.order, []
        elif isinstance(told, TurnBegan):
            turns.append(told.chariot)

    assert turns == list(order)


@pytest.mark.rule("CR-11")
def test_after_all_turns_the_next_round_begins() -> None:
    board = race(chariot("green", "outer-15", speed=0), chariot("red", "outer-20"))

    while board.round == 1:
        [decision] = RULES.decisions(board)
        board, _ = answer(board, RULES.default_action(board, decision))
    assert board.round == 2
    assert board.order == ("red", "green")


@pytest.mark.rule("CR-40", "CR-41", "RO-10")
def test_the_race_ends_with_the_round_in_which_somebody_finished() -> None:
    playout = play_by_default(play_out(4))

    ended = playout.written[-1]
    last_round = max(place for place, told in enumerate(playout.written) if isinstance(told, RoundBegan))

    assert isinstance(ended, RaceEnded)
    assert ended.reason == "finished"
    assert ended.finishers
    turns = [told for told in playout.written[last_round:] if isinstance(told, TurnEnded)]
    assert len(turns) == len(playout.board.order)


@pytest.mark.rule("CR-40", "CR-42")
def test_the_others_still_take_their_turns_and_may_wreck_the_finisher() -> None:
    finisher = chariot("red", "outer-2", lap=2, damage_left=1, is_home=True)
    board = with_dice(race(chariot("green", "outer-40", lap=1, speed=1), finisher), "attack")
    moved, _ = answer(board, Move(minuses=0, path="o"))

    after, told = answer(moved, ThrowJavelin(chariot="red"))

    # Red is out; green has just finished, and ends the race alone.
    assert RaceEnded(reason="finished", finishers=("green",)) in told
    assert [placing.seat for placing in RULES.ranking(after)] == [2, 1]


@pytest.mark.rule("CR-42", "CR-40")
def test_when_every_finisher_was_wrecked_the_race_goes_on() -> None:
    finisher = chariot("red", "outer-1", lap=2, damage_left=1, is_home=True)
    board = with_dice(race(chariot("green", "outer-37", lap=1, speed=2), finisher), "attack")
    moved, _ = answer(board, Move(minuses=0, path="oo"))

    after, told = answer(moved, ThrowJavelin(chariot="red"))

    assert "ChariotWrecked" in names(told)
    assert after.ended is None
    assert after.round == 2
    assert after.order == ("green",)


@pytest.mark.rule("CR-43")
def test_a_sole_survivor_must_still_finish() -> None:
    board = race(chariot("green", "outer-15", speed=2, damage_left=12), chariot("red", "outer-17", damage_left=2))

    after, told = answer(with_dice(board, "fortuna"), Move(minuses=0, path="oo"))

    assert "ChariotWrecked" in names(told)
    assert after.ended is None
    assert RULES.decisions(after)


@pytest.mark.rule("CR-43", "XG-09")
def test_when_all_are_wrecked_nobody_wins() -> None:
    board = race(chariot("green", "outer-15", speed=2, damage_left=2), chariot("red", "outer-17", damage_left=2))

    after, told = answer(with_dice(board, "fortuna"), Move(minuses=0, path="oo"))

    assert told[-1] == RaceEnded(reason="no_chariot_left", finishers=())
    assert RULES.decisions(after) == ()
    assert [placing.place for placing in RULES.ranking(after)] == [2, 2]


@pytest.mark.rule("CR-73", "XG-08")
def test_a_race_without_a_finisher_ends_at_the_limit_of_rounds() -> None:
    playout = play_out(2, RaceOptions(rounds_max=3))

    play_by_default(playout)

    assert playout.written[-1] == RaceEnded(reason="rounds_max", finishers=())
    assert playout.board.round == 3
    assert min(placing.place for placing in RULES.ranking(playout.board)) == 1


@pytest.mark.rule("CR-50")
def test_a_finisher_is_safe_from_the_end_of_its_turn_on() -> None:
    finishing = chariot("green", "outer-40", lap=1, speed=2)
    board = with_dice(race(finishing, chariot("red", "outer-39", lap=1), options=SAFE_HOME), "fortuna")

    after, _ = answer(board, Move(minuses=0, path="oo"))

    assert [each.is_home for each in after.chariots] == [False, True]
    assert [each.is_safe for each in RULES.view(after, None).chariots] == [False, True]


@pytest.mark.rule("CR-65")
def test_seats_that_are_all_absent_still_finish() -> None:
    rounds = [play_by_default(play_out(4, secret=secret)).board.round for secret in range(10)]

    assert all(8 <= count <= 14 for count in rounds)


def test_passing_ends_a_turn() -> None:
    board = with_dice(race(chariot("green", "outer-15", speed=4), HOME), "attack")
    moved, _ = answer(board, Move(minuses=0, path="oooo"))

    _, told = answer(moved, Pass())

    assert told[0] == TurnEnded(chariot="green")
