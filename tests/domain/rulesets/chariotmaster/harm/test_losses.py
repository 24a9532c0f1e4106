"""Losing points: present ones, and the effect of each row of the tables without any."""

from typing import Any

import pytest

from domain.rulesets.chariotmaster.box.component_file import Points
from domain.rulesets.chariotmaster.harm.losses import lose
from domain.rulesets.chariotmaster.race.board import Chariot
from domain.rulesets.chariotmaster.race.outcomes import (
    ConditionGained,
    DriverDied,
    DriverSetDown,
    HorseDied,
    PieceMoved,
    PointsLost,
    TableRolled,
    TokenLost,
)
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, cascade_on, pose_at, table

HERE = pose_at(0)


def losing(kind: Points, *faces: int, count: int = 1, active: int | None = 0, **changes: Any) -> LoadedScript:
    script = LoadedScript(table(chariot_at(0, HERE, **changes), active=active), faces=faces)
    lose(cascade_on(script), 0, kind, count=count)
    script.assert_done()
    return script


def after(kind: Points, *faces: int, **changes: Any) -> Chariot:
    return losing(kind, *faces, **changes).board.chariots[0]


DRAGGED: dict[str, Any] = {"driver": "dragged", "has_body": False, "has_reins": False}
ON_FOOT: dict[str, Any] = {"driver": "on_foot", "driver_pose": pose_at(0, 60), "has_reins": False}


@pytest.mark.rule("CM-90")
@pytest.mark.parametrize("kind", ["stamina", "structure", "health", "skill"])
def test_points_that_are_there_are_lost_one_by_one_without_a_roll(kind: Points) -> None:
    script = losing(kind, count=2, **{kind: 3})

    assert script.outcomes == [PointsLost(chariot=0, kind=kind, left=2), PointsLost(chariot=0, kind=kind, left=1)]


@pytest.mark.rule("CM-90")
def test_every_point_beyond_zero_is_a_roll_with_what_earlier_rolls_added() -> None:
    script = losing("stamina", 3, 3, 2, count=4, stamina=1)

    rolls = [(roll.face, roll.modifier, roll.next_modifier) for roll in script.told(TableRolled)]
    assert rolls == [(3, 0, 1), (3, 1, 2), (2, 2, 3)]
    assert script.board.chariots[0].is_exhausted is False


@pytest.mark.rule("CM-90")
def test_one_roll_is_carried_out_before_the_next_is_made() -> None:
    script = losing("structure", 5, 3, 1, count=2, structure=0, stamina=0)

    # The first roll costs stamina that is not there: that table is rolled on before the structure's is again.
    rolls = [(roll.kind, roll.face, roll.modifier) for roll in script.told(TableRolled)]
    assert rolls == [("structure", 5, 0), ("stamina", 3, 0), ("structure", 1, 1)]


