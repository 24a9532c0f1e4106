"""Collisions: who meets whom, the damage to both sides, how they bounce, and how far a chain can go."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rulesets.chariotmaster.race.board import PieceId, Wreck, driver_piece, team_piece, wreck_piece
from domain.rulesets.chariotmaster.race.cascade import Clash
from domain.rulesets.chariotmaster.race.options import ChainRule, Options
from domain.rulesets.chariotmaster.race.outcomes import (
    CascadeEnded,
    ChariotCrashed,
    ConditionGained,
    DriverDied,
    PieceMoved,
    PiecesCollided,
    PointsLost,
)
from domain.rulesets.chariotmaster.turn.collisions import dice_of, is_small
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, FITTING, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, cascade_on, charge, moves, pose_at, table

MINE, THEIRS = team_piece(0), team_piece(1)
# Behind one another on the home straight with 2 cm between them.
REAR, FRONT = pose_at(-200), pose_at(-140)


def rear_end(*faces: int, front: dict[str, Any] | None = None, **rear: Any) -> LoadedScript:
    """The rear chariot runs into the body of the front one: two dice for the horses, three for the body."""
    chariots = chariot_at(0, REAR, **rear), chariot_at(1, FRONT, **(front or {}))
    return LoadedScript(table(*chariots), faces=faces)


@pytest.mark.rule("CM-41", "CM-42")
def test_a_chariot_takes_part_with_its_horses_in_front_and_its_body_behind() -> None:
    script = rear_end(1, 1, 1, 1, 1)

    charge(script, MINE, heading=0, distance_mm=100)

    (collided,) = script.told(PiecesCollided)
    assert (collided.initiator_part, collided.target_part) == ("horses", "body")
    assert (collided.initiator_faces, collided.target_faces) == ((1, 1), (1, 1, 1))


@pytest.mark.rule("CM-42", "T3", "MO-21")
def test_dice_follow_what_is_left_of_a_chariot() -> None:
    boars = replace(FITTING, team_value=1)
    board = table(chariot_at(0, REAR, horses=1, structure=3), chariot_at(1, FRONT, fitting=boars, structure=7))

    assert [dice_of(ARENA, board, MINE, part) for part in ("horses", "body", "driver", "wreck", "wall")] == [
        1,
        2,
        1,
        2,
        3,
    ]
    assert [dice_of(ARENA, board, THEIRS, part) for part in ("horses", "body")] == [3, 4]


@pytest.mark.rule("CM-43", "CM-44", "MO-6")
def test_each_four_or_more_costs_the_other_side_a_point_the_target_first() -> None:
    script = rear_end(4, 6, 5, 3, 4)

    charge(script, MINE, heading=0, distance_mm=100)

    lost = [(loss.chariot, loss.kind, loss.left) for loss in script.told(PointsLost)]
    assert lost == [(1, "structure", 4), (1, "structure", 3), (0, "stamina", 19), (0, "stamina", 18)]


@pytest.mark.rule("CM-45", "T6")
@pytest.mark.parametrize(
    ("faces", "bounce", "expected", "end"),
    [
        ((1, 1, 6, 6, 1), -3, [(0, "moved", 20), (0, "bounced", 10)], "bounce"),
        ((1, 1, 1, 1, 1), -1, [(0, "moved", 20)], "bounce"),
        ((6, 1, 1, 1, 1), 0, [(0, "moved", 20)], "collision"),
    ],
)
def test_a_weak_initiator_stops_or_bounces_back(
    faces: tuple[int, ...], bounce: int, expected: list[tuple[int, str, int]], end: str
) -> None:
    script = rear_end(*faces)

    cascade = charge(script, MINE, heading=0, distance_mm=100)

    assert script.told(PiecesCollided)[0].bounce == bounce
    assert moves(script) == expected
    assert cascade.turn_end == end


def ram(script: LoadedScript, *, heading: int = 270, target: PieceId = THEIRS, part: int = 1) -> Any:
    cascade = cascade_on(script)
    cascade.collide(
        Clash(initiator=MINE, initiator_part=1, target=target, target_part=part, heading=heading, is_ram=True)
    )
    script.assert_done()
    return cascade


def beside(*faces: int, **theirs: Any) -> LoadedScript:
    """Two chariots flush side by side, the other one on the right."""
    return LoadedScript(table(chariot_at(0, pose_at(0, 20)), chariot_at(1, pose_at(0), **theirs)), faces=faces)


@pytest.mark.rule("CM-42", "CM-45", "T6", "MO-5")
@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ((1, 1, 1, 1, 1, 1, 1, 1), []),
        ((6, 1, 1, 1, 1, 1, 1, 1), [(1, "pushed", 10)]),
        ((6, 6, 1, 1, 1, 1, 1, 1), [(1, "pushed", 10)]),
        ((6, 6, 6, 1, 1, 1, 1, 1), [(1, "pushed", 30), (0, "followed", 20)]),
    ],
)
def test_a_ram_rolls_two_dice_more_and_pushes(faces: tuple[int, ...], expected: list[tuple[int, str, int]]) -> None:
    script = beside(*faces)

    ram(script)

    assert moves(script) == expected
    assert script.told(PiecesCollided)[0].bounce == 2 + faces.count(6)


@pytest.mark.rule("CM-43", "CM-45", "MT-1", "MO-7")
def test_the_rulebooks_ram_of_a_driver_bounces_by_six_though_he_dies() -> None:
    walking = chariot_at(1, None, driver="on_foot", driver_pose=pose_at(-10, 5), health=0, health_modifier=6)
    script = LoadedScript(table(chariot_at(0, pose_at(0, 20)), walking), faces=[6, 6, 1, 2, 3, 3, 1])

    cascade = cascade_on(script)
    cascade.collide(
        Clash(initiator=MINE, initiator_part=1, target=driver_piece(1), target_part=0, heading=270, is_ram=True)
    )
    script.assert_done()

    assert script.told(PiecesCollided)[0].bounce == 6
    assert script.told(DriverDied)
    assert moves(script) == [(0, "followed", 20)]
    assert cascade.turn_end is None


@pytest.mark.rule("CM-45")
def test_a_body_that_breaks_is_pushed_as_a_wreck() -> None:
    # Two hits take the structure that is left; the third rolls 1 with 7 added: a crash, and the driver is caught.
    script = beside(6, 6, 6, 1, 1, 1, 1, 1, 4, structure_modifier=7, structure=2)

    ram(script)

    assert script.told(ChariotCrashed)
    # The rammer would follow, but the driver hangs behind the horses where the body was.
    assert [(piece, reason) for piece, reason, _ in moves(script)] == [(wreck_piece(1), "pushed")]


@pytest.mark.rule("CM-46", "MT-2")
@pytest.mark.parametrize(("rule", "turn_end"), [("ends_turn", "bounce"), ("goes_on", None)])
def test_a_negative_bounce_further_down_the_chain_ends_the_turn_unless_the_game_says_otherwise(
    rule: ChainRule, turn_end: str | None
) -> None:
    row = [chariot_at(number, pose_at(0, 20 - 20 * number)) for number in range(3)]
    board = replace(table(*row), options=Options(chained_bounce=rule))
    script = LoadedScript(board, faces=[6, 6, 6, 1, 1, 1, 1, 1, 1, 1, 1, 6, 1])
    cascade = cascade_on(script)
    cascade.collide(Clash(initiator=MINE, initiator_part=1, target=THEIRS, target_part=1, heading=270, is_ram=True))

    bounces = [collided.bounce for collided in script.told(PiecesCollided)]
    assert bounces[0] == 5
    assert bounces[1] < 0
    assert cascade.turn_end == turn_end


@pytest.mark.rule("CM-46")
def test_what_others_are_made_to_do_does_not_end_the_active_chariots_turn() -> None:
    chariots = chariot_at(0, REAR), chariot_at(1, FRONT)
    script = LoadedScript(table(*chariots, active=1), faces=[1, 1, 1, 1, 1])
    cascade = cascade_on(script)

    cascade.drive(MINE, heading=0, distance_um=100_000, reason="pushed")

    assert script.told(PiecesCollided)[0].bounce == -1
    assert cascade.turn_end is None


@pytest.mark.rule("CM-47")
def test_who_runs_into_something_askew_is_turned_flush() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0, 0, 340))), faces=[6, 6, 1, 1, 1])

    charge(script, MINE, heading=340, distance_mm=400)

    assert script.board.chariots[0].team_pose is not None
    assert script.board.chariots[0].team_pose.heading == 0
    assert [moved.reason for moved in script.told(PieceMoved)] == ["moved", "aligned"]


@pytest.mark.rule("CM-114")
def test_walls_roll_three_dice_suffer_nothing_and_stay() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(0, 0, 270))), faces=[6, 6, 1, 1, 6])

    cascade = charge(script, MINE, heading=270, distance_mm=200)

    (collided,) = script.told(PiecesCollided)
    assert (collided.target_part, collided.target_faces, collided.bounce) == ("wall", (1, 1, 6), 0)
    assert moves(script) == [(0, "moved", 80)]
    assert [loss.kind for loss in script.told(PointsLost)] == ["stamina"]
    assert cascade.turn_end == "collision"


@pytest.mark.rule("CM-41")
def test_of_parts_met_at_once_a_die_takes_one() -> None:
    chariots = chariot_at(0, pose_at(0, 60)), chariot_at(1, pose_at(10))
    script = LoadedScript(table(*chariots), faces=[2, 1, 1, 1, 1, 1, 1])

    cascade = cascade_on(script)
    cascade.drive(MINE, heading=270, distance_um=60_000, reason="moved")

    (collided,) = script.told(PiecesCollided)
    # Horses beside horses, horses beside the body in front, body beside body: the second of the three.
    assert (collided.initiator_part, collided.target_part) == ("horses", "body")


@pytest.mark.rule("CM-34")
def test_wrecks_and_drivers_on_the_ground_are_small_and_all_else_is_big() -> None:
    board = table(
        chariot_at(0, REAR, driver="on_foot", driver_pose=FRONT),
        chariot_at(1, None, driver="on_foot", driver_pose=FRONT, fallen_for=1),
        chariot_at(2, None, driver="on_foot", driver_pose=FRONT, unconscious_for=1),
        chariot_at(3, REAR, driver="dragged", has_body=False),
    )

    assert not is_small(board, driver_piece(0), "driver")
    assert is_small(board, driver_piece(1), "driver")
    assert is_small(board, driver_piece(2), "driver")
    assert is_small(board, team_piece(3), "driver")
    assert not is_small(board, team_piece(3), "horses")
    assert is_small(board, wreck_piece(0), "wreck")
    assert not is_small(board, team_piece(0), "body")
    assert not is_small(board, PieceId(-1), "wall")


@pytest.mark.rule("CM-72", "T6")
def test_a_wreck_moves_when_it_is_rammed_and_a_hard_ram_is_its_end() -> None:
    wreck = Wreck(chariot=1, pose=pose_at(-10))
    board = table(chariot_at(0, pose_at(0, 20)), chariot_at(1, None, has_body=False, driver="dead", horses=0))
    script = LoadedScript(replace(board, wrecks=(wreck,)), faces=[6, 6, 1, 1, 1, 1, 1])

    target = wreck_piece(1)
    clash = Clash(initiator=MINE, initiator_part=1, target=target, target_part=0, heading=270, is_ram=True)
    cascade_on(script).collide(clash)

    script.assert_done()
    assert moves(script) == [(target, "pushed", 30), (0, "followed", 20)]
    assert script.board.wrecks == ()


@pytest.mark.rule("CM-123")
def test_a_push_stops_at_the_first_contact_and_the_rest_of_it_is_lost() -> None:
    row = [chariot_at(number, pose_at(0, 20 - 20 * number - 5 * (number > 1))) for number in range(3)]
    script = LoadedScript(table(*row), faces=[6, 6, 6, 1, 1, 1, 1, 1, 1, 6, 1, 1, 6, 1, 1])

    cascade = cascade_on(script)
    cascade.collide(Clash(initiator=MINE, initiator_part=1, target=THEIRS, target_part=1, heading=270, is_ram=True))

    assert moves(script)[0] == (1, "pushed", 5)
    assert [collided.initiator for collided in script.told(PiecesCollided)] == [0, 1]


@pytest.mark.rule("CM-123")
def test_after_twelve_collisions_further_contacts_are_only_stops() -> None:
    script = rear_end()
    cascade = cascade_on(script)
    cascade.collisions = ARENA.box.numbers.cascade_collisions_max

    cascade.drive(MINE, heading=0, distance_um=100_000, reason="moved")

    assert moves(script) == [(0, "moved", 20)]
    assert script.told(CascadeEnded) == [CascadeEnded(collisions=12)]
    assert not script.told(PiecesCollided)
    assert not script.told(ConditionGained)


@pytest.mark.rule("CM-123")
def test_every_collision_of_a_cascade_counts_and_the_twelfth_is_the_last() -> None:
    row = [chariot_at(number, pose_at(0, 20 - 20 * number)) for number in range(3)]
    script = LoadedScript(table(*row), faces=[6, 6, 6, 1, 1, 1, 1, 1])
    cascade = cascade_on(script)
    cascade.collisions = 11

    cascade.collide(Clash(initiator=MINE, initiator_part=1, target=THEIRS, target_part=1, heading=270, is_ram=True))

    script.assert_done()
    assert cascade.collisions == 12
    assert script.told(CascadeEnded)
