"""Lost reins and dead horses: climbing on the shaft, grabbing, cutting free, falling off."""

from typing import Any

import pytest

from domain.rulesets.chariotmaster.aftermath.aftermath import default_aftermath
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.harm.losses import crash, gain
from domain.rulesets.chariotmaster.race.actions import Climb, HangOn, LeaveRoll, ModifyRoll, StayPut
from domain.rulesets.chariotmaster.race.aftermath_outcomes import DriverStayed, GrabTested
from domain.rulesets.chariotmaster.race.board import Grasp, is_under_control, team_piece
from domain.rulesets.chariotmaster.race.outcomes import DriverSetDown, PointsLost, TableRolled
from domain.rulesets.chariotmaster.rounds.mug import tokens_to_choose
from domain.rulesets.chariotmaster.turn.attacks import may_defend
from domain.rulesets.chariotmaster.turn.chariot_turn import NotNow
from tests.domain.rulesets.chariotmaster.after_turns import (
    CUTTING,
    HERE,
    NO_REINS,
    ON_SHAFT,
    after_turn,
    answer,
    closed,
    owed,
    refused,
)
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.harm.test_crashes import assert_nothing_overlaps
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, cascade_on, pose_at, table

REINS, DEAD_HORSE = Climb(aim="reins"), Climb(aim="dead_horse")


@pytest.mark.rule("CM-65")
def test_a_driver_without_reins_may_climb_on_the_shaft_when_the_chariot_has_moved() -> None:
    script = after_turn(**NO_REINS)

    assert owed(script) == ["g0/c0/climb"]
    chariot = closed(answer(script, REINS))
    assert chariot.grasp == Grasp(aim="reins", held_reins=False)
    # He grabs at the end of the next turn, not of this one.
    assert not script.told(GrabTested)


@pytest.mark.rule("CM-65")
def test_nobody_must_climb() -> None:
    script = answer(after_turn(**NO_REINS), StayPut())

    assert closed(script).grasp is None
    assert script.told(DriverStayed) == [DriverStayed(chariot=0, declined="climb")]


@pytest.mark.rule("CM-65")
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"driver": "dead", "has_reins": False},
        {"unconscious_for": 1, "has_reins": False},
        {"out_of_control_for": 1},
    ],
)
def test_only_who_is_awake_in_the_body_and_has_something_to_grab_is_asked(changes: dict[str, Any]) -> None:
    assert owed(after_turn(**changes)) == []


@pytest.mark.rule("CM-65", "T7")
@pytest.mark.parametrize(
    ("token", "face", "is_passed"),
    [(5, 3, True), (5, 4, False), (0, 4, True), (0, 5, False), (10, 2, True), (10, 3, False), (10, 1, True)],
)
def test_grabbing_is_a_skill_test_by_the_token(token: TokenName, face: int, *, is_passed: bool) -> None:
    # A failed attempt is repeated: he is on the shaft, and is not asked.
    script = after_turn(face, skill=3, last_token=token, **ON_SHAFT)

    assert [test.is_passed for test in script.told(GrabTested)] == [is_passed]
    chariot = closed(script)
    assert (chariot.has_reins, chariot.grasp is None) == (is_passed, is_passed)
    assert is_under_control(chariot) is is_passed


@pytest.mark.rule("CM-65")
def test_a_natural_one_is_enough_for_anybody() -> None:
    chariot = closed(after_turn(1, skill=0, last_token=10, **ON_SHAFT))

    assert is_under_control(chariot)


@pytest.mark.rule("CM-65")
@pytest.mark.parametrize(("face", "place"), [(4, pose_at(10, 15)), (6, pose_at(10, 15)), (3, pose_at(10, -15))])
def test_on_a_natural_six_he_falls_to_a_side_of_the_horses(face: int, place: Any) -> None:
    script = after_turn(6, face, skill=7, **ON_SHAFT)

    assert script.told(PointsLost) == [PointsLost(chariot=0, kind="health", left=4)]
    chariot = closed(script)
    assert (chariot.driver, chariot.driver_pose, chariot.grasp) == ("on_foot", place, None)
    assert (chariot.team_pose, chariot.has_body, is_under_control(chariot)) == (HERE, True, False)
    assert_nothing_overlaps(script.board)


