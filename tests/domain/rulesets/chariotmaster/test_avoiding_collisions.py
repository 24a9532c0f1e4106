"""Skids, and the duty to avoid collisions: deliberate ones are refused, and some happen all the same."""

from typing import Any

import pytest

from domain.rulesets.chariotmaster.race.actions import (
    MakeUTurn,
)
from domain.rulesets.chariotmaster.race.board import Wreck
from domain.rulesets.chariotmaster.race.outcomes import PiecesCollided
from domain.rulesets.chariotmaster.turn.chariot_turn import NotNow, check_move
from domain.rulesets.chariotmaster.turn.sub_moves import BadPivot, WouldCollide
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.turns import (
    ANNOUNCE,
    BRAKE,
    GO_ON,
    SPUR,
    STOP,
    WHIP,
    ahead,
    ending,
    go,
    left,
    reach_cm,
    refused,
    turn_of,
)


@pytest.mark.rule("CM-16", "CM-31")
def test_a_u_turn_is_refused_after_a_move_with_a_minimum_or_onto_something() -> None:
    beside = chariot_at(1, pose_at(0, 25))

    assert isinstance(refused(go(turn_of(0), ahead(20)), MakeUTurn(pivot=left(90))), NotNow)
    assert isinstance(refused(turn_of(5), MakeUTurn(pivot=left(90))), NotNow)
    assert isinstance(refused(turn_of(0, others=(beside,)), MakeUTurn(pivot=left(90))), WouldCollide)


@pytest.mark.rule("CM-23", "CM-24")
def test_a_skid_goes_on_the_last_way_with_the_facing_it_had() -> None:
    script = go(turn_of(5, 6), ahead(50, left(30)), ANNOUNCE, GO_ON)

    assert script.board.chariots[0].team_pose == pose_at(100, 0, 30)
    assert ending(script) == ["skid"]


@pytest.mark.rule("CM-23", "MO-13")
def test_after_a_side_sweep_a_skid_goes_on_sideways_for_nothing() -> None:
    script = go(turn_of(0, 6, stamina=5), ahead(20, way="left"), ANNOUNCE, GO_ON)

    assert script.board.chariots[0].team_pose == pose_at(0, 50)
    assert script.board.chariots[0].stamina == 4


@pytest.mark.rule("CM-23", "CM-120")
def test_a_skid_may_be_braked_again_and_again_but_not_spurred() -> None:
    script = go(turn_of(5, 6, 1, 2), ahead(50), ANNOUNCE, BRAKE)

    for action in (SPUR, WHIP, STOP, ANNOUNCE, ahead(10)):
        assert isinstance(refused(script, action), NotNow)
    go(script, BRAKE, GO_ON)
    assert script.board.chariots[0].team_pose == pose_at(70)
    assert ending(script) == ["skid"]


@pytest.mark.rule("CM-23", "CM-120")
def test_a_skid_that_is_braked_away_is_over() -> None:
    assert ending(go(turn_of(5, 6, 5), ahead(50), ANNOUNCE, BRAKE)) == ["skid"]


@pytest.mark.rule("CM-23", "CM-24")
def test_a_skid_may_end_in_a_collision() -> None:
    other = chariot_at(1, pose_at(120))
    script = go(turn_of(5, 6, 6, 6, 1, 1, 1, others=(other,)), ahead(50), ANNOUNCE, GO_ON)

    assert script.told(PiecesCollided)
    assert ending(script) == ["collision"]


@pytest.mark.rule("CM-30", "CM-31", "CM-115")
def test_nobody_collides_on_purpose() -> None:
    other = chariot_at(1, pose_at(70))
    script = turn_of(5, others=(other,))

    assert isinstance(refused(script, ahead(31)), WouldCollide)
    assert isinstance(refused(script, GO_ON), NotNow)
    check_move(ARENA, script.board, ahead(30))


@pytest.mark.rule("CM-31", "MO-15")
def test_a_pivot_onto_something_is_refused() -> None:
    beside = chariot_at(1, pose_at(50, 25))

    assert isinstance(refused(turn_of(5, others=(beside,)), ahead(50, left(30))), WouldCollide)


