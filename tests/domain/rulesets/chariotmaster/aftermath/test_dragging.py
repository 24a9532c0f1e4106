"""Drivers dragged behind their horses: the cost, and the ends."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rulesets.chariotmaster.aftermath.aftermath import begin_aftermath, default_aftermath
from domain.rulesets.chariotmaster.aftermath.dragging import lose_dragged_health
from domain.rulesets.chariotmaster.race.actions import Climb, CutLoose, HangOn
from domain.rulesets.chariotmaster.race.aftermath_outcomes import CutLooseTested, DriverStayed
from domain.rulesets.chariotmaster.race.board import is_under_control
from domain.rulesets.chariotmaster.race.outcomes import DriverDied, DriverSetDown, PointsLost
from domain.rulesets.chariotmaster.race.racetrack import team_base
from domain.rulesets.chariotmaster.turn.chariot_turn import NotNow
from tests.domain.rulesets.chariotmaster.after_turns import DRAGGED, after_turn, answer, closed, owed, refused
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.harm.test_crashes import assert_nothing_overlaps
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, cascade_on, pose_at, table


def dragged_on(*faces: int, **changes: Any) -> LoadedScript:
    script = LoadedScript(table(chariot_at(0, pose_at(5), **(DRAGGED | changes))), faces=faces)
    lose_dragged_health(cascade_on(script), 0)
    script.assert_done()
    return script


@pytest.mark.rule("CM-80", "MO-12")
@pytest.mark.parametrize(("face", "lost"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_being_dragged_costs_a_third_of_a_die_of_health(face: int, lost: int) -> None:
    assert dragged_on(face).board.chariots[0].health == 5 - lost


@pytest.mark.rule("CM-80")
def test_each_point_that_is_not_there_is_a_roll_for_dragged_drivers() -> None:
    script = dragged_on(3, 6, health=1, health_modifier=1)

    assert script.told(PointsLost) == [PointsLost(chariot=0, kind="health", left=0)]
    # The horses run on alone, from where they were.
    assert script.told(DriverDied) == [DriverDied(chariot=0, team_pose=pose_at(10))]


@pytest.mark.rule("CM-80")
def test_nobody_else_loses_anything() -> None:
    assert dragged_on(driver="riding", has_body=True).outcomes == []


@pytest.mark.rule("CM-80")
def test_who_cuts_himself_loose_lies_right_behind_the_horses_and_walks_from_the_next_turn_on() -> None:
    script = after_turn(6 - 1, pose=pose_at(5), **DRAGGED)

    assert owed(script) == ["g0/c0/cut-loose"]
    answer(script, CutLoose())
    assert script.told(CutLooseTested) == [CutLooseTested(chariot=0, face=5, is_passed=True)]
    (set_down,) = script.told(DriverSetDown)
    assert (set_down.pose, set_down.team_pose) == (pose_at(-5), pose_at(10))
    assert_nothing_overlaps(script.board)
    assert owed(script) == []

    chariot = closed(script)
    assert (chariot.driver, chariot.is_resting) == ("on_foot", False)
    begin_aftermath(script, ARENA, chariot=0)
    assert owed(script) == ["g0/c0/walk"]


@pytest.mark.rule("CM-80")
@pytest.mark.parametrize(("face", "skill", "driver"), [(1, 0, "on_foot"), (6, 7, "dragged"), (4, 3, "dragged")])
def test_ones_pass_and_sixes_fail(face: int, skill: int, driver: str) -> None:
    script = answer(after_turn(face, pose=pose_at(5), skill=skill, **DRAGGED), CutLoose())

    assert closed(script).driver == driver


@pytest.mark.rule("CM-80")
def test_he_may_hang_on() -> None:
    script = answer(after_turn(**DRAGGED), HangOn())

    assert closed(script).driver == "dragged"
    assert script.told(DriverStayed) == [DriverStayed(chariot=0, declined="cut_loose")]


@pytest.mark.rule("CM-80")
@pytest.mark.parametrize("changes", [{"has_knife": False}, {"unconscious_for": 2}])
def test_without_a_knife_or_his_senses_he_is_dragged_on(changes: dict[str, Any]) -> None:
    assert owed(after_turn(**(DRAGGED | changes))) == []


@pytest.mark.rule("CM-80", "CM-127")
def test_who_is_dragged_steers_nothing_and_hangs_behind_the_horses() -> None:
    chariot = chariot_at(0, pose_at(0), **DRAGGED)

    assert not is_under_control(chariot)
    base = team_base(ARENA, chariot)
    assert [part.name for part in base.parts] == ["horses", "driver"]
    # Horses of 2 cm, the driver of 1 cm right behind their middle.
    assert [(part.rear_um, part.front_um) for part in base.parts] == [(-5_000, 15_000), (-15_000, -5_000)]
    assert (base.parts[1].right_um, base.parts[1].left_um) == (-5_000, 5_000)


@pytest.mark.rule("CM-80")
def test_who_does_not_choose_hangs_on_while_there_is_health_left() -> None:
    script = after_turn(**DRAGGED)
    assert default_aftermath(ARENA, script.board) == HangOn()

    weak = replace(script.board, chariots=(replace(script.board.chariots[0], health=0),))
    assert default_aftermath(ARENA, weak) == CutLoose()


@pytest.mark.rule("CM-80")
def test_who_is_dragged_climbs_nowhere() -> None:
    assert isinstance(refused(after_turn(**DRAGGED), Climb(aim="reins")), NotNow)