@pytest.mark.rule("CM-65", "CM-128")
def test_who_falls_on_somebody_comes_down_further_the_same_way() -> None:
    script = after_turn(6, 4, others=(chariot_at(1, pose_at(10, 20)),), **ON_SHAFT)

    assert closed(script).driver_pose == pose_at(10, 35)


@pytest.mark.rule("CM-65")
def test_a_fall_that_kills_leaves_nobody_to_be_put_down() -> None:
    script = after_turn(6, 6, health=0, health_modifier=2, **ON_SHAFT)

    assert [roll.effects for roll in script.told(TableRolled)] == [("dies",)]
    assert not script.told(DriverSetDown)
    assert closed(script).driver == "dead"


@pytest.mark.rule("CM-65")
def test_who_is_unconscious_on_the_shaft_clings_on() -> None:
    chariot = closed(after_turn(unconscious_for=1, **ON_SHAFT))

    assert chariot.grasp == Grasp(aim="reins", held_reins=False)
    assert chariot.unconscious_for == 0


@pytest.mark.rule("CM-74", "CM-126")
def test_cutting_a_horse_free_goes_like_grabbing_and_ends_with_the_reins_in_hand() -> None:
    script = after_turn(horses=1, dead_horses=1)
    climbed = closed(answer(script, DEAD_HORSE))

    assert climbed.grasp == Grasp(aim="dead_horse", held_reins=True)
    assert not is_under_control(climbed)
    assert not may_defend(script.board, team_piece(0))

    back = closed(after_turn(3, last_token=0, **CUTTING))
    assert (back.horses, back.dead_horses, back.has_reins, back.grasp) == (1, 0, True, None)
    assert is_under_control(back)
    assert tokens_to_choose(back) == (0, 5)


@pytest.mark.rule("CM-73", "CM-74")
def test_with_a_dead_horse_only_the_slowest_token_is_left_until_it_is_cut_free() -> None:
    assert tokens_to_choose(chariot_at(0, HERE, horses=1, dead_horses=1)) == (0,)
    # Also out of control, after any token.
    assert tokens_to_choose(chariot_at(0, HERE, last_token=10, **CUTTING)) == (0,)


@pytest.mark.rule("CM-126")
def test_who_had_no_reins_before_cutting_has_none_after_it() -> None:
    script = after_turn(horses=1, dead_horses=1, **NO_REINS)

    chariot = closed(answer(script, DEAD_HORSE))
    assert chariot.grasp == Grasp(aim="dead_horse", held_reins=False)

    script = after_turn(1, **(CUTTING | {"grasp": chariot.grasp}))
    # He is back in the body, and may climb again at once, for the reins.
    assert owed(script) == ["g0/c0/climb"]
    assert refused(script, DEAD_HORSE).found == "dead_horse"
    assert closed(answer(script, REINS)).dead_horses == 0


@pytest.mark.rule("CM-70", "CM-126")
def test_a_driver_on_the_shaft_counts_as_without_reins_in_a_crash() -> None:
    script = LoadedScript(table(chariot_at(0, HERE, **CUTTING)), faces=[2])

    crash(cascade_on(script), 0, away=90)

    script.assert_done()
    chariot = script.board.chariots[0]
    assert (chariot.driver, chariot.grasp) == ("on_foot", None)


@pytest.mark.rule("CM-65")
def test_nothing_else_may_be_answered() -> None:
    script = after_turn(**NO_REINS)

    assert isinstance(refused(script, HangOn()), NotNow)
    assert isinstance(refused(script, DEAD_HORSE), NotNow)


@pytest.mark.rule("CM-65")
def test_who_does_not_choose_climbs() -> None:
    script = after_turn(horses=1, dead_horses=1)

    assert default_aftermath(ARENA, script.board) == DEAD_HORSE


@pytest.mark.rule("CM-135")
def test_luck_may_change_a_grab() -> None:
    changed = after_turn(6, modifies=1, answers=[ModifyRoll(die=0, change=-1)], **ON_SHAFT)
    left = after_turn(6, 2, modifies=1, answers=[LeaveRoll(), LeaveRoll(), LeaveRoll()], **ON_SHAFT)

    assert closed(changed).driver == "riding"
    assert left.board.chariots[0].driver == "on_foot"


@pytest.mark.rule("MO-18")
def test_letting_go_of_the_reins_on_the_shaft_changes_nothing() -> None:
    script = LoadedScript(table(chariot_at(0, HERE, **CUTTING)))

    gain(cascade_on(script), 0, "no_reins")

    assert script.outcomes == []
