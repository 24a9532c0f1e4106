"""The shortest way round the circus: shorter than its middle, and it leads into the bend on the inside."""

import pytest

from domain.rulesets.chariotmaster.bots.road import build_road, driven, is_on_track, look
from domain.rulesets.chariotmaster.offers.course_picture import draw_course
from domain.rulesets.chariotmaster.race.options import Options
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.races import RULES

ROAD = build_road(draw_course(RULES.arena))
TRIAL = build_road(draw_course(RULES.arena_of(Options(course="trial"))))


def test_the_shortest_way_round_is_shorter_than_the_middle_of_the_track() -> None:
    two_laps = look(ROAD, pose_at(0)).to_go_um

    assert 2 * 120_000 < two_laps < 2 * ROAD.line.length_um
    assert look(TRIAL, pose_at(0)).to_go_um < 2 * TRIAL.line.length_um


def test_a_centimetre_along_it_is_a_centimetre_less_to_go() -> None:
    here = pose_at(-200, 40)

    ahead = driven(here, distance_um=10_000, turn_degrees=0)

    assert abs(look(ROAD, here).to_go_um - look(ROAD, ahead).to_go_um - 10_000) < 500


def test_before_a_bend_it_leads_to_the_inside_and_in_it_it_turns() -> None:
    assert look(ROAD, pose_at(200, -50)).turn_degrees > 10
    assert look(ROAD, pose_at(330, 60)).turn_degrees > 20
    assert abs(look(ROAD, pose_at(-200, 60)).turn_degrees) < 15


def test_a_place_beyond_a_wall_is_not_on_the_track() -> None:
    assert is_on_track(ROAD, pose_at(0), ahead_um=50_000)
    assert not is_on_track(ROAD, pose_at(0, 0, 270), ahead_um=95_000)


@pytest.mark.rule("CM-141")
def test_it_leads_round_the_obstacles_of_a_course() -> None:
    fountain = pose_at(60, 320, 180)

    assert abs(look(build_road(draw_course(RULES.arena_of(Options(course="market")))), fountain).turn_degrees) > 20
