"""Following the middle of the track, or a line beside it, until something is in the way."""

import pytest

from domain.rulesets.chariotmaster.table.course import parallel_line
from domain.rulesets.chariotmaster.table.lane import Following, follow
from domain.rulesets.chariotmaster.table.laps import find_place, measure, place_at
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.table.travel import is_free
from tests.domain.rulesets.chariotmaster.cases import CHARIOT, CM, DRAGGING, MM, TEAM, Cases, obstacles_of
from tests.domain.rulesets.chariotmaster.default_course import COURSE, MIDDLE, OVAL, WALLS


def standing(along_um: int) -> Following:
    place = place_at(MIDDLE, along_um)
    pose = Pose(x_um=place.point_um[0], y_um=place.point_um[1], heading=place.heading)
    return Following(pose=pose, stretch=place.stretch, distance_um=0, contacts=())


def test_a_lap_of_the_middle_leads_back_to_the_line() -> None:
    went = follow(CHARIOT, standing(0), WALLS, line=COURSE.middle, distance_um=MIDDLE.length_um)

    assert went.distance_um == MIDDLE.length_um
    assert not went.contacts
    # Every leg is rounded up, 91 legs on the way: the base comes to rest a few micrometres short.
    assert -91 <= went.pose.x_um <= 0
    assert (went.pose.y_um, went.pose.heading) == (0, 0)


def test_following_in_turns_stays_in_the_middle_and_never_goes_too_far() -> None:
    cases = Cases(seed=70)
    now = standing(0)
    for _ in range(150):
        distance_um = cases.number(1, 18 * CM)
        before = find_place(MIDDLE, (now.pose.x_um, now.pose.y_um)).along_um
        went = follow(DRAGGING, now, WALLS, line=COURSE.middle, distance_um=distance_um)
        place = find_place(MIDDLE, (went.pose.x_um, went.pose.y_um))

        assert went.distance_um - now.distance_um == distance_um
        assert distance_um - 60 <= (place.along_um - before) % MIDDLE.length_um <= distance_um + 2
        assert (went.pose.x_um - place.point_um[0]) ** 2 + (went.pose.y_um - place.point_um[1]) ** 2 <= 8
        assert went.pose.heading == COURSE.middle[went.stretch].heading
        now = went


def test_an_obstacle_on_the_straight_stops_the_chariot_to_the_micrometre() -> None:
    wreck = obstacles_of(4, TEAM, Pose(x_um=20 * CM, y_um=0, heading=0))

    went = follow(CHARIOT, standing(0), wreck, line=COURSE.middle, distance_um=30 * CM)

    assert (went.distance_um, went.pose.x_um) == (17 * CM, 17 * CM)
    assert [contact.obstacle for contact in went.contacts] == [(4, 0)]


@pytest.mark.parametrize("along_um", range(40 * CM, 60 * CM, 23 * MM))
def test_an_obstacle_in_the_bend_stops_the_chariot_at_its_first_contact(along_um: int) -> None:
    ahead = place_at(MIDDLE, along_um)
    wreck = obstacles_of(4, TEAM, Pose(x_um=ahead.point_um[0], y_um=ahead.point_um[1], heading=17))

    went = follow(CHARIOT, standing(20 * CM), wreck, line=COURSE.middle, distance_um=60 * CM)
    beyond = follow(CHARIOT, went, wreck, line=COURSE.middle, distance_um=CM)

    assert went.contacts
    assert {contact.obstacle for contact in went.contacts} == {(4, 0)}
    assert is_free(CHARIOT, went.pose, wreck)
    assert along_um - 20 * CM - 5 * CM < went.distance_um < along_um - 20 * CM - 2 * CM
    assert beyond == went


def test_a_parallel_line_keeps_its_distance_and_can_be_followed_too() -> None:
    aside = parallel_line(OVAL, left_um=-5 * CM)
    line = measure(aside)
    start = Following(pose=Pose(x_um=0, y_um=-5 * CM, heading=0), stretch=0, distance_um=0, contacts=())

    went = follow(CHARIOT, start, WALLS, line=aside, distance_um=90 * CM)

    place = find_place(MIDDLE, (went.pose.x_um, went.pose.y_um))
    gap_squared = (went.pose.x_um - place.point_um[0]) ** 2 + (went.pose.y_um - place.point_um[1]) ** 2
    assert line.length_um == 2_268_087
    assert not went.contacts
    assert abs(gap_squared - (5 * CM) ** 2) < (5 * CM) * 100
