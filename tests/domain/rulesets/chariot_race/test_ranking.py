"""Who is where, live and in the end."""

import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.ruleset.decision import Placing
from domain.ruleset.teams import UnfitTeams
from domain.rulesets.chariot_race.board import Board, Chariot
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import EndReason
from domain.rulesets.chariot_race.ranking import list_teams
from tests.domain.rulesets.chariot_race.boards import RULES, chariot, race


def ended(*chariots: Chariot, reason: EndReason = "finished", withdrawn: tuple[int, ...] = ()) -> Board:
    left = tuple(Seat(seat) for seat in withdrawn)
    return replace(race(*chariots), turn=None, ended=reason, withdrawn=left)


def places(board: Board) -> list[tuple[int, int]]:
    return [(placing.place, placing.seat) for placing in RULES.ranking(board)]


@pytest.mark.rule("CR-41", "CR-67")
def test_finishers_rank_by_front_border_then_who_is_racing_then_wrecks() -> None:
    board = ended(
        chariot("blue", "outer-2", lap=2),
        chariot("red", "inner-3", lap=2),
        chariot("green", "outer-39", lap=1),
        chariot("yellow", "outer-9", status="wrecked", wreck_moment=1),
        chariot("purple", "outer-9", status="wrecked", wreck_moment=2),
    )

    assert places(board) == [(1, 1), (2, 0), (3, 2), (4, 4), (5, 3)]


@pytest.mark.rule("CR-41", "RO-10", "XG-09")
def test_level_finishers_share_the_win() -> None:
    board = ended(chariot("blue", "outer-2", lap=2), chariot("red", "inner-2", lap=2), chariot("green", "outer-39"))

    assert places(board) == [(1, 0), (1, 1), (3, 2)]


@pytest.mark.rule("CR-67")
def test_wrecked_at_the_same_moment_is_level() -> None:
    board = ended(
        chariot("blue", "outer-2", lap=2),
        chariot("red", "outer-9", status="wrecked", wreck_moment=3),
        chariot("green", "outer-9", status="wrecked", wreck_moment=3),
    )

    assert places(board) == [(1, 0), (2, 1), (2, 2)]


@pytest.mark.rule("CR-67")
def test_a_player_with_two_chariots_ranks_by_the_better_one() -> None:
    board = ended(
        chariot("blue", "outer-2", status="wrecked", wreck_moment=1),
        chariot("red", "outer-5", lap=2, seat=Seat(0)),
        chariot("green", "outer-3", lap=2, seat=Seat(1)),
        chariot("yellow", "outer-4", lap=2, seat=Seat(1)),
    )

    assert places(board) == [(1, 0), (2, 1)]


@pytest.mark.rule("CR-67", "CR-43", "XG-09")
def test_if_nobody_wins_places_begin_at_two() -> None:
    board = ended(
        chariot("blue", "outer-2", status="wrecked", wreck_moment=1),
        chariot("red", "outer-5", status="wrecked", wreck_moment=2),
        reason="no_chariot_left",
    )

    assert RULES.ranking(board) == (Placing(place=2, seat=Seat(1)), Placing(place=3, seat=Seat(0)))


@pytest.mark.rule("XG-07", "CR-67")
def test_who_resigned_ranks_last_and_the_later_one_above_the_earlier() -> None:
    board = ended(
        chariot("blue", "outer-2", status="withdrawn"),
        chariot("red", "outer-5", status="wrecked", wreck_moment=2),
        chariot("green", "outer-3", status="withdrawn"),
        reason="one_seat_left",
        withdrawn=(2, 0),
    )

    assert places(board) == [(1, 1), (2, 0), (3, 2)]


@pytest.mark.rule("CR-10", "XG-09")
def test_the_live_ranking_is_the_order_on_the_track() -> None:
    board = race(chariot("blue", "outer-2"), chariot("red", "outer-5"), chariot("green", "inner-5"))

    assert places(board) == [(1, 1), (1, 2), (3, 0)]


@pytest.mark.rule("CR-75")
def test_a_team_has_points_for_each_rival_chariot_behind_each_of_its_own() -> None:
    board = replace(
        ended(
            chariot("blue", "outer-5", lap=2),
            chariot("red", "outer-4", lap=2),
            chariot("green", "outer-3", lap=2),
            chariot("yellow", "outer-9", status="wrecked", wreck_moment=1),
        ),
        options=RaceOptions(teams="ABBA"),
    )

    results = [(result.place, result.team, result.points, result.points_max) for result in list_teams(board)]

    # Places 1 and 4 against 2 and 3 are level; the best chariot decides.
    assert results == [(1, "A", 4, 8), (2, "B", 4, 8)]
    assert places(board) == [(1, 0), (1, 3), (3, 1), (3, 2)]
    assert RULES.view(board, None).teams == list_teams(board)


@pytest.mark.rule("CR-75")
def test_both_chariots_of_a_player_count_for_the_team() -> None:
    board = replace(
        ended(
            chariot("blue", "outer-5", lap=2, seat=Seat(0)),
            chariot("red", "outer-2", lap=2, seat=Seat(0)),
            chariot("green", "outer-4", lap=2, seat=Seat(1)),
            chariot("yellow", "outer-3", lap=2, seat=Seat(1)),
        ),
        options=RaceOptions(teams="AB"),
    )

    assert [(result.team, result.points) for result in list_teams(board)] == [("A", 4), ("B", 4)]


@pytest.mark.rule("CR-75", "XG-07")
def test_who_resigned_stands_last_and_its_mates_with_their_team() -> None:
    board = replace(
        ended(
            chariot("blue", "outer-5", lap=2),
            chariot("red", "outer-4", lap=2),
            chariot("green", "outer-3", status="withdrawn"),
            withdrawn=(2,),
        ),
        options=RaceOptions(teams="ABA"),
    )

    assert places(board) == [(1, 0), (2, 1), (3, 2)]


@pytest.mark.rule("CR-75")
def test_all_seats_in_one_team_are_refused() -> None:
    with pytest.raises(UnfitTeams):
        RULES.initial_board((Seat(0), Seat(1)), RaceOptions(teams="AAB"))
