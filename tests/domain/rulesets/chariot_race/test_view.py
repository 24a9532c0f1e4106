"""What anyone may see, and what only the seat that owes an answer is shown."""

import msgspec
import pytest

from domain.canonical import check_value, encode
from domain.ids import Seat
from domain.rulesets.chariot_race.actions import Move
from domain.rulesets.chariot_race.view import OwedView
from tests.domain.rulesets.chariot_race.stable import (
    ALTERNATE,
    RULES,
    SIDE_B,
    carry_out,
    chariot,
    play_by_default,
    race,
    rehearse,
    told_by,
    with_dice,
)


@pytest.mark.rule("CR-60", "RO-8")
def test_a_view_holds_the_track_as_it_would_be_drawn() -> None:
    view = RULES.view(rehearse(4, SIDE_B).board, None)

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
def test_everybody_sees_who_owes_what_and_only_that_seat_sees_the_choices() -> None:
    board = with_dice(race(chariot("green", "outer-15"), chariot("red", "outer-20")), "steer")

    mine, theirs, public = (RULES.view(board, seat) for seat in (Seat(2), Seat(1), None))

    assert mine.owed == (OwedView(decision=mine.decisions[0].decision, seat=Seat(2), question="move"),)
    assert mine.decisions[0].choices == RULES.legal_actions(board, RULES.decisions(board)[0])
    assert (theirs.decisions, public.decisions) == ((), ())
    assert theirs == public
    assert msgspec.structs.replace(mine, decisions=()) == public


@pytest.mark.rule("XG-10")
def test_folded_without_the_secret_the_view_is_the_same_at_every_version() -> None:
    rehearsal = play_by_default(rehearse(3, ALTERNATE))
    with_secret = without = RULES.initial_board((Seat(0), Seat(1), Seat(2)), ALTERNATE)

    for told in told_by(rehearsal):
        with_secret = RULES.evolve(with_secret, told, rehearsal.chance)
        without = RULES.evolve(without, told, None)
        assert encode(RULES.view(with_secret, None)) == encode(RULES.view(without, None))

    assert without == rehearsal.board


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
