"""The defaults of an absent seat: the plain build, the safe token, one careful sub-move; no harm and no spending."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.ids import DecisionId
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.offers.defaults import ENOUGH_UM, default_move
from domain.rulesets.chariotmaster.offers.free_way import free_way_um, others_around
from domain.rulesets.chariotmaster.race.actions import (
    ChangeSpeed,
    Climb,
    CutLoose,
    Endure,
    GoOn,
    HangOn,
    LeaveRoll,
    MakeSubMove,
    MakeUTurn,
    Pivot,
    PutToken,
    Stop,
    Walk,
)
from domain.rulesets.chariotmaster.race.board import (
    Aftermath,
    Board,
    Chariot,
    Mug,
    OfferedRoll,
    Slip,
    Threat,
    team_piece,
)
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.races import RULES, race_of
from tests.domain.rulesets.chariotmaster.turns import ahead, go, left, turn_of

HERE = pose_at(0)
DRAGGED: dict[str, Any] = {"driver": "dragged", "has_body": False, "has_reins": False}


def token_for(*others: Chariot, tokens: tuple[TokenName, ...] = (0, 5, 10), **mine: Any) -> TokenName:
    mug = Mug(game_turn=1, slips=(Slip(chariot=0, tokens=tokens),))
    board = race_of(chariot_at(0, mine.pop("pose", HERE), **mine), *others, mug=mug, game_turns=1).board
    (decision,) = RULES.decisions(board)
    action = RULES.default_action(board, decision)
    assert isinstance(action, PutToken)
    return action.token


def asked(board: Board, **changes: Any) -> Any:
    changed = replace(board, **changes)
    return RULES.default_action(changed, RULES.decisions(changed)[0])


@pytest.mark.rule("CM-136")
def test_on_the_straight_the_absent_go_by_the_5_token() -> None:
    assert token_for() == 5
    assert token_for(tokens=(0, 10)) == 0


@pytest.mark.rule("CM-136")
@pytest.mark.parametrize(("gap_mm", "token"), [(49, 0), (50, 5)])
def test_with_less_than_five_centimetres_ahead_they_go_by_the_0_token(gap_mm: int, token: TokenName) -> None:
    assert token_for(chariot_at(1, pose_at(40 + gap_mm))) == token


@pytest.mark.rule("CM-136")
@pytest.mark.parametrize(("heading", "token"), [(45, 5), (315, 5), (46, 0), (314, 0), (180, 0)])
def test_more_than_45_degrees_off_the_track_they_go_by_the_0_token(heading: int, token: TokenName) -> None:
    assert token_for(pose=pose_at(0, 0, heading)) == token


@pytest.mark.rule("CM-136")
def test_a_free_straight_is_driven_to_the_end_of_the_token_without_a_pivot() -> None:
    script = turn_of(5)

    first = default_move(ARENA, script.board)
    go(script, first)

    assert first == ahead(100)
    assert script.board.turn is None


@pytest.mark.rule("CM-136")
def test_they_stop_as_soon_as_the_minimum_is_reached() -> None:
    script = go(turn_of(10), ahead(100))

    assert default_move(ARENA, script.board) == Stop()


@pytest.mark.rule("CM-136")
def test_what_leaves_enough_free_way_ahead_comes_before_distance() -> None:
    # Another chariot stands 12 cm ahead: the longest way after which 5 cm are free, or a pivot that frees more.
    script = turn_of(5, others=(chariot_at(1, pose_at(160)),))

    first = default_move(ARENA, script.board)

    assert isinstance(first, MakeSubMove)
    assert first.pivot is not None
    assert first.distance_mm is not None
    go(script, first)
    pose = script.board.chariots[0].team_pose
    assert pose is not None
    others = others_around(ARENA, script.board, 0, pose, within_um=ENOUGH_UM)
    assert free_way_um(ARENA.chariot, pose, others, limit_um=ENOUGH_UM) == ENOUGH_UM


@pytest.mark.rule("CM-136", "CM-16")
@pytest.mark.parametrize("pose", [pose_at(0, 0, 180), pose_at(0, -60, 260), pose_at(0, 0, 100)])
def test_who_is_stuck_or_astray_turns_round_along_the_track(pose: Any) -> None:
    script = turn_of(0, pose=pose)

    turned = default_move(ARENA, script.board)
    go(script, turned)

    assert isinstance(turned, MakeUTurn)
    after = script.board.chariots[0].team_pose
    assert after is not None
    assert min(after.heading, 360 - after.heading) <= 60


@pytest.mark.rule("CM-136")
def test_a_u_turn_prefers_free_way_then_the_smaller_turn_then_the_left() -> None:
    # At 41 degrees to either wall, and no more, twelve centimetres are free from the middle: the left turn is chosen.
    pivot = Pivot(hinge="centre", degrees=139)

    assert default_move(ARENA, turn_of(0, pose=pose_at(0, 0, 180)).board) == MakeUTurn(pivot=pivot)


@pytest.mark.rule("CM-136", "CM-32")
@pytest.mark.parametrize("stamina", [5, 0])
def test_without_a_way_they_brake_and_pay_rather_than_collide(stamina: int) -> None:
    script = turn_of(5, others=(chariot_at(1, pose_at(45)),), stamina=stamina)

    assert default_move(ARENA, script.board) == ChangeSpeed(change="brake")


@pytest.mark.rule("CM-136", "CM-120")
def test_in_a_skid_they_let_it_go() -> None:
    script = turn_of(5)
    assert script.board.turn is not None
    skidding = replace(script.board.turn, is_skidding=True, sub_moves=1, way=0)

    assert default_move(ARENA, replace(script.board, turn=skidding)) == GoOn()


@pytest.mark.rule("CM-136")
def test_they_take_no_second_sub_move_unless_its_test_is_passed_already() -> None:
    script = go(turn_of(10, 2), ahead(20, left(5)))
    before = default_move(ARENA, script.board)
    assert script.board.turn is not None
    cleared = replace(script.board, turn=replace(script.board.turn, is_cleared=True))

    assert before == ChangeSpeed(change="brake")
    assert isinstance(default_move(ARENA, cleared), MakeSubMove)


@pytest.mark.rule("CM-136", "XG-05")
def test_they_use_no_luck_and_defend_nothing() -> None:
    board = race_of(chariot_at(0, HERE, modifies=2), chariot_at(1, pose_at(0, 40)), game_turns=2).board
    offered = OfferedRoll(chariot=0, faces=(1, 2), decision=DecisionId("asked"))
    threat = Threat(attacker=1, target=team_piece(0), means="ram", decision=DecisionId("asked"))

    assert asked(board, offered=offered) == LeaveRoll()
    assert asked(board, threat=threat) == Endure()


@pytest.mark.rule("CM-136", "CM-65", "CM-80", "CM-81")
@pytest.mark.parametrize(
    ("state", "answer"),
    [
        ({"has_reins": False}, Climb(aim="reins")),
        ({"horses": 1, "dead_horses": 1}, Climb(aim="dead_horse")),
        ({**DRAGGED, "health": 1}, HangOn()),
        ({**DRAGGED, "health": 0}, CutLoose()),
    ],
)
def test_they_climb_and_hang_on_while_a_health_point_is_left(state: dict[str, Any], answer: Any) -> None:
    board = race_of(chariot_at(0, HERE, **state), active=0, aftermath=Aftermath(chariot=0, token=0)).board

    assert asked(board) == answer


@pytest.mark.rule("CM-136", "CM-81")
@pytest.mark.parametrize(("y_mm", "heading"), [(30, 90), (-30, 270)])
def test_on_foot_they_walk_straight_to_the_nearest_wall(y_mm: int, heading: int) -> None:
    on_foot = chariot_at(0, pose_at(-200), driver="on_foot", driver_pose=pose_at(0, y_mm), has_reins=False)
    board = race_of(on_foot, active=0, aftermath=Aftermath(chariot=0, token=0)).board

    walked = asked(board)

    assert isinstance(walked, Walk)
    assert [leg.heading for leg in walked.legs] == [heading]
