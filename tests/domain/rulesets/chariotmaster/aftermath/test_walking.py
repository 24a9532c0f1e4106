"""Drivers on foot: how far, round which obstacles, and off the track."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rulesets.chariotmaster.aftermath.aftermath import begin_aftermath, default_aftermath
from domain.rulesets.chariotmaster.aftermath.walking import is_at_edge
from domain.rulesets.chariotmaster.harm.losses import crash, gain, lose
from domain.rulesets.chariotmaster.race.actions import Leg, StayPut, Walk
from domain.rulesets.chariotmaster.race.aftermath_outcomes import DriverLeft, DriverWalked
from domain.rulesets.chariotmaster.race.board import Wreck
from domain.rulesets.chariotmaster.race.outcomes import PieceMoved, TurnEnded
from domain.rulesets.chariotmaster.rounds.game_turn import begin_chariot_turn
from domain.rulesets.chariotmaster.rounds.mug import is_on_table
from domain.rulesets.chariotmaster.turn.chariot_turn import NotNow
from domain.rulesets.chariotmaster.turn.sub_moves import BadDistance, WouldCollide
from tests.domain.rulesets.chariotmaster.after_turns import HERE, after_turn, answer, closed, on_foot, owed, refused
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, cascade_on, pose_at, table

STAY = Walk(legs=())


def walk(*legs: tuple[int, int | None]) -> Walk:
    return Walk(legs=tuple(Leg(heading=heading, distance_mm=distance_mm) for heading, distance_mm in legs))


@pytest.mark.rule("CM-81")
def test_a_driver_on_foot_goes_any_way_he_likes_for_five_centimetres() -> None:
    script = after_turn(last_token=10, **on_foot(0, 50))

    assert owed(script) == ["g0/c0/walk"]
    answer(script, walk((180, 20), (270, 20), (123, 10)))
    assert [(moved.piece, moved.reason, moved.distance_um) for moved in script.told(PieceMoved)] == [
        (100, "walked", 20_000),
        (100, "walked", 20_000),
        (100, "walked", 10_000),
    ]
    assert script.told(PieceMoved)[1].after == pose_at(-20, 30)
    assert script.told(DriverWalked) == [DriverWalked(chariot=0, distance_um=50_000)]
    assert closed(script).driver == "on_foot"


@pytest.mark.rule("CM-81")
def test_he_may_stay_where_he_is() -> None:
    script = answer(after_turn(**on_foot(0, 50)), STAY)

    assert closed(script).driver_pose == pose_at(0, 50)
    assert script.told(DriverWalked) == [DriverWalked(chariot=0, distance_um=0)]


@pytest.mark.rule("CM-81")
@pytest.mark.parametrize("legs", [((0, 51),), ((0, 30), (90, 21)), ((0, 50), (90, None))])
def test_no_token_takes_him_further(legs: tuple[tuple[int, int | None], ...]) -> None:
    script = after_turn(last_token=10, **on_foot(0, 50))

    assert isinstance(refused(script, walk(*legs)), BadDistance)


@pytest.mark.rule("CM-81", "CM-31")
def test_he_runs_into_nothing_not_even_a_wreck_but_may_go_up_to_it() -> None:
    wrecks = (Wreck(chariot=1, pose=pose_at(40, 50)),)
    script = after_turn(others=(chariot_at(1, None),), wrecks=wrecks, **on_foot(0, 50))

    assert isinstance(refused(script, walk((0, 26))), WouldCollide)
    assert isinstance(refused(script, walk((180, None))), BadDistance)
    assert isinstance(refused(script, walk((0, None), (0, None))), BadDistance)
    assert closed(answer(script, walk((0, None)))).driver_pose == pose_at(25, 50)


@pytest.mark.rule("CM-81", "MO-19")
@pytest.mark.parametrize(("gap_mm", "driver"), [(0, "left"), (1, "left"), (2, "on_foot")])
def test_who_touches_the_edge_at_the_end_of_his_turn_is_off_the_track(gap_mm: int, driver: str) -> None:
    script = answer(after_turn(**on_foot(0, 60)), walk((90, 35 - gap_mm)))

    assert closed(script).driver == driver
    assert len(script.told(DriverLeft)) == (driver == "left")


@pytest.mark.rule("CM-81")
def test_off_the_track_he_suffers_nothing_more() -> None:
    script = answer(after_turn(pose=None, **on_foot(0, 60)), walk((90, None)))
    chariot = closed(script)

    lose(cascade_on(script), 0, "health", count=9)

    assert (chariot.driver_pose, is_on_table(chariot)) == (None, False)
    assert script.board.chariots[0].health == chariot.health


@pytest.mark.rule("CM-81", "CM-71")
@pytest.mark.parametrize("condition", ["unconscious", "fallen"])
def test_who_lies_on_the_ground_stays_there_until_his_next_turn_is_over(condition: Any) -> None:
    script = LoadedScript(table(chariot_at(0, HERE, **on_foot(0, 50)), active=None))
    gain(cascade_on(script), 0, condition)
    lying = script.board.chariots[0]

    script = after_turn(**on_foot(0, 50, unconscious_for=lying.unconscious_for, fallen_for=lying.fallen_for))
    assert owed(script) == []
    chariot = closed(script)
    assert (chariot.unconscious_for, chariot.fallen_for) == (0, 0)


@pytest.mark.rule("CM-71", "CM-81")
def test_who_was_thrown_off_in_his_own_turn_walks_from_the_next_one_on() -> None:
    script = LoadedScript(table(chariot_at(0, HERE)), faces=[2, 3])
    crash(cascade_on(script), 0, away=90)
    thrown = script.board.chariots[0]

    # Three pieces: horses out of control, a driver, a wreck; one token for the first two.
    assert (thrown.team_pose, thrown.driver_pose) == (pose_at(10), pose_at(-10, 45))
    assert script.board.wrecks == (Wreck(chariot=0, pose=pose_at(-10)),)
    script = after_turn(pose=thrown.team_pose, **on_foot(-10, 45, is_resting=thrown.is_resting, has_body=False))
    assert owed(script) == []
    assert closed(script).is_resting is False


@pytest.mark.rule("CM-71", "MO-25")
def test_one_token_moves_the_horses_first_and_then_their_driver() -> None:
    board = table(chariot_at(0, HERE, last_token=10, has_body=False, **on_foot(0, 60)))
    script = LoadedScript(board)

    begin_chariot_turn(script, ARENA)
    assert script.told(TurnEnded)
    assert script.board.chariots[0].team_pose == pose_at(150)
    begin_aftermath(script, ARENA, chariot=0)

    # By the slowest token, while the horses went by the fastest.
    assert owed(script) == ["g0/c0/walk"]
    assert isinstance(refused(script, walk((180, 51))), BadDistance)
    assert closed(answer(script, walk((180, 50)))).driver_pose == pose_at(-50, 60)


@pytest.mark.rule("CM-71")
def test_who_is_thrown_off_in_the_turn_of_another_walks_in_his_own() -> None:
    script = LoadedScript(table(chariot_at(0, HERE), active=None), faces=[2, 3])

    crash(cascade_on(script), 0, away=90)

    assert script.board.chariots[0].is_resting is False


@pytest.mark.rule("CM-81")
@pytest.mark.parametrize(
    ("x_mm", "y_mm", "walked"),
    [(0, 10, walk((90, 50))), (0, 0, walk((90, 50))), (0, -10, walk((270, 50))), (0, -60, walk((270, None)))],
)
def test_who_does_not_choose_goes_straight_to_the_nearest_wall(x_mm: int, y_mm: int, walked: Walk) -> None:
    script = after_turn(pose=None, **on_foot(x_mm, y_mm))

    assert default_aftermath(ARENA, script.board) == walked
    answer(script, walked)


@pytest.mark.rule("CM-81")
def test_who_does_not_choose_and_stands_against_something_stays() -> None:
    script = after_turn(pose=None, others=(chariot_at(1, pose_at(0, 75)),), **on_foot(0, 60))

    assert default_aftermath(ARENA, script.board) == STAY


def test_a_driver_in_a_bend_knows_his_nearest_wall_too() -> None:
    script = after_turn(pose=None, **on_foot(300 + 190, 120))

    answer(script, default_aftermath(ARENA, script.board))
    (moved,) = script.told(PieceMoved)
    assert moved.after.x_um > 490_000
    assert is_at_edge(ARENA, moved.after)


@pytest.mark.rule("CM-81")
def test_nothing_else_may_be_answered() -> None:
    assert isinstance(refused(after_turn(**on_foot(0, 50)), StayPut()), NotNow)
    assert isinstance(refused(after_turn(), STAY), NotNow)


def test_only_walls_are_edges() -> None:
    script = after_turn(**on_foot(0, 50))
    touching = replace(script.board.chariots[0], driver_pose=pose_at(0, 15))

    assert touching.driver_pose is not None
    assert not is_at_edge(ARENA, touching.driver_pose)
