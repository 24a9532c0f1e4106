"""Falling apart: the pieces on the table after a crash, a fall and a death."""

from typing import Any

import pytest

from domain.rulesets.chariotmaster.harm.free_room import find_room, is_inside
from domain.rulesets.chariotmaster.harm.losses import crash, lose
from domain.rulesets.chariotmaster.race.board import Board, Wreck
from domain.rulesets.chariotmaster.race.outcomes import (
    ChariotCrashed,
    DriverSetDown,
    PieceMoved,
    PiecesCollided,
    PointsLost,
)
from domain.rulesets.chariotmaster.race.racetrack import obstacles, standing
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.table.travel import is_free
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, cascade_on, pose_at, table

HERE = pose_at(0)


def crashing(*faces: int, away: int | None = 90, others: tuple[Any, ...] = (), **changes: Any) -> LoadedScript:
    pose = changes.pop("pose", HERE)
    script = LoadedScript(table(chariot_at(0, pose, **changes), *others), faces=faces)
    crash(cascade_on(script), 0, away=away)
    script.assert_done()
    assert_nothing_overlaps(script.board)
    return script


def assert_nothing_overlaps(board: Board) -> None:
    for piece, shape, pose in standing(ARENA, board):
        assert is_free(shape, pose, obstacles(ARENA, board, without=(piece,)))


@pytest.mark.rule("CM-70")
@pytest.mark.parametrize("caught", [4, 6])
def test_a_driver_who_holds_the_reins_may_be_dragged(caught: int) -> None:
    script = crashing(caught)

    chariot = script.board.chariots[0]
    assert (chariot.driver, chariot.has_body, chariot.health) == ("dragged", False, 4)
    # The wreck lies where the body was; he hangs in front of it, and his horses are a centimetre further on.
    assert chariot.team_pose == pose_at(15)
    assert script.board.wrecks == (Wreck(chariot=0, pose=pose_at(-10)),)


@pytest.mark.rule("CM-70")
@pytest.mark.parametrize(
    ("behind_mm", "ahead_mm", "team_mm", "wreck_mm"),
    [
        (None, None, 15, (-10, 0)),
        (0, None, 15, (-10, 0)),
        (0, 10, 15, (-10, 0)),
        (None, 0, 5, (-20, 0)),
        (None, 4, 9, (-16, 0)),
        (6, 4, 9, (-16, 0)),
        (0, 0, 5, (-10, 15)),
    ],
)
def test_the_wreck_stays_where_the_body_was_or_as_near_as_there_is_room(
    behind_mm: int | None, ahead_mm: int | None, team_mm: int, wreck_mm: tuple[int, int]
) -> None:
    """The gaps behind the body and in front of the horses; without any, the wreck lies beside the driver's base."""
    neighbours = [(1, -40, behind_mm, -1), (2, 40, ahead_mm, 1)]
    others = tuple(
        chariot_at(number, pose_at(flush_mm + side * gap_mm))
        for number, flush_mm, gap_mm, side in neighbours
        if gap_mm is not None
    )

    script = crashing(4, others=others)

    assert script.board.chariots[0].team_pose == pose_at(team_mm)
    assert script.board.wrecks == (Wreck(chariot=0, pose=pose_at(*wreck_mm)),)


@pytest.mark.rule("CM-70", "MT-21")
def test_a_driver_who_is_not_caught_is_hurled_away_from_the_cause() -> None:
    script = crashing(3, 5)

    chariot = script.board.chariots[0]
    (moved,) = script.told(PieceMoved)
    assert (chariot.driver, chariot.has_reins, chariot.health) == ("on_foot", False, 4)
    assert (moved.reason, moved.distance_um) == ("hurled", 50_000)
    assert chariot.driver_pose == pose_at(-10, 65)
    assert chariot.team_pose == pose_at(10)
    assert script.board.wrecks == (Wreck(chariot=0, pose=pose_at(-10)),)


@pytest.mark.rule("CM-70", "CM-128")
def test_without_reins_and_without_a_cause_a_driver_is_hurled_straight_ahead_against_his_own_horses() -> None:
    # 2 cm, his die, and two of his horses: he hurts them and himself, and comes down in front of them.
    script = crashing(2, 4, 4, 1, away=None, has_reins=False)

    (collided,) = script.told(PiecesCollided)
    assert (collided.initiator, collided.target, collided.target_part) == (100, 0, "horses")
    assert (script.board.chariots[0].stamina, script.board.chariots[0].health) == (19, 3)
    assert script.board.chariots[0].driver_pose == pose_at(25)


@pytest.mark.rule("CM-128")
def test_a_driver_who_is_hurled_against_what_stands_flush_collides_and_flies_no_further() -> None:
    # Not caught, 3 cm; his die and three of the body's, which bounce him by four.
    beside = chariot_at(1, pose_at(0, -20))
    script = crashing(3, 3, 1, 6, 6, 1, away=270, others=(beside,), health=5)

    (collided,) = script.told(PiecesCollided)
    assert (collided.initiator, collided.target, collided.target_part, collided.bounce) == (100, 1, "body", -4)
    assert not script.told(PieceMoved)
    assert script.board.chariots[0].driver_pose == pose_at(-10, -35)
    assert script.board.chariots[0].health == 5 - 1 - 2


