"""The grid behind the line, and who stands where on it."""

import pytest

from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.rulesets.chariot_race.board import front_of
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import ChariotPlaced, StartOrderDrawn
from tests.domain.rulesets.chariot_race.boards import (
    ALTERNATE,
    BASIC,
    RULES,
    names,
    play_by_default,
    play_out,
    space_name,
    told_by,
)

GRID = ["outer-40", "middle-36", "inner-32", "outer-39", "middle-35", "inner-31"]


@pytest.mark.rule("CR-01")
@pytest.mark.parametrize(("seats", "chariots"), [(2, 4), (3, 6), (4, 4), (5, 5), (6, 6)])
def test_two_or_three_players_drive_two_chariots_each(seats: int, chariots: int) -> None:
    board = play_out(seats).board

    assert len(board.chariots) == chariots
    assert {chariot.seat for chariot in board.chariots} == set(range(seats))


@pytest.mark.rule("CR-63", "XG-01")
def test_colours_go_by_seat_and_then_by_chariot() -> None:
    board = play_out(3).board

    drivers = [(chariot.colour, chariot.seat) for chariot in board.chariots]

    assert drivers == [("blue", 0), ("red", 0), ("green", 1), ("yellow", 1), ("purple", 2), ("white", 2)]


@pytest.mark.rule("CR-03", "CR-12", "CR-60", "RO-9")
def test_the_grid_lies_behind_the_line_front_row_first_and_outer_lane_first() -> None:
    playout = play_out(6)

    placed = [told for told in playout.written if isinstance(told, ChariotPlaced)]

    assert [told.space for told in placed] == GRID
    assert [told.front for told in placed] == [0, 0, 0, -24, -24, -24]
    assert all(playout.board.track.laps(front_of(playout.board, chariot)) == 0 for chariot in playout.board.chariots)


@pytest.mark.rule("CR-63")
@pytest.mark.parametrize("secret", range(5))
def test_second_chariots_take_the_next_places_in_reverse_order(secret: int) -> None:
    playout = play_out(3, secret=secret)
    a, b, c = next(told for told in playout.written if isinstance(told, StartOrderDrawn)).seats

    placed = [told for told in playout.written if isinstance(told, ChariotPlaced)]

    assert [told.seat for told in placed] == [a, b, c, c, b, a]
    assert [told.place for told in placed] == [1, 2, 3, 4, 5, 6]
    assert [space_name(playout.board, told.chariot) for told in placed] == GRID


@pytest.mark.rule("XG-02")
def test_the_start_order_is_drawn_one_by_one_and_the_last_needs_no_roll() -> None:
    playout = play_out(4)

    before_the_race = told_by(playout)[: names(playout.written).index("StartOrderDrawn")]

    assert [(told.label, told.sides) for told in before_the_race] == [
        ("start_order:1", 4),
        ("start_order:2", 3),
        ("start_order:3", 2),
    ]


@pytest.mark.rule("CR-10", "RO-10", "RO-9")
def test_the_first_round_goes_by_the_grid() -> None:
    playout = play_out(6)

    by_place = sorted(playout.board.chariots, key=lambda chariot: chariot.place)

    assert playout.board.order == tuple(each.colour for each in by_place)


@pytest.mark.rule("XG-01")
@pytest.mark.parametrize("options", [BASIC, ALTERNATE])
def test_the_seats_that_are_taken_need_not_be_neighbours(options: RaceOptions) -> None:
    seats = (Seat(1), Seat(3), Seat(4))
    playout = play_by_default(Playout(RULES, seats=seats, options=options, secret=bytes(32)))

    assert {chariot.seat for chariot in playout.board.chariots} == set(seats)
    assert {placing.seat for placing in RULES.ranking(playout.board)} == set(seats)
