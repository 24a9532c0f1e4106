"""Who stands where: live on every board, and in the end."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.rulesets.chariotmaster.race.board import Board, Crossing
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import DriverDied, TurnClosed
from domain.rulesets.chariotmaster.race.ranking import list_teams, rank
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.races import play_out, race_of

DEAD: dict[str, Any] = {"driver": "dead", "has_reins": False}
ON_FOOT: dict[str, Any] = {"driver": "on_foot", "driver_pose": pose_at(0, 60), "has_reins": False}
DRAGGED: dict[str, Any] = {"driver": "dragged", "has_body": False, "has_reins": False}
RIDING_ACROSS, DRAGGED_ACROSS = Crossing(chariot=1, is_dragged=False), Crossing(chariot=1, is_dragged=True)


def places(board: Board) -> list[tuple[int, int]]:
    return [(placing.place, placing.seat) for placing in rank(board)]


def results(board: Board) -> list[tuple[int, str, int, int]]:
    return [(result.place, result.team, result.points, result.points_max) for result in list_teams(board)]


def board_of(*states: dict[str, Any], **changes: Any) -> Board:
    """One chariot a seat, unless a state states whose it is."""
    chariots = tuple(
        chariot_at(state.pop("seat", number), pose_at(-40 * number), **state) for number, state in enumerate(states)
    )
    return race_of(*chariots, **changes).board


@pytest.mark.rule("CM-118")
def test_finishers_stand_in_the_order_of_crossing_before_all_others() -> None:
    board = board_of({"progress_um": 900}, {}, {"progress_um": 100}, {"progress_um": 800}, finished=(2, 1))

    assert places(board) == [(1, 2), (2, 1), (3, 0), (4, 3)]


@pytest.mark.rule("CM-118")
def test_who_can_still_finish_stands_by_progress_and_equals_share() -> None:
    board = board_of({"progress_um": 500}, {"progress_um": 700, **DRAGGED}, {"progress_um": 500}, {"progress_um": 100})

    assert places(board) == [(1, 1), (2, 0), (2, 2), (4, 3)]


@pytest.mark.rule("CM-118")
def test_who_cannot_finish_stands_behind_the_later_the_better_the_same_moment_shared() -> None:
    board = board_of(
        {"fallen_out": 3, "progress_um": 999, **ON_FOOT},
        {"fallen_out": 8, **DEAD},
        {"progress_um": 1},
        {"fallen_out": 8, **ON_FOOT},
    )

    assert places(board) == [(1, 2), (2, 1), (2, 3), (4, 0)]


@pytest.mark.rule("CM-118")
def test_the_moment_is_the_chariot_turn_in_which_the_last_hope_went() -> None:
    script = race_of(*(chariot_at(seat, pose_at(-40 * seat)) for seat in range(3)), turns_closed=4)

    script.emit(DriverDied(chariot=1, team_pose=pose_at(-40)))
    live = places(script.board)
    script.emit(TurnClosed(chariot=0))
    script.emit(DriverDied(chariot=0, team_pose=pose_at(0)))
    script.emit(TurnClosed(chariot=2))

    assert live == [(1, 0), (1, 2), (3, 1)]
    assert [chariot.fallen_out for chariot in script.board.chariots] == [6, 5, None]
    assert places(script.board) == [(1, 2), (2, 0), (3, 1)]


@pytest.mark.rule("CM-117", "CM-118")
@pytest.mark.parametrize(
    ("state", "crossing", "first"),
    [
        (DEAD, RIDING_ACROSS, 1),
        (ON_FOOT, RIDING_ACROSS, 1),
        (DRAGGED, DRAGGED_ACROSS, 1),
        (ON_FOOT, DRAGGED_ACROSS, 1),
        (DEAD, DRAGGED_ACROSS, 0),
    ],
)
def test_who_crossed_undragged_keeps_its_place_and_who_was_dragged_must_live(
    state: dict[str, Any], crossing: Crossing, first: int
) -> None:
    board = board_of({"progress_um": 5}, dict(state), crossings=(crossing,))

    assert places(board)[0] == (1, first)


@pytest.mark.rule("CM-118", "MO-23")
def test_a_seat_stands_by_its_best_chariot() -> None:
    board = board_of({"seat": 0, "progress_um": 1}, {"seat": 0, "progress_um": 9}, {"seat": 3, "progress_um": 5})

    assert places(board) == [(1, 0), (2, 3)]


@pytest.mark.rule("CM-07", "MO-23")
def test_a_team_has_points_for_each_rival_chariot_behind_each_of_its_own() -> None:
    # Places 1 and 4 against 2 and 3 are level; the first chariot home decides.
    level = board_of(*[{"progress_um": way} for way in (9, 7, 1, 5)], options=Options(teams="AB"))
    won = board_of(*[{"progress_um": way} for way in (9, 7, 5, 1)], options=Options(teams="AB"))

    assert results(level) == [(1, "A", 4, 8), (2, "B", 4, 8)]
    assert results(won) == [(1, "A", 6, 8), (2, "B", 2, 8)]
    assert places(level) == places(won) == [(1, 0), (1, 2), (3, 1), (3, 3)]


@pytest.mark.rule("MO-23")
def test_unequal_teams_are_compared_by_the_share_of_their_points() -> None:
    board = board_of(*[{"progress_um": way} for way in (9, 1, 5, 7)], options=Options(teams="ABBB"))

    assert results(board) == [(1, "A", 6, 6), (2, "B", 0, 6)]
    assert results(replace(board, options=Options(teams="ABAC"))) == [(1, "A", 6, 8), (2, "C", 4, 6), (3, "B", 0, 6)]


@pytest.mark.rule("MO-23")
def test_a_large_team_does_not_win_by_its_size() -> None:
    board = board_of(*[{"progress_um": way} for way in (9, 8, 7, 6, 5, 4)], options=Options(teams="CACCCB"))

    assert results(board) == [(1, "A", 8, 10), (2, "C", 10, 16), (3, "B", 0, 10)]


@pytest.mark.rule("MO-23")
def test_every_chariot_of_a_seat_counts_for_its_team() -> None:
    board = board_of(
        {"seat": 0, "progress_um": 9},
        {"seat": 0, "progress_um": 1},
        {"seat": 1, "progress_um": 7},
        {"seat": 1, "progress_um": 5},
        options=Options(teams="AB", chariots_each=2),
    )

    assert results(board) == [(1, "A", 4, 8), (2, "B", 4, 8)]
    assert results(replace(board, finished=(2, 3))) == [(1, "B", 8, 8), (2, "A", 0, 8)]


@pytest.mark.rule("MO-23", "XG-07")
def test_a_place_that_was_driven_home_stays_the_team_s_when_its_player_resigns() -> None:
    states = [{"progress_um": 9}, {"progress_um": 5}, {"progress_um": 1}, {"progress_um": 4}]
    board = board_of(*states, options=Options(teams="AB"), finished=(0,), withdrawn=(Seat(0),))

    assert results(board) == [(1, "A", 4, 8), (2, "B", 4, 8)]
    assert places(board) == [(1, 2), (2, 1), (2, 3), (4, 0)]


@pytest.mark.rule("MO-23", "XG-07")
def test_a_team_that_has_left_stands_behind_the_others_whatever_it_had() -> None:
    board = board_of(
        {},
        {"fallen_out": 2, **DEAD},
        options=Options(teams="AB"),
        withdrawn=(Seat(0),),
        finished=(0,),
        ended="one_seat_left",
    )

    assert results(board) == [(1, "B", 0, 2), (2, "A", 2, 2)]


@pytest.mark.rule("MO-23", "XG-09")
def test_where_no_chariot_can_finish_no_team_wins() -> None:
    states = [{"fallen_out": 4, **DEAD}, {"fallen_out": 6, **ON_FOOT}]

    board = board_of(*states, options=Options(teams="AB"), ended="none_left")

    assert [place for place, *_ in results(board)] == [2, 3]
    assert places(board) == [(2, 1), (3, 0)]


@pytest.mark.rule("XG-07", "XG-09")
def test_who_resigned_stands_last_the_later_the_better() -> None:
    board = board_of({}, {"fallen_out": 1, **DEAD}, {}, {}, withdrawn=(Seat(3), Seat(0)), finished=(3,))

    assert places(board) == [(1, 2), (2, 1), (3, 0), (4, 3)]


@pytest.mark.rule("XG-09")
def test_where_nobody_can_finish_nobody_wins() -> None:
    board = board_of({"fallen_out": 4, **DEAD}, {"fallen_out": 6, **ON_FOOT}, ended="none_left")

    assert places(board) == [(2, 1), (3, 0)]


@pytest.mark.rule("XG-07", "XG-09")
def test_the_last_seat_left_wins_whatever_became_of_it() -> None:
    board = board_of({"fallen_out": 4, **DEAD}, {}, withdrawn=(Seat(1),), ended="one_seat_left")

    assert places(board) == [(1, 0), (2, 1)]


@pytest.mark.rule("XG-09")
def test_before_anything_is_built_all_are_equal() -> None:
    assert places(play_out(3).board) == [(1, 0), (1, 1), (1, 2)]