@pytest.mark.rule("CM-32", "CM-115")
def test_blocked_and_out_of_stamina_one_may_pay_all_the_same_or_collide() -> None:
    blocker = chariot_at(1, pose_at(45))
    tired = turn_of(5, 1, 1, 1, 1, 1, others=(blocker,), stamina=0)
    paying = go(turn_of(5, 2, 5, others=(blocker,), stamina=0), BRAKE)

    go(tired, GO_ON)

    assert tired.told(PiecesCollided)
    assert ending(tired) == ["bounce"]
    assert reach_cm(paying) == (0, 5)


@pytest.mark.rule("CM-24", "MO-4", "CM-32")
def test_an_involuntary_collision_ends_the_turn_even_below_the_minimum() -> None:
    script = go(turn_of(5, 6, 6, 1, 1, 1, others=(chariot_at(1, pose_at(45)),), stamina=0), GO_ON)

    assert script.told(PiecesCollided)[0].bounce == 1
    assert ending(script) == ["collision"]


@pytest.mark.rule("CM-32")
@pytest.mark.parametrize("changes", [{"stamina": 1}, {"stamina": 0, "free": True}])
def test_who_can_avoid_a_collision_must(changes: dict[str, Any]) -> None:
    is_free = changes.pop("free", False)
    script = turn_of(5, others=(chariot_at(1, pose_at(200 if is_free else 45)),), **changes)

    assert isinstance(refused(script, GO_ON), NotNow)


@pytest.mark.rule("CM-33", "CM-34", "CM-40", "MO-27")
def test_a_wreck_is_run_across_if_enough_move_is_left_to_come_clear() -> None:
    wreck = Wreck(chariot=0, pose=pose_at(45))
    script = turn_of(10, 1, 1, 1, 1, wrecks=(wreck,))

    assert isinstance(refused(turn_of(5, wrecks=(wreck,)), ahead(70)), WouldCollide)
    assert isinstance(refused(script, ahead(100, left(5))), BadPivot)
    go(script, ahead(100))

    assert script.told(PiecesCollided)
    assert script.board.chariots[0].team_pose == pose_at(100)
    assert not ending(script)


@pytest.mark.rule("CM-32", "CM-33")
def test_who_can_run_across_something_small_may_not_run_into_it_instead() -> None:
    wreck = Wreck(chariot=0, pose=pose_at(35))
    script = turn_of(10, wrecks=(wreck,), stamina=0)

    assert isinstance(refused(script, GO_ON), NotNow)
    check_move(ARENA, script.board, ahead(100))


@pytest.mark.rule("CM-32", "CM-33")
def test_nor_may_who_can_run_across_it_and_stop_before_what_stands_behind_it() -> None:
    wreck = Wreck(chariot=0, pose=pose_at(35))
    script = turn_of(10, others=(chariot_at(1, pose_at(140)),), wrecks=(wreck,), stamina=0)

    assert isinstance(refused(script, ahead(101)), WouldCollide)
    check_move(ARENA, script.board, ahead(100))
    assert isinstance(refused(script, GO_ON), NotNow)


@pytest.mark.rule("CM-33", "CM-34")
def test_a_dragged_driver_is_run_across_but_not_the_horses_that_drag_him() -> None:
    dragging = {"driver": "dragged", "has_body": False}
    across = chariot_at(1, pose_at(60, 16, 90), **dragging)
    in_front = chariot_at(1, pose_at(60), **dragging)

    go(turn_of(10, 4, 4, 4, others=(across,)), ahead(100))
    assert isinstance(refused(turn_of(10, others=(in_front,)), ahead(120)), WouldCollide)


@pytest.mark.rule("CM-23", "CM-121")
def test_a_skid_across_a_dragged_driver_ends_before_the_horses() -> None:
    dragging = chariot_at(1, pose_at(110), driver="dragged", has_body=False)
    script = go(turn_of(10, 6, 4, 4, 4, others=(dragging,)), ahead(60), ANNOUNCE, GO_ON)

    assert script.board.chariots[0].team_pose == pose_at(75)
    assert ending(script) == ["skid"]
