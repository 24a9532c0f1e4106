"""Chariots out of control: how far, where, round and across which obstacles, and at which price."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.race.board import Chariot, Turn, Wreck
from domain.rulesets.chariotmaster.race.outcomes import (
    PieceMoved,
    PiecesCollided,
    PointsLost,
    SpeedChanged,
    TableRolled,
    TokenReplaced,
    TurnBegan,
    TurnEnded,
)
from domain.rulesets.chariotmaster.rounds.mug import tokens_to_choose
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.turn.attacks import list_attacks
from domain.rulesets.chariotmaster.turn.chariot_turn import owed_step
from domain.rulesets.chariotmaster.turn.lanes import find_lane, offset_of
from domain.rulesets.chariotmaster.turn.runaway import begin_uncontrolled
from tests.domain.rulesets.chariotmaster.after_turns import DRAGGED, NO_REINS, on_foot
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, FITTING, chariot_at
from tests.domain.rulesets.chariotmaster.harm.test_crashes import assert_nothing_overlaps
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, pose_at, table

# Wrecks right across the track, with no way between them.
WRECKS = tuple(Wreck(chariot=1 + place, pose=pose_at(100, y_mm)) for place, y_mm in enumerate((-80, -40, 0, 40, 80)))


def run(
    token: TokenName,
    *faces: int,
    others: tuple[Chariot, ...] = (),
    wrecks: tuple[Wreck, ...] = (),
    **mine: Any,
) -> LoadedScript:
    board = replace(table(chariot_at(0, mine.pop("pose", pose_at(0)), **(NO_REINS | mine)), *others), wrecks=wrecks)
    script = LoadedScript(board, faces=faces)
    begin_uncontrolled(script, ARENA, chariot=0, token=token)
    script.assert_done()
    assert script.board.turn is None
    assert_nothing_overlaps(script.board)
    return script


def legs(script: LoadedScript) -> list[tuple[str, int]]:
    """Every leg of the run: how it went, and its whole millimetres."""
    return [(moved.reason, moved.distance_um // 1_000) for moved in script.told(PieceMoved) if moved.piece == 0]


def ended(script: LoadedScript) -> str:
    (end,) = script.told(TurnEnded)
    return str(end.reason)


def stamina_lost(script: LoadedScript) -> int:
    return FITTING.stamina - script.board.chariots[0].stamina


@pytest.mark.rule("CM-60", "MO-16")
@pytest.mark.parametrize(("token", "distance_mm"), [(0, 50), (5, 100), (10, 150)])
def test_it_runs_the_maximum_of_its_token(token: TokenName, distance_mm: int) -> None:
    script = run(token)

    (began,) = script.told(TurnBegan)
    assert (began.min_um, began.max_um, began.is_driven) == (distance_mm * 1_000, distance_mm * 1_000, False)
    assert legs(script) == [("ran", distance_mm)]
    assert (ended(script), stamina_lost(script)) == ("ran_on", 0)
    assert script.board.chariots[0].team_pose == pose_at(distance_mm)


@pytest.mark.rule("CM-60", "T1")
def test_fast_teams_run_further() -> None:
    assert legs(run(10, fitting=replace(FITTING, reading="fast"))) == [("ran", 180)]


@pytest.mark.rule("CM-60", "CM-125")
@pytest.mark.parametrize(
    ("changes", "token"),
    [
        ({"last_token": 5}, 5),
        ({"last_token": None}, 10),
        ({"last_token": 10, "tokens": (0, 5)}, 5),
        ({"last_token": 10, "horses": 1, "dead_horses": 1}, 0),
        ({"last_token": 10, "horses": 1}, 5),
    ],
)
def test_its_token_stays_the_same_as_long_as_it_may(changes: dict[str, Any], token: TokenName) -> None:
    assert tokens_to_choose(chariot_at(0, pose_at(0), **(NO_REINS | changes))) == (token,)


@pytest.mark.rule("CM-61", "CM-125")
def test_it_sweeps_to_the_middle_first_for_a_stamina_point_and_that_way_counts() -> None:
    script = run(10, pose=pose_at(0, -50))

    assert legs(script) == [("swerved", 50), ("ran", 100)]
    assert stamina_lost(script) == 1
    assert script.board.chariots[0].team_pose == pose_at(100)


@pytest.mark.rule("CM-61")
def test_a_sweep_that_is_too_long_for_the_turn_is_gone_on_with_in_the_next() -> None:
    script = run(0, pose=pose_at(0, 70))

    assert legs(script) == [("swerved", 50)]
    assert script.board.chariots[0].team_pose == pose_at(0, 20)


@pytest.mark.rule("CM-125")
def test_it_turns_along_the_track_first() -> None:
    script = run(5, pose=pose_at(0, 0, 37))

    assert legs(script) == [("pivoted", 0), ("ran", 100)]
    assert script.board.chariots[0].team_pose == pose_at(100)


@pytest.mark.rule("CM-125")
def test_without_room_to_turn_it_goes_on_as_it_stands_until_there_is_some() -> None:
    # Turned by 90°, between two chariots that lie flush with it.
    beside = (chariot_at(1, pose_at(20, 0, 90)), chariot_at(2, pose_at(-20, 0, 90)))
    script = run(5, pose=pose_at(0, 0, 90), others=beside)

    assert legs(script)[:2] == [("swerved", 41), ("pivoted", 0)]
    after = script.board.chariots[0].team_pose
    assert after is not None
    assert after.heading == 0


@pytest.mark.rule("CM-125")
def test_facing_the_wrong_way_it_turns_as_soon_as_it_has_left_its_neighbours() -> None:
    beside = (chariot_at(1, pose_at(0, 20)), chariot_at(2, pose_at(0, -20)))
    script = run(10, pose=pose_at(0, 0, 180), others=beside)

    # Beside them it has no room; at half its diagonal from their corners it has, and it tries after every centimetre.
    assert legs(script) == [("ran", 10)] * 4 + [("pivoted", 0), ("ran", 110)]
    assert script.board.chariots[0].team_pose == pose_at(150)


@pytest.mark.rule("CM-61")
def test_with_something_in_the_middle_it_runs_beside_it_until_a_sweep_leads_back() -> None:
    # The other stands from 5 cm to 9 cm: past its end by half a length, and no millimetre further.
    script = run(10, pose=pose_at(45, -25), others=(chariot_at(1, pose_at(70)),))

    assert legs(script) == [("ran", 65), ("swerved", 25), ("ran", 60)]
    assert stamina_lost(script) == 1


@pytest.mark.rule("CM-62", "MT-7", "CM-125", "MO-17")
def test_going_round_something_costs_two_stamina_points_in_all() -> None:
    script = run(10, pose=pose_at(30), others=(chariot_at(1, pose_at(80)),), fitting=replace(FITTING, reading="fast"))

    # Up to it; aside by its half and one's own with a millimetre to spare; past it; back; on.
    assert legs(script) == [("ran", 10), ("swerved", 21), ("ran", 80), ("swerved", 21), ("ran", 48)]
    assert stamina_lost(script) == 2
    assert script.board.chariots[0].team_pose == pose_at(168)


@pytest.mark.rule("CM-62", "CM-125")
@pytest.mark.parametrize(("y_mm", "aside_mm"), [(0, 21), (5, -16), (-5, 16), (1, -20)])
def test_it_goes_round_on_the_side_that_needs_less_and_inside_where_both_need_the_same(
    y_mm: int, aside_mm: int
) -> None:
    script = run(5, pose=pose_at(30), others=(chariot_at(1, pose_at(80, y_mm)),))

    (swerve,) = [moved for moved in script.told(PieceMoved) if moved.reason == "swerved"]
    assert swerve.after == pose_at(40, aside_mm)


@pytest.mark.rule("CM-62")
def test_a_side_that_is_blocked_is_no_side() -> None:
    others = (chariot_at(1, pose_at(80)), chariot_at(2, pose_at(45, 25)))
    script = run(5, pose=pose_at(30), others=others)

    assert ("swerved", 21) in legs(script)
    after = script.board.chariots[0].team_pose
    assert after is not None
    assert after.y_um == -21_000


@pytest.mark.rule("CM-62")
def test_two_side_by_side_are_gone_round_at_once() -> None:
    script = run(10, pose=pose_at(30), others=(chariot_at(1, pose_at(80)), chariot_at(2, pose_at(80, 22))))

    assert legs(script)[:2] == [("ran", 10), ("swerved", 21)]
    swerves = [moved for moved in script.told(PieceMoved) if moved.reason == "swerved"]
    assert swerves[0].after == pose_at(40, -21)


@pytest.mark.rule("CM-62", "CM-125")
def test_in_a_bend_it_passes_with_a_millimetre_to_spare() -> None:
    for x_mm in range(340, 400, 9):
        place = find_lane(ARENA, pose_at(x_mm, 40))
        other = chariot_at(1, Pose(x_um=x_mm * 1_000, y_um=12_000, heading=place.heading + 40))
        script = run(10, pose=pose_at(250), others=(other,))

        swerves = [moved for moved in script.told(PieceMoved) if moved.reason == "swerved"]
        assert swerves, x_mm
        assert not script.told(PiecesCollided)


@pytest.mark.rule("CM-62", "CM-63", "CM-125")
def test_before_something_big_without_a_way_round_it_brakes_until_nothing_is_left_to_go() -> None:
    barrier = tuple(chariot_at(1 + place, pose_at(100, y_mm, 90)) for place, y_mm in enumerate((-72, -24, 24, 72)))
    script = run(5, 2, 1, others=barrier)

    # To its front are 70 mm; of the 30 left each brake takes its face in centimetres.
    assert legs(script) == [("ran", 70)]
    assert [(change.change, change.face) for change in script.told(SpeedChanged)] == [("brake", 2), ("brake", 1)]
    assert stamina_lost(script) == 2
    assert (ended(script), script.told(PiecesCollided)) == ("ran_on", [])


@pytest.mark.rule("CM-62")
def test_what_is_low_and_leaves_no_way_round_is_run_across() -> None:
    # Two dice of the horses, two of the wreck, no hits: it runs across and is clear of it.
    script = run(10, 1, 2, 3, 1, wrecks=WRECKS, others=tuple(chariot_at(1 + place, None) for place in range(5)))

    (collided,) = script.told(PiecesCollided)
    assert (collided.initiator_part, collided.target_part, collided.is_ram) == ("horses", "wreck", False)
    assert legs(script) == [("ran", 70), ("moved", 61), ("ran", 19)]
    assert (ended(script), stamina_lost(script)) == ("ran_on", 0)


@pytest.mark.rule("CM-62", "T5")
def test_a_run_across_that_ends_the_turn_ends_the_run() -> None:
    script = run(10, 1, 1, 6, 1, wrecks=WRECKS, others=tuple(chariot_at(1 + place, None) for place in range(5)))

    assert legs(script) == [("ran", 70), ("moved", 61)]
    assert (ended(script), stamina_lost(script)) == ("bounce", 2)


@pytest.mark.rule("CM-62", "CM-121")
def test_with_too_little_way_to_come_clear_it_stays_before_the_wreck() -> None:
    script = run(5, 1, 2, 3, 1, wrecks=WRECKS, others=tuple(chariot_at(1 + place, None) for place in range(5)))

    assert legs(script) == [("ran", 70)]
    assert ended(script) == "collision"


@pytest.mark.rule("CM-62")
def test_a_wreck_that_can_be_gone_round_is_gone_round() -> None:
    script = run(10, wrecks=WRECKS[2:3], others=(chariot_at(1, None), chariot_at(2, None), chariot_at(3, None)))

    assert legs(script)[:2] == [("ran", 70), ("swerved", 21)]
    assert not script.told(PiecesCollided)


@pytest.mark.rule("MO-20")
def test_a_sweep_without_stamina_is_a_roll_on_the_table_and_is_made_all_the_same() -> None:
    # A 5: one centimetre back, and then the sweep that is paid for.
    script = run(5, 5, 1, pose=pose_at(0, 30), stamina=0)

    assert [roll.effects for roll in script.told(TableRolled)] == [("back_d3",)]
    assert legs(script) == [("stumbled", 10), ("swerved", 30), ("ran", 70)]
    assert script.board.chariots[0].team_pose == pose_at(60)


@pytest.mark.rule("CM-92", "CM-60")
def test_a_token_lost_on_the_way_counts_at_once_with_its_maximum() -> None:
    fast = replace(FITTING, reading="fast")
    script = run(10, 6, pose=pose_at(0, 30), stamina=0, stamina_modifier=1, fitting=fast)

    (replaced,) = script.told(TokenReplaced)
    assert (replaced.min_um, replaced.max_um) == (100_000, 100_000)
    assert legs(script) == [("swerved", 30), ("ran", 70)]


@pytest.mark.rule("CM-60", "CM-73")
def test_with_a_horse_that_dies_on_the_way_it_runs_no_further_than_the_slowest_token_leads() -> None:
    script = run(10, 6, pose=pose_at(0, 30), stamina=0, stamina_modifier=2)

    assert [replaced.token for replaced in script.told(TokenReplaced)] == [0]
    assert legs(script) == [("swerved", 30), ("ran", 20)]


@pytest.mark.rule("CM-70", "CM-124")
def test_when_its_last_horse_dies_on_the_way_it_is_over() -> None:
    script = run(5, 6, 3, pose=pose_at(0, 30), stamina=0, stamina_modifier=2, horses=1)

    assert script.board.chariots[0].team_pose is None
    assert ended(script) == "no_team"
    assert not script.told(TokenReplaced)


@pytest.mark.rule("CM-63")
def test_nobody_decides_anything_while_it_runs() -> None:
    board = table(chariot_at(0, pose_at(0), **NO_REINS), chariot_at(1, pose_at(0, 20)))
    turn = Turn(chariot=0, token=5, min_um=0, max_um=0, is_driven=False, may_attack=True)
    running = replace(board, turn=turn, game_turns=2)

    assert owed_step(running) == ()
    assert list_attacks(ARENA, running) == ()


@pytest.mark.rule("CM-63")
def test_others_may_whip_its_horses() -> None:
    board = table(chariot_at(0, pose_at(0)), chariot_at(1, pose_at(-20, 20), **NO_REINS))
    turn = Turn(chariot=0, token=5, min_um=0, max_um=0, may_attack=True)
    means = [target.attack.means for target in list_attacks(ARENA, replace(board, turn=turn, game_turns=2))]

    assert "whip_horses" in means


@pytest.mark.rule("CM-71", "CM-124", "CM-127")
@pytest.mark.parametrize(
    "changes",
    [DRAGGED, on_foot(0, 60, has_body=False), {"driver": "dead"}, {"driver": "left", "has_body": False}],
)
def test_horses_run_on_with_whatever_hangs_on_them(changes: dict[str, Any]) -> None:
    script = run(10, **changes)

    assert legs(script) == [("ran", 150)]


@pytest.mark.rule("CM-71")
def test_without_horses_nothing_runs() -> None:
    script = run(0, pose=None, horses=0, dead_horses=2, **on_foot(0, 60, has_body=False))

    assert (legs(script), ended(script)) == ([], "no_team")


@pytest.mark.rule("CM-125")
def test_it_laps_the_circus_in_the_middle() -> None:
    script = LoadedScript(table(chariot_at(0, pose_at(-20), **NO_REINS)))
    for _ in range(13):
        begin_uncontrolled(script, ARENA, chariot=0, token=10)

    pose = script.board.chariots[0].team_pose
    assert pose is not None
    assert abs(offset_of(ARENA, (pose.x_um, pose.y_um))) < 50
    assert {moved.reason for moved in script.told(PieceMoved)} == {"ran"}
    assert not script.told(PointsLost)


@pytest.mark.rule("CM-125")
def test_lanes_are_told_by_how_far_to_the_left_of_the_middle_they_are() -> None:
    assert find_lane(ARENA, pose_at(50, 30)).offset_um == 30_000
    assert find_lane(ARENA, pose_at(50, -30)).offset_um == -30_000
    assert find_lane(ARENA, pose_at(50, 30)).heading == 0
    # At a vertex the next stretch has begun.
    assert [find_lane(ARENA, pose_at(x_mm)).heading for x_mm in (299, 300)] == [0, 1]
    # On the far straight left is down.
    assert find_lane(ARENA, pose_at(0, 200)).offset_um == 40_000
    assert find_lane(ARENA, pose_at(0, 200)).heading == 180


@pytest.mark.rule("CM-62")
def test_it_does_not_creep_along_something_that_slants() -> None:
    others = (
        chariot_at(1, Pose(x_um=372_494, y_um=280_370, heading=151)),
        chariot_at(2, Pose(x_um=346_722, y_um=208_447, heading=153), **DRAGGED),
    )
    script = run(0, pose=Pose(x_um=370_273, y_um=220_545, heading=145), others=others, driver="dead")

    assert len(legs(script)) < 8
