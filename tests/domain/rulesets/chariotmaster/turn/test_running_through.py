"""Running through wrecks and drivers on the ground: the damage to both sides, and who comes clear."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rulesets.chariotmaster.race.board import Wreck, driver_piece, team_piece, wreck_piece
from domain.rulesets.chariotmaster.race.outcomes import (
    MoveReason,
    PiecesCollided,
    PointsLost,
    TokenReplaced,
    TurnEnded,
    WreckDestroyed,
)
from domain.rulesets.chariotmaster.table.shapes import Pose
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import FITTING, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, cascade_on, charge, moves, pose_at, table
from tests.domain.rulesets.chariotmaster.turns import SPUR, ahead, go, turn_of

MINE, THEIRS = team_piece(0), team_piece(1)
# Behind one another on the home straight with 2 cm between them.
REAR, FRONT = pose_at(-200), pose_at(-140)


def through_a_wreck(*faces: int, distance_mm: int = 150, **changes: Any) -> tuple[LoadedScript, Any]:
    """A wreck of 2 cm stands 2 cm ahead: after the contact 6 cm bring the chariot clear of it."""
    wreck = Wreck(chariot=1, pose=pose_at(-150))
    board = table(chariot_at(0, REAR, **changes), chariot_at(1, None, has_body=False, driver="dead", horses=0))
    script = LoadedScript(replace(board, wrecks=(wreck,)), faces=faces)
    return script, charge(script, MINE, heading=0, distance_mm=distance_mm)


@pytest.mark.rule("CM-45", "T5", "MT-15")
@pytest.mark.parametrize(
    ("faces", "bounce", "lost", "end"),
    [
        ((1, 1, 6, 6), -2, ["stamina", "stamina", "structure"], "bounce"),
        ((1, 1, 6, 1), -1, ["stamina", "stamina"], "bounce"),
        ((1, 1, 1, 1), 0, [], None),
        ((6, 6, 1, 1), 2, [], None),
    ],
)
def test_running_through_a_wreck(faces: tuple[int, ...], bounce: int, lost: list[str], end: str | None) -> None:
    script, cascade = through_a_wreck(*faces)

    assert script.told(PiecesCollided)[0].bounce == bounce
    assert sorted(loss.kind for loss in script.told(PointsLost)) == lost
    assert sum(distance for _, _, distance in moves(script)) == 150
    assert cascade.turn_end == end
    assert not script.told(WreckDestroyed)


def through_two_wrecks(first: Pose, second: Pose, *faces: int, distance_mm: int = 150) -> LoadedScript:
    gone = [chariot_at(number, None, has_body=False, driver="dead", horses=0) for number in (1, 2)]
    wrecks = (Wreck(chariot=1, pose=first), Wreck(chariot=2, pose=second))
    script = LoadedScript(replace(table(chariot_at(0, REAR), *gone), wrecks=wrecks), faces=faces)
    charge(script, MINE, heading=0, distance_mm=distance_mm)
    return script


@pytest.mark.rule("T5", "CM-121")
def test_two_wrecks_met_at_once_are_run_through_with_one_collision_each() -> None:
    script = through_two_wrecks(pose_at(-150, 10), pose_at(-150, -10), 1, *[1] * 8)

    assert [collided.target for collided in script.told(PiecesCollided)] == [wreck_piece(1), wreck_piece(2)]
    assert sum(distance for _, _, distance in moves(script)) == 150


@pytest.mark.rule("T5", "CM-121")
def test_a_wreck_close_behind_a_wreck_is_run_through_as_well() -> None:
    script = through_two_wrecks(pose_at(-150), pose_at(-125), *[1] * 8)

    assert [collided.target for collided in script.told(PiecesCollided)] == [wreck_piece(1), wreck_piece(2)]
    assert sum(distance for _, _, distance in moves(script)) == 150


@pytest.mark.rule("T5", "CM-121")
def test_a_wreck_close_behind_a_wreck_that_stops_the_move_leaves_the_initiator_before_both() -> None:
    script = through_two_wrecks(pose_at(-150), pose_at(-125), *[1] * 4, *(1, 1, 6, 6), distance_mm=60)

    assert [collided.bounce for collided in script.told(PiecesCollided)] == [0, -2]
    assert moves(script) == [(0, "moved", 20)]


@pytest.mark.rule("T5")
@pytest.mark.parametrize("faces", [(1, 1, 1), (1, 6, 1)])
def test_a_driver_on_foot_who_strikes_a_wreck_costs_neither_his_horses_nor_his_chariot_a_point(
    faces: tuple[int, ...],
) -> None:
    walker = chariot_at(0, pose_at(-300), driver="on_foot", driver_pose=pose_at(-200), has_reins=False, health=5)
    gone = chariot_at(1, None, has_body=False, driver="dead", horses=0)
    wrecks = (Wreck(chariot=1, pose=pose_at(-150)),)
    script = LoadedScript(replace(table(walker, gone), wrecks=wrecks), faces=faces)

    cascade_on(script).drive(driver_piece(0), heading=0, distance_um=100_000, reason="hurled")

    assert script.told(PiecesCollided)[0].bounce in (-1, -2)
    assert {loss.kind for loss in script.told(PointsLost)} <= {"health"}


@pytest.mark.rule("T5", "CM-72")
def test_a_wreck_run_over_hard_enough_is_destroyed_and_a_hard_one_stops_who_hits_it() -> None:
    boars = replace(FITTING, team_value=2)
    over, _ = through_a_wreck(6, 6, 6, 1, 1, 1, fitting=boars)
    stopped, cascade = through_a_wreck(1, 6, 6, horses=1)

    assert over.told(WreckDestroyed) == [WreckDestroyed(chariot=1)]
    assert stopped.told(PiecesCollided)[0].bounce == -3
    assert moves(stopped) == [(0, "moved", 20)]
    assert cascade.turn_end == "bounce"


@pytest.mark.rule("CM-121")
@pytest.mark.parametrize(("distance_mm", "travelled"), [(79, [20]), (80, [20, 60]), (150, [20, 130])])
def test_who_would_end_on_top_of_something_stays_on_the_near_side(distance_mm: int, travelled: list[int]) -> None:
    script, _ = through_a_wreck(1, 1, 1, 1, distance_mm=distance_mm)

    assert [distance for _, _, distance in moves(script)] == travelled


@pytest.mark.rule("T5")
def test_a_driver_on_the_ground_who_is_run_over_hard_is_hurt_once_more() -> None:
    lying = chariot_at(1, None, driver="on_foot", driver_pose=pose_at(-150), fallen_for=1)
    script = LoadedScript(table(chariot_at(0, REAR), lying), faces=[6, 6, 1])

    charge(script, MINE, heading=0, distance_mm=150)

    assert script.told(PiecesCollided)[0].bounce == 3
    assert script.board.chariots[1].health == 5 - 2 - 1


@pytest.mark.rule("T5")
@pytest.mark.parametrize(
    ("faces", "bounce", "stamina", "health"),
    [((6, 6, 6, 1), 5, 8, 1), ((6, 6, 1, 1, 1), 4, 8, 3), ((6, 6, 1, 1, 2), 4, 9, 2)],
)
def test_of_a_dragging_team_run_across_each_part_has_its_share(
    faces: tuple[int, ...], bounce: int, stamina: int, health: int
) -> None:
    # The driver lies in the way, his horses stand beside it: two points more are shared, of one a die decides.
    dragging = chariot_at(1, pose_at(60, 16, 90), driver="dragged", has_body=False, stamina=9)
    boars = replace(FITTING, team_value=1)
    script = LoadedScript(table(chariot_at(0, pose_at(0), fitting=boars), dragging), faces=faces)

    charge(script, MINE, heading=0, distance_mm=120)

    assert script.told(PiecesCollided)[0].bounce == bounce
    after = script.board.chariots[1]
    assert (after.stamina, after.health) == (stamina, health)


@pytest.mark.rule("CM-92", "T5")
@pytest.mark.parametrize(
    ("gap_mm", "modifier", "token", "comes_mm"),
    [(70, 7, 0, 70), (70, 6, 5, 70), (40, 6, 5, 100), (41, 6, 5, 41), (20, 6, 5, 100)],
)
def test_a_token_lost_at_a_wreck_counts_before_the_chariot_goes_on(
    gap_mm: int, modifier: int, token: int, comes_mm: int
) -> None:
    # Of the wreck's two dice one hits; the die of the table adds 1 to the modifier. 6 cm more come clear of the wreck.
    wreck = Wreck(chariot=0, pose=pose_at(20 + gap_mm + 10))
    script = turn_of(10, 1, 1, 4, 1, 1, wrecks=(wreck,), stamina=0, stamina_modifier=modifier)

    go(script, ahead(150))

    script.assert_done()
    assert [replaced.token for replaced in script.told(TokenReplaced)] == [token]
    assert script.board.chariots[0].team_pose == pose_at(comes_mm)
    assert not script.told(TurnEnded) or comes_mm == 100


@pytest.mark.rule("CM-92", "MT-4")
def test_after_a_token_lost_at_a_wreck_a_spur_may_lead_on() -> None:
    wreck = Wreck(chariot=0, pose=pose_at(100))
    script = turn_of(10, 1, 1, 4, 1, 1, 1, 6, wrecks=(wreck,), stamina=0, stamina_modifier=7)

    go(script, ahead(150), SPUR)

    assert script.board.turn is not None
    assert script.board.turn.max_um == 110_000


@pytest.mark.rule("T5", "CM-54", "CM-56", "CM-123", "MO-4")
@pytest.mark.parametrize(
    ("reason", "travelled"),
    [
        ("whipped", [20, 130]),
        ("evaded", [20, 130]),
        ("braked", [20, 130]),
        ("swept", [20, 130]),
        ("stumbled", [20, 130]),
        ("pushed", [20]),
        ("bounced", [20]),
    ],
)
def test_a_forced_move_of_a_chariots_own_goes_on_and_a_push_does_not(reason: MoveReason, travelled: list[int]) -> None:
    wreck = Wreck(chariot=1, pose=pose_at(-150))
    board = table(chariot_at(0, REAR), chariot_at(1, None, has_body=False, driver="dead", horses=0))
    script = LoadedScript(replace(board, wrecks=(wreck,)), faces=[1, 1, 1, 1])
    cascade = cascade_on(script)

    cascade.drive(MINE, heading=0, distance_um=150_000, reason=reason)

    script.assert_done()
    assert moves(script) == [(0, reason, distance) for distance in travelled]
    # It is a collision against the driver's will all the same, and the turn of the active chariot ends.
    assert cascade.turn_end == "collision"


@pytest.mark.rule("CM-121", "CM-123")
def test_who_is_pushed_onto_a_wreck_does_not_go_on_across_it() -> None:
    wreck = Wreck(chariot=1, pose=pose_at(-150))
    board = table(chariot_at(0, REAR), chariot_at(1, None, has_body=False, driver="dead", horses=0))
    script = LoadedScript(replace(board, wrecks=(wreck,)), faces=[1, 1, 1, 1])

    cascade_on(script).drive(MINE, heading=0, distance_um=150_000, reason="pushed")

    assert moves(script) == [(0, "pushed", 20)]
