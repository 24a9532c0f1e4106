"""Who stands where: live on every board, and in the end."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.rulesets.chariotmaster.race.board import Board, Crossing
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import DriverDied, TurnClosed
from domain.rulesets.chariotmaster.race.ranking import rank
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.races import play_out, race_of

DEAD: dict[str, Any] = {"driver": "dead", "has_reins": False}
ON_FOOT: dict[str, Any] = {"driver": "on_foot", "driver_pose": pose_at(0, 60), "has_reins": False}
DRAGGED: dict[str, Any] = {"driver": "dragged", "has_body": False, "has_reins": False}
RIDING_ACROSS, DRAGGED_ACROSS = Crossing(chariot=1, is_dragged=False), Crossing(chariot=1, is_dragged=True)


def places(board: Board) -> list[tuple[int, int]]:
    return [(placing.place, placing.seat) for placing in rank(board)]


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
def test_a_team_stands_by_its_best_seat_and_who_resigned_stands_last_all_the_same() -> None:
    progress = [{"progress_um": 1}, {"progress_um": 5}, {"progress_um": 9}, {"progress_um": 7}]
    board = board_of(*progress, options=Options(teams=2))

    assert places(board) == [(1, 0), (1, 2), (3, 1), (3, 3)]
    assert places(replace(board, withdrawn=(Seat(2),))) == [(1, 1), (1, 3), (3, 0), (4, 2)]


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
