"""Moving and passing: how points are spent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ids import Seat
from domain.rulesets.charioteer.board import race_order
from domain.rulesets.charioteer.moving import Stride, moving_order, walk
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import ChariotMoved
from tests.domain.rulesets.charioteer.boards import ADA, BOB, BOX, CAI, DOT, LAP, Turn, board, driver, move


def green(seat: Seat) -> tuple[str, ...]:
    """Five points for two cards, and no two seats with the same cards."""
    other = ("black-0", "black-1", "black-2", "yellow-0")[seat]
    return (f"green-2 green-2 {other}", f"{other} {other} green-2")


@pytest.mark.rule("CH-30", "CH-91")
def test_the_leader_moves_first_and_the_order_is_not_recomputed() -> None:
    drivers = [driver(seat, *green(seat), progress=place) for seat, place in ((ADA, 30), (BOB, 31), (CAI, 29))]
    on = board(*drivers)

    turn = Turn(on, {seat: move("green-2", 10 * seat, 10 * seat + 1) for seat in (ADA, BOB, CAI)})

    assert [event.seat for event in turn.tell(ChariotMoved)] == [BOB, ADA, CAI]
    assert turn.board.drivers[2].progress > 29


@pytest.mark.rule("CH-30", "CH-08")
def test_on_turn_one_the_first_player_moves_first_and_the_others_clockwise() -> None:
    on = board(*(driver(seat, progress=-3) for seat in (CAI, DOT, ADA, BOB)), turn=1)

    assert moving_order(on) == (CAI, DOT, ADA, BOB)


@pytest.mark.rule("CH-32", "CH-90", "CO-21")
def test_on_equal_progress_inside_is_ahead_and_laps_count_before_it() -> None:
    lapped_but_inside = driver(ADA, progress=20)
    outside = driver(BOB, progress=20 + LAP)
    beside = driver(CAI, progress=20)
    on = board(lapped_but_inside, outside, beside)

    assert [each.seat for each in race_order(on)] == [BOB, ADA, CAI]


@pytest.mark.rule("CH-32", "CH-34")
def test_who_enters_a_space_stands_outside_of_everyone_there() -> None:
    crowd = [driver(seat, progress=33) for seat in (BOB, CAI, DOT)]
    on = board(driver(ADA, progress=30), *crowd)

    walked = walk(BOX, on, on.drivers[0], Stride(points=3, is_black=False))

    assert (walked.entered, walked.passed, walked.inside_of) == ((31, 32, 33), (), None)


@pytest.mark.rule("CH-33")
def test_nobody_leaves_a_space_before_being_innermost_also_at_the_start() -> None:
    on = board(driver(BOB, progress=30), driver(CAI, progress=30), driver(ADA, progress=30))

    walked = walk(BOX, on, on.drivers[0], Stride(points=2, is_black=False))
    further = walk(BOX, on, on.drivers[0], Stride(points=3, is_black=False))

    assert ([passing.rival for passing in walked.passed], walked.entered, walked.inside_of) == ([CAI, BOB], (), BOB)
    assert further.entered == (31,)


@pytest.mark.rule("CH-33", "CO-21")
def test_a_lapped_chariot_must_be_passed_like_any_other() -> None:
    on = board(driver(ADA, progress=30 + LAP), driver(BOB, progress=31))

    walked = walk(BOX, on, on.drivers[0], Stride(points=3, is_black=False))

    assert [(passing.rival, passing.price) for passing in walked.passed] == [(BOB, 1)]
    assert walked.progress == 32 + LAP


@pytest.mark.rule("CH-33")
@pytest.mark.parametrize(("start", "inside_of", "row"), [(31, None, (BOB, CAI, ADA)), (32, CAI, (BOB, ADA, CAI))])
def test_a_chariot_that_stops_between_two_rivals_stands_between_them(
    start: int, inside_of: Seat | None, row: tuple[Seat, ...]
) -> None:
    on = board(driver(BOB, progress=36), driver(CAI, progress=36), driver(ADA, *green(ADA), progress=start))

    turn = Turn(on, {ADA: move("green-2", 0, 1)})

    moved = turn.one(ChariotMoved, ADA)
    assert (moved.distance, moved.inside_of) == (5, inside_of)
    assert turn.board.row == row


@pytest.mark.rule("CH-38", "CO-22")
def test_on_turn_one_a_last_point_does_not_slip_inside_for_nothing() -> None:
    on = board(driver(BOB, progress=2), driver(CAI, progress=-3), driver(ADA, progress=-3), turn=1)

    walked = walk(BOX, on, on.drivers[0], Stride(points=5, is_black=False))
    further = walk(BOX, on, on.drivers[0], Stride(points=6, is_black=False))

    assert (walked.progress, [passing.rival for passing in walked.passed], walked.inside_of) == (2, [CAI], None)
    assert (further.progress, [passing.rival for passing in further.passed]) == (3, [CAI, BOB])


@pytest.mark.rule("CH-38")
def test_on_turn_one_the_other_reading_slips_inside_of_all_for_nothing() -> None:
    rivals = (driver(CAI, progress=2), driver(BOB, progress=2))
    on = board(*rivals, driver(ADA, progress=-3), turn=1, options=Options(first_turn="inside"))

    walked = walk(BOX, on, on.drivers[0], Stride(points=5, is_black=False))

    assert (walked.progress, [passing.rival for passing in walked.passed], walked.inside_of) == (2, [BOB, CAI], CAI)
    assert [passing.price for passing in walked.passed] == [0, 0]


@pytest.mark.rule("CH-38", "CO-22")
def test_on_turn_one_the_other_reading_gives_nothing_to_a_chariot_that_enters_no_space() -> None:
    on = board(driver(CAI, progress=-3), driver(ADA, progress=-3), turn=1, options=Options(first_turn="inside"))

    walked = walk(BOX, on, on.drivers[0], Stride(points=0, is_black=False))

    assert (walked.progress, walked.passed, walked.inside_of) == (-3, (), None)


@pytest.mark.rule("CH-38")
def test_from_turn_two_on_both_readings_are_the_same() -> None:
    rivals = (driver(CAI, progress=2), driver(BOB, progress=2))
    on = board(*rivals, driver(ADA, progress=-3), turn=2, options=Options(first_turn="inside"))

    walked = walk(BOX, on, on.drivers[0], Stride(points=5, is_black=False))

    assert (walked.passed, walked.inside_of) == ((), None)


@pytest.mark.rule("CH-38", "CO-22")
def test_on_turn_one_who_does_not_leave_start_keeps_its_place_there() -> None:
    on = board(driver(CAI, progress=-3), driver(ADA, progress=-3), driver(BOB, progress=-3), turn=1)

    turn = Turn(on, {})

    assert turn.board.row == (CAI, ADA, BOB)
    assert all(each.progress == -3 for each in turn.board.drivers)


@pytest.mark.rule("CH-31", "CH-34")
@given(
    places=st.lists(st.integers(0, 2 * LAP), min_size=2, max_size=6),
    points=st.integers(0, 40),
    is_black=st.booleans(),
)
def test_every_point_is_spent_on_a_space_or_on_a_rival(places: list[int], points: int, *, is_black: bool) -> None:
    on = board(*(driver(Seat(seat), progress=place) for seat, place in enumerate(places)))

    walked = walk(BOX, on, on.drivers[-1], Stride(points=points, is_black=is_black))

    assert len(walked.entered) + sum(passing.price for passing in walked.passed) == points
