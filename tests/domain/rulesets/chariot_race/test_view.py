"""The public view, and the additions for the seat that owes an answer."""

import msgspec
import pytest

from domain.canonical import check_value, encode
from domain.ids import Seat
from domain.rulesets.chariot_race.actions import Move
from domain.rulesets.chariot_race.options import RaceOptions
from tests.domain.rulesets.chariot_race.boards import (
    ALTERNATE,
    BASIC,
    RULES,
    SIDE_B,
    carry_out,
    chariot,
    play_by_default,
    play_out,
    race,
    told_by,
    with_dice,
)


@pytest.mark.rule("CR-60", "RO-8")
def test_a_view_holds_the_track_as_it_would_be_drawn() -> None:
    view = RULES.view(play_out(4, SIDE_B).board, None)

    assert view.track.lap_units == 864
    assert [(part.kind, part.start_units, part.end_units) for part in view.track.stretches] == [
        ("straight", 0, 144),
        ("corner", 144, 288),
        ("straight", 288, 432),
        ("straight", 432, 576),
        ("corner", 576, 720),
        ("straight", 720, 864),
    ]
    assert [(lane.name, len(lane.spaces)) for lane in view.track.lanes] == [
        ("inner", 32),
        ("middle", 36),
        ("outer", 40),
    ]
    for lane in view.track.lanes:
        borders = [0, *(space.end_units for space in lane.spaces)]
        assert [space.start_units for space in lane.spaces] == borders[:-1]
    numbered = [space for lane in view.track.lanes for space in lane.spaces if space.limit is not None]
    assert [(space.name, space.limit) for space in numbered][:2] == [("inner-7", 3), ("inner-23", 3)]
    assert [space.name for lane in view.track.lanes for space in lane.spaces if space.has_heap] == [
        "inner-13",
        "middle-22",
        "outer-20",
    ]


@pytest.mark.rule("CR-64")
def test_all_viewers_see_the_same() -> None:
    board = with_dice(race(chariot("green", "outer-15"), chariot("red", "outer-20")), "steer")

    mine, theirs, public = (RULES.view(board, seat) for seat in (Seat(2), Seat(1), None))

    assert mine == theirs == public


@pytest.mark.rule("XG-10")
def test_folded_without_the_secret_the_view_is_the_same_at_every_version() -> None:
    playout = play_by_default(play_out(3, ALTERNATE))
    with_secret = without = RULES.initial_board((Seat(0), Seat(1), Seat(2)), ALTERNATE)

    for told in told_by(playout):
        with_secret = RULES.evolve(with_secret, told, playout.chance)
        without = RULES.evolve(without, told, None)
        assert encode(RULES.view(with_secret, None)) == encode(RULES.view(without, None))

    assert without == playout.board


@pytest.mark.rule("CR-53", "RO-9")
def test_a_view_shows_where_the_places_of_the_grid_are() -> None:
    grid = RULES.view(play_out(4).board, None).track.grid

    assert grid == ("outer-40", "middle-36", "inner-32", "outer-39", "middle-35", "inner-31")


@pytest.mark.rule("CR-64")
@pytest.mark.parametrize("options", [BASIC, ALTERNATE])
def test_every_board_in_the_middle_of_a_play_can_be_looked_at(options: RaceOptions) -> None:
    playout = play_by_default(play_out(3, options))
    seats = playout.board.seats
    board = RULES.initial_board(seats, options)

    for told in told_by(playout):
        board = RULES.evolve(board, told, None)
        views = [RULES.view(board, seat) for seat in seats]

        assert views == [RULES.view(board, None)] * len(seats)
        assert len(RULES.decisions(board)) <= 1
        assert {placing.seat for placing in RULES.ranking(board)} == set(seats)


@pytest.mark.rule("CR-43", "CR-67")
def test_a_view_has_one_place_for_a_seat_and_calls_that_of_the_grid_by_its_name() -> None:
    wrecks = [chariot(colour, "outer-9", status="wrecked", wreck_moment=1) for colour in ("blue", "red")]
    board = msgspec.structs.replace(race(*wrecks), turn=None, ended="no_chariot_left")

    shown = msgspec.to_builtins(RULES.view(board, None))

    assert [each["place"] for each in shown["ranking"]] == [2, 2]
    assert [each["grid_place"] for each in shown["chariots"]] == [each.place for each in board.chariots]
    assert not any("place" in each for each in shown["chariots"])


@pytest.mark.rule("CR-04")
def test_a_view_shows_the_tracks_of_each_chariot_board() -> None:
    view = RULES.view(race(chariot("red", "outer-15", options=ALTERNATE), options=ALTERNATE), None)

    [red] = view.chariots
    assert (red.damage_max, red.speed_max, red.fate_max) == (12, 11, 4)
    assert (red.speed_by_damage[7], red.dice_up_to) == (8, (5, 7, 10, 11))


def test_a_view_fits_the_schema_of_the_log() -> None:
    board = with_dice(race(chariot("green", "outer-15"), chariot("red", "outer-16")), "steer", "sprint")

    check_value(msgspec.json.decode(encode(RULES.view(board, Seat(2)))))


def test_a_chariot_off_the_track_has_no_space() -> None:
    board = with_dice(race(chariot("green", "outer-15", damage_left=1), chariot("red", "outer-20")), "sprint")
    after, _ = carry_out(board, Move(minuses=0, path=""))

    view = RULES.view(after, None)

    green = next(each for each in view.chariots if each.colour == "green")
    assert (green.status, green.space, green.front, green.damage_left) == ("wrecked", None, None, 0)
    assert (view.caltrops, view.caltrops_left) == (("outer-15",), 19)
