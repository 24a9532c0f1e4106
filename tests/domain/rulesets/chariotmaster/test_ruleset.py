"""The ruleset as a whole: from the first build to the last place."""

import pytest

from domain.canonical import encode, parse
from domain.game.admission import LINES_MAX as GAME_LINES_MAX
from domain.ids import DecisionId, Seat
from domain.ruleset.chapter import NotDueNow, WrongAction
from domain.ruleset.decision import Decision, Placing
from domain.rulesets.chariotmaster.race.actions import GoOn, LeaveRoll
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import PieceMoved, TurnClosed
from domain.rulesets.chariotmaster.race.race_outcomes import ChariotBuilt, ChariotFinished, LineCrossed, RaceEnded
from domain.rulesets.chariotmaster.ruleset import LINES_MAX, build_ruleset
from tests.domain.rulesets.chariotmaster.own_components import DATA
from tests.domain.rulesets.chariotmaster.races import RULES, play_by_default, play_out, told


def test_a_race_of_absent_seats_runs_from_the_builds_to_the_finish() -> None:
    race = play_by_default(play_out(2, Options(laps=1)))

    assert [built.chariot for built in told(race, ChariotBuilt)] == [0, 1]
    assert len(told(race, LineCrossed)) == len(told(race, ChariotFinished)) == 1
    assert told(race, RaceEnded) == [RaceEnded(reason="one_left")]
    assert race.board.ended == "one_left"
    (first,) = told(race, ChariotFinished)
    second = 1 - first.chariot
    assert sorted(RULES.ranking(race.board), key=lambda place: place.place) == [
        Placing(place=1, seat=Seat(first.chariot)),
        Placing(place=2, seat=Seat(second)),
    ]


def test_who_is_absent_alone_drives_a_lap_in_some_25_turns_and_spends_nothing() -> None:
    race = play_by_default(play_out(2, secret=1), until=lambda race: bool(told(race, LineCrossed)))

    assert 23 <= race.board.game_turns <= 27
    assert max(chariot.structure for chariot in race.board.chariots) == 5
    assert {moved.reason for moved in told(race, PieceMoved)} <= {"moved", "pivoted"}


def test_a_folded_race_comes_to_the_same_board() -> None:
    race = play_by_default(play_out(3, secret=2), until=lambda race: len(told(race, TurnClosed)) > 40)

    board = RULES.initial_board(tuple(Seat(seat) for seat in range(3)), Options(laps=1, equipment="none"))
    for event in race.written:
        board = RULES.evolve(board, event, None)  # type: ignore[arg-type] # all of them are of this game

    assert board == race.board


def test_what_is_not_asked_is_refused() -> None:
    race = play_out(2)
    token = race.owed()[0]

    for action in (GoOn(), LeaveRoll()):
        with pytest.raises(WrongAction):
            RULES.check(race.board, token, action)
    step = Decision(id=DecisionId("g1/c0/step/0"), seat=Seat(0), kind="plain")
    with pytest.raises(NotDueNow):
        RULES.check(race.board, step, GoOn())


def test_a_game_cannot_roll_more_often_than_it_has_links() -> None:
    assert LINES_MAX == GAME_LINES_MAX
    assert RULES.link_chains == 36


def test_the_ruleset_is_built_again_from_its_own_components() -> None:
    again = build_ruleset(parse(RULES.components))

    assert again.components == RULES.components == encode(DATA)