@pytest.mark.rule("T8", "T9")
@pytest.mark.parametrize(("kind", "face"), [("stamina", 5), ("structure", 4)])
@pytest.mark.parametrize(("die", "centimetres"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_stumbling_back_is_half_a_die_rounded_up(kind: Points, face: int, die: int, centimetres: int) -> None:
    script = losing(kind, face, die, **{kind: 0})

    (moved,) = script.told(PieceMoved)
    assert (moved.reason, moved.after) == ("stumbled", pose_at(-10 * centimetres))
    assert script.board.chariots[0].team_pose == pose_at(-10 * centimetres)


@pytest.mark.rule("T8", "T9", "CM-90")
def test_exhaustion_and_a_damaged_wheel_stay_and_add_their_one_again() -> None:
    tired = losing("stamina", 6, stamina=0)
    again = losing("stamina", 6, stamina=0, is_exhausted=True)

    assert tired.board.chariots[0].is_exhausted
    assert tired.board.chariots[0].stamina_modifier == 1
    assert again.board.chariots[0].stamina_modifier == 1
    assert not again.told(ConditionGained)
    assert after("structure", 6, structure=0).has_damaged_wheel


@pytest.mark.rule("T8", "T9")
@pytest.mark.parametrize("kind", ["stamina", "structure"])
@pytest.mark.parametrize(("tokens", "left"), [((0, 5, 10), (0, 5)), ((0, 5), (0,)), ((0, 10), (0,)), ((0,), (0,))])
def test_the_highest_token_is_lost_but_never_the_zero(
    kind: Points, tokens: tuple[int, ...], left: tuple[int, ...]
) -> None:
    changes: dict[str, Any] = {kind: 0, f"{kind}_modifier": 1, "tokens": tokens}
    script = losing(kind, 6, **changes)

    assert script.board.chariots[0].tokens == left
    assert len(script.told(TokenLost)) == len(tokens) - len(left)


@pytest.mark.rule("T8", "T9", "CM-73")
@pytest.mark.parametrize("dead_horses", [0, 1])
@pytest.mark.parametrize("kind", ["stamina", "structure"])
def test_with_one_horse_the_highest_token_is_the_5_for_the_10_is_gone_already(kind: Points, dead_horses: int) -> None:
    changes: dict[str, Any] = {kind: 0, f"{kind}_modifier": 1, "horses": 1, "dead_horses": dead_horses}
    script = losing(kind, 6, **changes)

    assert script.told(TokenLost) == [TokenLost(chariot=0, token=5)]


@pytest.mark.rule("T8", "MO-22")
@pytest.mark.parametrize(("modifier", "halved"), [(2, 1), (3, 1), (7, 3)])
def test_a_dead_horse_halves_the_modifier_downwards(modifier: int, halved: int) -> None:
    script = losing("stamina", 6, stamina=0, stamina_modifier=modifier)

    chariot = script.board.chariots[0]
    assert (chariot.horses, chariot.dead_horses, chariot.stamina_modifier) == (1, 1, halved)
    assert script.told(HorseDied) == [HorseDied(chariot=0, horses_left=1)]


@pytest.mark.rule("T9")
def test_drifting_apart_costs_stamina() -> None:
    assert after("structure", 5, structure=0, stamina=4).stamina == 3


@pytest.mark.rule("T10", "T11", "T12")
@pytest.mark.parametrize("status", [{}, DRAGGED, ON_FOOT])
def test_a_bloody_hand_costs_skill(status: dict[str, Any]) -> None:
    chariot = after("health", 5, health=0, skill=6, **status)

    assert (chariot.skill, chariot.health_modifier) == (5, 1)


@pytest.mark.rule("T10", "MO-18")
def test_a_shocked_driver_loses_the_reins_once() -> None:
    shocked = losing("health", 6, health=0)

    assert not shocked.board.chariots[0].has_reins
    assert not losing("health", 6, health=0, has_reins=False).told(ConditionGained)


@pytest.mark.rule("T10")
def test_a_driver_knocked_over_loses_the_reins_and_his_senses() -> None:
    chariot = after("health", 6, health=0, health_modifier=1)

    assert (chariot.has_reins, chariot.unconscious_for, chariot.health_modifier) == (False, 2, 2)


@pytest.mark.rule("T11", "T12")
@pytest.mark.parametrize(("status", "modifier"), [(DRAGGED, 0), (ON_FOOT, 1)])
def test_senses_are_lost_until_the_end_of_the_next_turn(status: dict[str, Any], modifier: int) -> None:
    own_turn = after("health", 6, health=0, **status)
    another = after("health", 6, health=0, active=None, **status)

    assert (own_turn.unconscious_for, own_turn.health_modifier) == (2, modifier)
    assert another.unconscious_for == 1


@pytest.mark.rule("T10", "T11", "T12", "T14")
@pytest.mark.parametrize(
    ("kind", "modifier", "status"),
    [("health", 2, {}), ("health", 1, DRAGGED), ("health", 1, ON_FOOT), ("skill", 1, DRAGGED)],
)
def test_drivers_die(kind: Points, modifier: int, status: dict[str, Any]) -> None:
    script = losing(kind, 6, **{kind: 0, f"{kind}_modifier": modifier}, **status)

    chariot = script.board.chariots[0]
    assert script.told(DriverDied)
    assert (chariot.driver, chariot.driver_pose, chariot.has_reins) == ("dead", None, False)
    assert chariot.team_pose is not None


@pytest.mark.rule("T13")
def test_a_confused_driver_loses_control_until_the_end_of_the_next_turn() -> None:
    assert after("skill", 3, skill=0).out_of_control_for == 2
    assert after("skill", 3, skill=0, active=None).out_of_control_for == 1


@pytest.mark.rule("T13")
@pytest.mark.parametrize(("face", "die", "x_mm", "y_mm"), [(4, 2, 0, 20), (5, 3, 0, -30), (6, 4, -40, 0)])
def test_a_confused_driver_sweeps_or_brakes(face: int, die: int, x_mm: int, y_mm: int) -> None:
    chariot = after("skill", face, die, skill=0)

    assert chariot.team_pose == pose_at(x_mm, y_mm)
    assert chariot.skill_modifier == 1


@pytest.mark.rule("T13")
def test_a_slip_costs_the_reins() -> None:
    assert not after("skill", 6, skill=0, skill_modifier=1).has_reins


@pytest.mark.rule("T13")
def test_a_driver_without_hands_falls_off_to_right_behind() -> None:
    script = losing("skill", 6, skill=0, skill_modifier=2)

    chariot = script.board.chariots[0]
    assert script.told(DriverSetDown) == [DriverSetDown(chariot=0, pose=pose_at(-25), team_pose=HERE, is_resting=True)]
    assert (chariot.driver, chariot.has_body, chariot.has_reins) == ("on_foot", True, False)


@pytest.mark.rule("T14")
def test_a_dragged_driver_loses_his_knife_and_a_walking_one_falls() -> None:
    assert not after("skill", 6, skill=0, **DRAGGED).has_knife
    assert after("skill", 5, skill=0, **ON_FOOT).fallen_for == 2


@pytest.mark.rule("CM-93")
def test_modifiers_go_with_the_driver_to_his_next_table() -> None:
    for status in (DRAGGED, ON_FOOT):
        script = losing("health", 3, health=0, health_modifier=1, **status)
        (roll,) = script.told(TableRolled)

        assert (roll.face + roll.modifier, roll.table) == (4, f"health_{status['driver']}")


@pytest.mark.rule("CM-90")
@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("structure", {"has_body": False, "driver": "on_foot", "driver_pose": pose_at(0, 60)}),
        ("stamina", {"horses": 0, "team_pose": None, "has_body": False}),
        ("health", {"driver": "dead"}),
        ("skill", {"driver": "dead"}),
    ],
)
def test_what_is_gone_loses_nothing(kind: Points, changes: dict[str, Any]) -> None:
    pose = changes.pop("team_pose", HERE)
    script = LoadedScript(table(chariot_at(0, pose, **changes)))

    lose(cascade_on(script), 0, kind, count=3)

    assert script.outcomes == []
