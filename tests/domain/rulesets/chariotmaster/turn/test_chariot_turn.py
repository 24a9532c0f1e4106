"""A chariot turn under control: speed, sub-moves, tests, U-turns, and its ends."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.race.actions import (
    MakeUTurn,
    Way,
)
from domain.rulesets.chariotmaster.race.board import is_under_control
from domain.rulesets.chariotmaster.race.outcomes import (
    PiecesCollided,
    SubMoveMade,
    SubMoveTested,
    TokenReplaced,
    TurnClosed,
    TurnEnded,
)
from domain.rulesets.chariotmaster.turn.attacks import list_attacks
from domain.rulesets.chariotmaster.turn.chariot_turn import NotNow, check_move
from domain.rulesets.chariotmaster.turn.sub_moves import BadDistance, BadPivot
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, FITTING, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.turns import (
    ANNOUNCE,
    BRAKE,
    GO_ON,
    HERE,
    SPUR,
    STOP,
    WHIP,
    ahead,
    ending,
    go,
    left,
    reach_cm,
    refused,
    state,
    turn_of,
)


@pytest.mark.rule("CM-11", "CM-12", "CM-13", "MT-10")
def test_braking_and_spurring_shift_both_distances_and_cost_a_point_each() -> None:
    script = go(turn_of(10, 4, 2, stamina=9), BRAKE, SPUR)

    assert reach_cm(script) == (8, 13)
    assert script.board.chariots[0].stamina == 7


@pytest.mark.rule("CM-12")
def test_braking_may_go_on_as_long_as_one_likes() -> None:
    assert reach_cm(go(turn_of(10, 1, 2, 3), BRAKE, BRAKE, BRAKE)) == (4, 9)


@pytest.mark.rule("CM-13", "CM-14", "MT-12")
def test_spur_and_whip_are_once_each_a_turn() -> None:
    script = go(turn_of(0, 6, 5), SPUR, WHIP)

    assert reach_cm(script) == (11, 16)
    assert isinstance(refused(script, SPUR), NotNow)
    assert isinstance(refused(script, WHIP), NotNow)


@pytest.mark.rule("CM-14")
def test_without_a_whip_nobody_whips() -> None:
    assert isinstance(refused(turn_of(5, has_whip=False), WHIP), NotNow)


@pytest.mark.rule("CM-15", "CM-22")
def test_who_has_not_come_as_far_as_he_must_may_not_stop() -> None:
    script = turn_of(5)

    assert isinstance(refused(script, STOP), NotNow)
    assert isinstance(refused(go(script, ahead(40)), STOP), NotNow)


@pytest.mark.rule("CM-15", "CM-24")
def test_with_a_minimum_of_nothing_one_may_stay() -> None:
    assert ending(go(turn_of(0), STOP)) == ["stopped"]


@pytest.mark.rule("CM-15")
def test_with_a_maximum_of_nothing_one_may_only_spur_and_whip_first() -> None:
    script = go(turn_of(0, 6), BRAKE)

    assert reach_cm(script) == (-6, -1)
    assert isinstance(refused(script, ahead(10)), BadDistance)
    assert isinstance(refused(script, MakeUTurn(pivot=left(90))), NotNow)
    assert not script.told(TurnEnded)


@pytest.mark.rule("CM-15")
def test_with_a_maximum_of_nothing_and_nothing_left_to_raise_it_the_turn_ends() -> None:
    script = go(turn_of(0, 1, 6, has_whip=False), SPUR, BRAKE)

    assert ending(script) == ["maximum"]


@pytest.mark.rule("CM-16")
@pytest.mark.parametrize("degrees", [180, -180, 77])
def test_a_u_turn_is_one_pivot_and_nothing_else(degrees: int) -> None:
    script = go(turn_of(0), MakeUTurn(pivot=left(degrees, "rear_left")))

    pose = script.board.chariots[0].team_pose
    assert pose is not None
    assert pose.heading == degrees % 360
    assert ending(script) == ["u_turn"]


@pytest.mark.rule("CM-16")
def test_a_minimum_that_was_braked_away_allows_a_u_turn() -> None:
    assert ending(go(turn_of(5, 5), BRAKE, MakeUTurn(pivot=left(90)))) == ["u_turn"]


@pytest.mark.rule("CM-20", "MO-14")
def test_a_sub_move_is_straight_and_then_pivots() -> None:
    script = go(turn_of(5), ahead(50, left(30, "front_left")))

    pose = script.board.chariots[0].team_pose
    assert pose is not None
    assert pose.heading == 30
    assert state(script).travelled_um == 50_000


@pytest.mark.rule("CM-20")
@pytest.mark.parametrize(("way", "y_mm"), [("left", 30), ("right", -30)])
def test_a_side_sweep_keeps_the_facing_and_costs_a_point(way: Way, y_mm: int) -> None:
    script = go(turn_of(0, stamina=5), ahead(30, way=way))

    assert script.board.chariots[0].team_pose == pose_at(0, y_mm)
    assert script.board.chariots[0].stamina == 4
    assert state(script).travelled_um == 30_000


@pytest.mark.rule("CM-20", "CM-22", "MO-28")
@pytest.mark.parametrize("distance_mm", [9, 51])
def test_a_sub_move_is_a_centimetre_at_least_and_at_most_what_is_left(distance_mm: int) -> None:
    assert isinstance(refused(turn_of(0), ahead(distance_mm)), BadDistance)
    assert isinstance(refused(turn_of(0), ahead(distance_mm, way="left")), BadDistance)


@pytest.mark.rule("CM-20", "T1")
@pytest.mark.parametrize(("token", "distance_mm", "widest"), [(0, 20, 45), (5, 50, 30), (10, 100, 10)])
def test_a_pivot_is_as_wide_as_the_token_allows(token: TokenName, distance_mm: int, widest: int) -> None:
    script = turn_of(token)

    check_move(ARENA, script.board, ahead(distance_mm, left(widest)))
    check_move(ARENA, script.board, ahead(distance_mm, left(-widest)))
    assert isinstance(refused(script, ahead(distance_mm, left(widest + 1))), BadPivot)


@pytest.mark.rule("CM-21", "MT-8")
@pytest.mark.parametrize(("face", "is_passed"), [(4, True), (5, False), (6, False), (1, True)])
def test_each_later_sub_move_is_tested(face: int, is_passed: object) -> None:
    script = go(turn_of(10, face, skill=6), ahead(100))

    assert isinstance(refused(script, ahead(20)), NotNow)
    go(script, ANNOUNCE)
    (test,) = script.told(SubMoveTested)
    assert (test.modifier, test.is_passed) == (2, is_passed)
    assert (state(script).is_cleared, state(script).is_skidding) == (is_passed, not is_passed)


@pytest.mark.rule("CM-21")
def test_one_test_is_good_for_one_sub_move() -> None:
    script = go(turn_of(5, 1, 1), ahead(50), ANNOUNCE)

    assert isinstance(refused(script, ANNOUNCE), NotNow)
    go(script, ahead(20))
    assert isinstance(refused(script, ahead(20)), NotNow)
    go(script, ANNOUNCE, ahead(30))
    assert ending(script) == ["maximum"]


@pytest.mark.rule("CM-21")
def test_the_first_sub_move_needs_no_test() -> None:
    assert isinstance(refused(turn_of(5), ANNOUNCE), NotNow)


@pytest.mark.rule("CM-22", "CM-24", "CM-115")
def test_less_than_a_centimetre_left_ends_the_turn() -> None:
    script = go(turn_of(5), ahead(91))

    assert ending(script) == ["maximum"]


@pytest.mark.rule("CM-112")
def test_a_way_until_contact_ends_there() -> None:
    script = go(turn_of(5, others=(chariot_at(1, pose_at(95, 3, 10)),)), ahead(None))

    assert 50_000 < state(script).travelled_um < 60_000
    assert state(script).travelled_um % 1_000
    assert not script.told(PiecesCollided)
    assert isinstance(refused(turn_of(5), ahead(None)), BadDistance)


@pytest.mark.rule("CM-91")
def test_stamina_that_is_not_there_still_buys_what_it_is_paid_for_after_its_effect() -> None:
    # The roll states stumble, by 1 cm; then the horses are braked all the same.
    script = go(turn_of(5, 5, 2, 3, stamina=0), BRAKE)

    assert script.board.chariots[0].team_pose == pose_at(-10)
    assert reach_cm(script) == (2, 7)


@pytest.mark.rule("MT-4")
def test_a_token_lost_after_eleven_centimetres_leaves_only_a_spur_or_a_whip() -> None:
    script = go(turn_of(10, 6, 1, stamina=0, stamina_modifier=1), ahead(110), BRAKE)

    assert [replaced.token for replaced in script.told(TokenReplaced)] == [5]
    assert reach_cm(script) == (4, 9)
    assert isinstance(refused(script, ANNOUNCE), NotNow)
    assert not script.told(TurnEnded)
    check_move(ARENA, script.board, STOP)
    check_move(ARENA, script.board, SPUR)


@pytest.mark.rule("CM-73", "CM-92")
def test_a_horse_that_drops_dead_on_the_way_leaves_the_slowest_token_at_once() -> None:
    script = go(turn_of(10, 6, 1, stamina=0, stamina_modifier=2), ahead(110), BRAKE)

    assert script.board.chariots[0].horses == 1
    assert [replaced.token for replaced in script.told(TokenReplaced)] == [0]
    assert reach_cm(script) == (-1, 4)
    assert isinstance(refused(script, ANNOUNCE), NotNow)
    check_move(ARENA, script.board, STOP)


@pytest.mark.rule("CM-24", "MO-4")
def test_a_brake_whose_price_leads_to_a_collision_ends_the_turn() -> None:
    # The horses stumble 1 cm back into the chariot behind, which bounces them by one.
    script = turn_of(5, 5, 1, 6, 1, 1, 1, 1, others=(chariot_at(1, pose_at(-45)),), stamina=0)

    go(script, BRAKE)

    assert [collided.bounce for collided in script.told(PiecesCollided)] == [2]
    assert ending(script) == ["collision"]


@pytest.mark.rule("CM-24", "CM-13")
def test_a_chariot_that_has_come_all_the_way_may_attack_but_not_spur() -> None:
    script = turn_of(5, others=(chariot_at(1, pose_at(100, -20)),), game_turns=2)

    go(script, ahead(100))

    assert list_attacks(ARENA, script.board)
    for change in (BRAKE, SPUR, WHIP):
        assert isinstance(refused(script, change), NotNow)


@pytest.mark.rule("CM-124")
def test_who_loses_control_by_paying_is_done() -> None:
    # The last horse dies of being braked: a crash, and the driver flies 2 cm.
    script = go(turn_of(5, 6, 2, stamina=0, stamina_modifier=2, horses=1, dead_horses=1), BRAKE)

    assert ending(script) == ["control_lost"]
    assert script.board.turn is None


@pytest.mark.rule("CM-24")
def test_conditions_that_last_until_the_end_of_the_turn_end_with_it() -> None:
    script = turn_of(0, fallen_for=2, out_of_control_for=1, unconscious_for=0)
    script.emit(TurnEnded(chariot=0, reason="ran_on"))
    assert script.board.chariots[0].fallen_for == 2

    script.emit(TurnClosed(chariot=0))

    chariot = script.board.chariots[0]
    assert (chariot.fallen_for, chariot.out_of_control_for, chariot.unconscious_for) == (1, 0, 0)


@pytest.mark.rule("CM-24")
@pytest.mark.parametrize(
    "changes",
    [
        {"driver": "on_foot"},
        {"driver": "dead"},
        {"has_reins": False},
        {"has_body": False},
        {"horses": 0},
        {"unconscious_for": 1},
        {"out_of_control_for": 2},
    ],
)
def test_control_needs_a_driver_awake_in_the_body_with_reins_and_horses(changes: dict[str, Any]) -> None:
    assert is_under_control(chariot_at(0, HERE))
    assert not is_under_control(chariot_at(0, HERE, **changes))


@pytest.mark.rule("T1")
def test_fast_teams_read_their_tokens_their_own_way() -> None:
    assert reach_cm(turn_of(10, fitting=replace(FITTING, reading="fast"))) == (10, 18)


@pytest.mark.rule("CM-15")
def test_who_still_has_a_whip_to_use_may_use_it_at_a_maximum_of_nothing() -> None:
    script = go(turn_of(0, 1, 6, 4), SPUR, BRAKE)

    assert reach_cm(script) == (-5, 0)
    assert reach_cm(go(script, WHIP)) == (-1, 4)


@pytest.mark.rule("CM-91", "MT-4")
def test_a_sweep_that_costs_the_token_goes_as_far_as_the_next_one_allows() -> None:
    script = turn_of(10, 6, pose=pose_at(0, -80), stamina=0, stamina_modifier=1)

    go(script, ahead(120, way="left"))

    assert script.board.chariots[0].team_pose == pose_at(0, 20)
    assert reach_cm(script) == (5, 10)


@pytest.mark.rule("CM-24")
def test_being_thrown_back_is_no_way_travelled() -> None:
    script = turn_of(5, 1, 1, 6, 6, 1, 1, 1, others=(chariot_at(1, pose_at(45)),), stamina=0)

    go(script, GO_ON)

    (made,) = script.told(SubMoveMade)
    assert made.travelled_um == 5_000
    assert script.board.chariots[0].team_pose == pose_at(-5)