@pytest.mark.rule("CM-70", "CM-73")
def test_when_the_last_horse_dies_the_chariot_crashes_and_only_a_wreck_is_left() -> None:
    script = LoadedScript(
        table(chariot_at(0, HERE, horses=1, dead_horses=1, stamina=0, stamina_modifier=7)), faces=[1, 6]
    )

    lose(cascade_on(script), 0, "stamina")

    script.assert_done()
    chariot = script.board.chariots[0]
    assert (chariot.horses, chariot.dead_horses, chariot.team_pose, chariot.has_body) == (0, 2, None, False)
    assert script.board.wrecks == (Wreck(chariot=0, pose=pose_at(-10)),)
    # No horses are in his way: he flies 6 cm ahead from the edge of the wreck.
    assert chariot.driver_pose == pose_at(-10 + 15 + 60)


@pytest.mark.rule("CM-70", "CM-73")
def test_who_falls_off_as_the_last_horse_dies_leaves_the_body_to_crash_without_him() -> None:
    worn = {"stamina": 0, "stamina_modifier": 7, "health": 0, "skill": 0, "skill_modifier": 7}
    script = LoadedScript(table(chariot_at(0, HERE, horses=1, dead_horses=1, **worn)), faces=[1, 5, 1])

    lose(cascade_on(script), 0, "stamina")

    script.assert_done()
    assert script.board.chariots[0].driver_pose == pose_at(-25)
    assert script.board.wrecks == (Wreck(chariot=0, pose=pose_at(-10)),)
    assert script.board.chariots[0].team_pose is None


@pytest.mark.rule("CM-70")
def test_a_chariot_whose_driver_is_gone_leaves_a_wreck_and_nobody_is_hurt() -> None:
    script = crashing(driver="dead")

    assert not script.told(PointsLost)
    assert not script.told(DriverSetDown)
    assert script.board.chariots[0].team_pose == pose_at(10)


@pytest.mark.rule("CM-70")
def test_a_driver_whom_the_crash_kills_is_neither_dragged_nor_hurled() -> None:
    script = crashing(2, health=0, health_modifier=6)

    assert script.board.chariots[0].driver == "dead"
    assert script.told(ChariotCrashed)[0].is_driver_dragged is False


def test_a_body_crashes_once() -> None:
    script = crashing(has_body=False, driver="dragged")

    assert script.outcomes == []


@pytest.mark.rule("CM-128")
def test_a_hurled_driver_collides_with_what_he_hits() -> None:
    other = chariot_at(1, pose_at(-10, 50))
    # Not caught, 6 cm; he meets horses and body at once, and a die takes the horses; his own die, and two of theirs.
    script = crashing(3, 6, 1, 1, 1, 1, others=(other,))

    (collided,) = script.told(PiecesCollided)
    assert (collided.initiator, collided.initiator_part, collided.target) == (100, "driver", 1)
    assert collided.heading == 90


@pytest.mark.rule("CM-128", "T13")
def test_a_driver_who_falls_on_something_collides_once_and_lies_behind_it() -> None:
    walker = chariot_at(1, None, driver="on_foot", driver_pose=pose_at(-25))
    board = table(chariot_at(0, HERE, skill=0, skill_modifier=7), walker)
    script = LoadedScript(board, faces=[1, 1, 1])

    lose(cascade_on(script), 0, "skill")

    script.assert_done()
    (collided,) = script.told(PiecesCollided)
    assert (collided.initiator, collided.target, collided.heading) == (100, 101, 180)
    assert script.board.chariots[0].driver_pose == pose_at(-35)
    assert_nothing_overlaps(script.board)


@pytest.mark.rule("CM-73")
def test_a_dragged_driver_whose_last_horse_dies_stands_where_he_hung() -> None:
    dragged = chariot_at(
        0, pose_at(5), driver="dragged", has_body=False, has_reins=False, horses=1, stamina=0, stamina_modifier=7
    )
    script = LoadedScript(table(dragged), faces=[1])

    lose(cascade_on(script), 0, "stamina")

    chariot = script.board.chariots[0]
    assert (chariot.driver, chariot.driver_pose, chariot.team_pose) == ("on_foot", pose_at(-5), None)


@pytest.mark.parametrize("heading", range(0, 360, 17))
def test_a_crash_in_any_direction_leaves_no_overlap(heading: int) -> None:
    pose = Pose(x_um=12_345, y_um=-6_789, heading=heading)

    assert crashing(5, pose=pose).board.wrecks
    assert crashing(2, 1, 1, 1, 1, pose=pose, away=heading).board.wrecks


def test_room_is_found_on_the_track_even_beside_a_wall() -> None:
    walls = obstacles(ARENA, table(), without=())

    found = find_room(ARENA, ARENA.driver, pose_at(0, -99), walls, heading=270)

    # Towards the wall there is none, so the search goes on to the left of it, and in the end away from it.
    assert found == pose_at(0, -95)
    assert is_inside(ARENA, x_um=found.x_um, y_um=found.y_um)
    assert not is_inside(ARENA, x_um=0, y_um=-100_001)


@pytest.mark.rule("CM-128")
@pytest.mark.parametrize(("y_mm", "lands_mm"), [(-115, -95), (105, 95), (118, 95)])
def test_a_spot_beyond_a_wall_is_looked_for_back_on_the_track(y_mm: int, lands_mm: int) -> None:
    walls = obstacles(ARENA, table(), without=())

    found = find_room(ARENA, ARENA.driver, pose_at(0, y_mm), walls, heading=90)

    assert abs(found.y_um - lands_mm * 1_000) <= 1_000
    assert found.x_um == 0
