"""The view of a race: everything to scale, and to each seat its own decisions."""

import msgspec
import pytest

from domain.canonical import encode
from domain.ids import Seat
from domain.rulesets.chariotmaster.offers.course_picture import ArcPicture, Point, StraightPicture, draw_course
from domain.rulesets.chariotmaster.offers.view import RaceView, Rectangle, show
from domain.rulesets.chariotmaster.race.board import Wreck, driver_piece, team_piece, wreck_piece
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.table.shapes import polygons
from domain.rulesets.chariotmaster.table.sines import FINE, direction
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at, table
from tests.domain.rulesets.chariotmaster.races import RULES, play_by_default, play_out
from tests.domain.rulesets.chariotmaster.random_races import random_race

PICTURE = draw_course(ARENA)


def corners(rectangle: Rectangle) -> list[tuple[float, float]]:
    """Turn a rectangle about its middle, as a page would."""
    cos, sin = (part / FINE for part in direction(rectangle.heading))
    half = [(side * rectangle.length_um / 2, up * rectangle.width_um / 2) for side in (1, -1) for up in (1, -1)]
    return sorted((rectangle.x_um + x * cos - y * sin, rectangle.y_um + x * sin + y * cos) for x, y in half)


def test_what_is_drawn_from_a_view_is_what_the_rules_measure() -> None:
    chariots = (
        chariot_at(0, pose_at(7, 30, 37)),
        chariot_at(1, pose_at(100, -20, 201), has_body=False, driver="dragged"),
        chariot_at(2, None, has_body=False, driver="on_foot", driver_pose=pose_at(-60, 0, 5)),
    )
    wreck = Wreck(chariot=2, pose=pose_at(-90, 10, 80))
    board = msgspec.structs.replace(table(*chariots), seats=(Seat(0), Seat(1), Seat(2)), wrecks=(wreck,))
    shown = show(ARENA, PICTURE, board)

    assert [piece.piece for piece in shown.pieces] == [
        team_piece(0),
        team_piece(1),
        driver_piece(2),
        wreck_piece(2),
    ]
    assert [[part.part for part in piece.parts] for piece in shown.pieces] == [
        ["horses", "body"],
        ["horses", "driver"],
        ["driver"],
        ["wreck"],
    ]
    for piece, shape in zip(shown.pieces, (ARENA.chariot, ARENA.dragging, ARENA.driver, ARENA.wreck), strict=True):
        for rectangle, polygon in zip(piece.parts, polygons(shape, piece.pose), strict=True):
            exact = sorted((x / FINE, y / FINE) for x, y in polygon.corners)
            for drawn, corner in zip(corners(rectangle), exact, strict=True):
                assert max(abs(drawn[0] - corner[0]), abs(drawn[1] - corner[1])) <= 1


@pytest.mark.rule("CM-111")
def test_the_course_is_drawn_piece_by_piece_from_the_line() -> None:
    home, bend, back, *_ = PICTURE.pieces

    assert PICTURE.finish_line == (Point(x_um=0, y_um=100_000), Point(x_um=0, y_um=-100_000))
    assert (PICTURE.width_um, PICTURE.lap_um) == (200_000, 1_953_944)
    assert isinstance(home, StraightPicture)
    assert isinstance(bend, ArcPicture)
    assert (home.length_um, home.starts.heading, home.starts.middle) == (300_000, 0, Point(x_um=0, y_um=0))
    assert (bend.radius_um, bend.degrees, bend.turn) == (120_000, 180, "left")
    assert (bend.starts.heading, bend.starts.outer_wall) == (0, Point(x_um=300_000, y_um=-100_000))
    assert (back.starts.heading, back.starts.inner_wall) == (180, Point(x_um=300_000, y_um=140_000))
    # The box goes round the outer wall: two half circles of 22 cm and 60 cm between them, to a vertex every 2°.
    assert (PICTURE.low.x_um, PICTURE.high.x_um) == (-520_000, 520_000)
    assert (PICTURE.low.y_um, PICTURE.high.y_um) == (-100_000, 340_000)


def test_all_viewers_see_the_same() -> None:
    race = play_out(3)

    views = [RULES.view(race.board, seat) for seat in (None, Seat(0), Seat(1), Seat(2))]

    assert all(view == views[0] for view in views)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_view_says_the_same_after_a_journey(seed: int) -> None:
    for race, _ in random_race(seed):
        for viewer in (None, *(decision.seat for decision in race.owed())):
            view = RULES.view(race.board, viewer)
            assert msgspec.json.decode(encode(view), type=RaceView) == view


def test_a_turn_shows_how_far_it_may_go() -> None:
    race = play_out(2)
    play_by_default(race, until=lambda race: race.board.turn is not None)
    shown = RULES.view(race.board, None)

    turn = shown.turn
    assert turn is not None
    assert (turn.token, turn.min_um, turn.max_um, turn.pivot_degrees) == (5, 50_000, 100_000, 30)
    assert shown.active == turn.chariot
    assert shown.mug is not None
    assert len(shown.mug.slips) == 1


@pytest.mark.rule("CM-08", "CM-46", "CM-56")
def test_a_view_shows_the_readings_that_the_game_has_chosen() -> None:
    usual = RULES.view(play_out(2).board, None)
    chosen = Options(survivor="must_finish", chained_bounce="goes_on", whip_roll="target")
    other = RULES.view(play_out(2, chosen).board, None)

    assert (usual.survivor, usual.chained_bounce, usual.whip_roll) == ("wins", "ends_turn", "attacker")
    assert (other.survivor, other.chained_bounce, other.whip_roll) == ("must_finish", "goes_on", "target")


def test_the_end_of_a_race_shows_places() -> None:
    race = play_by_default(play_out(2, secret=3))
    shown = RULES.view(race.board, Seat(0))

    assert shown.ended == "one_left"
    assert shown.ranking == RULES.ranking(race.board)
    assert sorted(chariot.place or 2 for chariot in shown.chariots) == [1, 2]
