"""Progress of every chariot: the front of the team along the middle of the track, lap by lap, across the line."""

from typing import Any

import pytest

from domain.rulesets.chariotmaster.race.board import Chariot, Crossing, team_piece
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import PieceMoved
from domain.rulesets.chariotmaster.race.race_outcomes import LapCompleted, LineCrossed
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.table.sines import FINE, nearest
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.races import RULES, RaceScript, driven, play_out, race_of

LAP_UM = RULES.arena.middle.length_um
THREE_LAPS = Options(laps=3, equipment="none")
DRAGGED: dict[str, Any] = {"driver": "dragged", "has_body": False, "has_reins": False}
ON_FOOT: dict[str, Any] = {"driver": "on_foot", "driver_pose": pose_at(300, -60), "has_reins": False}


def before_the_line(gap_mm: int, *, laps: int = 1, seat: int = 0, y_mm: int = 0, **changes: Any) -> Chariot:
    """A chariot whose nose is so far before the line at the end of a lap, unless `laps` is 0."""
    reach_mm = 15 if changes.get("driver") == "dragged" else 20
    pose = Pose(x_um=-(gap_mm + reach_mm) * 1_000, y_um=y_mm * 1_000, heading=0)
    return chariot_at(seat, pose, progress_um=laps * LAP_UM - gap_mm * 1_000, **changes)


def progress_mm(script: RaceScript, chariot: int = 0) -> int:
    found: int = script.board.chariots[chariot].progress_um
    return found // 1_000


@pytest.mark.rule("CM-116")
def test_the_front_row_starts_at_nothing_and_the_second_behind_it() -> None:
    race = play_out(6, Options(laps=1, equipment="none", chariots_each=2))

    rows = {chariot.team_pose.x_um: chariot.progress_um for chariot in race.board.chariots}
    assert rows == {-20_000: 0, -65_000: -45_000}


@pytest.mark.rule("CM-116")
def test_the_second_rows_first_crossing_of_the_line_is_no_lap() -> None:
    script = driven(race_of(before_the_line(45, laps=0)), 0, 100)

    assert progress_mm(script) == 55
    assert not script.told(LapCompleted)


@pytest.mark.rule("CM-116")
def test_progress_is_that_of_the_front_whatever_pushes_it_and_backwards_counts_down() -> None:
    script = race_of(before_the_line(30, laps=0))

    driven(script, 0, 50)
    there = progress_mm(script)
    driven(script, 0, 70, heading=180)

    assert (there, progress_mm(script)) == (20, -50)


@pytest.mark.rule("CM-116")
def test_a_lap_counts_once_however_often_the_line_is_crossed() -> None:
    script = race_of(before_the_line(10), options=THREE_LAPS)

    for way in (0, 180, 0):
        driven(script, 0, 30, heading=way)

    assert script.told(LapCompleted) == [LapCompleted(chariot=0, lap=1)]
    assert not script.told(LineCrossed)
    assert script.board.chariots[0].laps_completed == 1


@pytest.mark.rule("CM-116", "CM-117")
def test_who_is_across_the_line_at_any_moment_has_crossed_it() -> None:
    script = race_of(before_the_line(10))

    driven(script, 0, 30)
    driven(script, 0, 60, heading=180)

    assert script.told(LineCrossed) == [LineCrossed(chariot=0, is_dragged=False)]
    assert progress_mm(script) < LAP_UM // 1_000
    assert script.board.crossings == (Crossing(chariot=0, is_dragged=False),)


@pytest.mark.rule("CM-116")
def test_who_is_pushed_over_the_line_has_crossed_it_too() -> None:
    script = driven(race_of(before_the_line(10)), 0, 30, reason="pushed")

    assert script.told(LineCrossed) == [LineCrossed(chariot=0, is_dragged=False)]


@pytest.mark.rule("CM-01", "CM-116")
def test_a_dragged_driver_crosses_with_his_horses() -> None:
    script = driven(race_of(before_the_line(10, **DRAGGED)), 0, 30)

    assert script.told(LineCrossed) == [LineCrossed(chariot=0, is_dragged=True)]


@pytest.mark.rule("CM-01", "CM-116")
@pytest.mark.parametrize("status", [{"driver": "dead", "has_reins": False}, ON_FOOT])
def test_horses_alone_cross_nothing(status: dict[str, Any]) -> None:
    script = driven(race_of(before_the_line(10, **status)), 0, 30)

    assert not script.told(LineCrossed)
    assert not script.told(LapCompleted)
    assert progress_mm(script) == (LAP_UM + 20_000) // 1_000


@pytest.mark.rule("CM-116")
def test_all_the_way_round_is_one_lap() -> None:
    middle = RULES.arena.middle
    script = race_of(chariot_at(0, pose_at(-20)), options=THREE_LAPS)

    for stretch in (*middle.stretches[1:], *middle.stretches[:2]):
        before = script.board.chariots[0].team_pose
        assert before is not None
        x_um, y_um = (nearest(part, FINE) for part in stretch.start)
        after = Pose(x_um=x_um, y_um=y_um, heading=stretch.heading)
        script.watched.emit(PieceMoved(piece=team_piece(0), reason="moved", before=before, after=after, distance_um=1))

    assert script.told(LapCompleted) == [LapCompleted(chariot=0, lap=1)]
    assert LAP_UM < script.board.chariots[0].progress_um < LAP_UM + 400_000
