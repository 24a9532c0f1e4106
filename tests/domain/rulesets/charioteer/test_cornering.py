"""Corners: outer spaces, entered or skipped."""

import pytest

from domain.rulesets.charioteer.moving import Stride, next_progress, walk
from tests.domain.rulesets.charioteer.boards import ADA, BOB, BOX, CAI, LAP, board, driver

FINISH = 3 * LAP
KINDS = [space.kind for space in BOX.track.spaces]


@pytest.mark.rule("CH-35", "CO-12")
def test_the_corners_alternate_from_a_regular_space_to_an_outer_one() -> None:
    straight, corner = ["regular"], ["regular", "outer"]

    laid_out = 2 * straight + 10 * corner + 16 * straight + 10 * corner + 14 * straight
    assert laid_out == KINDS
    assert (LAP, KINDS.count("regular")) == (72, 52)


@pytest.mark.rule("CH-35", "CH-43")
@pytest.mark.parametrize("is_black", [True, False])
def test_black_moves_enter_only_regular_spaces_and_the_others_enter_all(*, is_black: bool) -> None:
    on = board(driver(ADA, progress=0), driver(BOB, progress=40))

    walked = walk(BOX, on, on.drivers[0], Stride(points=10, is_black=is_black))

    kinds = {BOX.track.spaces[space].kind for space in walked.entered}
    assert kinds == ({"regular"} if is_black else {"regular", "outer"})


@pytest.mark.rule("CH-36", "CH-33")
def test_a_black_move_from_an_outer_space_passes_its_rivals_there_first() -> None:
    on = board(driver(BOB, progress=5), driver(ADA, progress=5))

    walked = walk(BOX, on, on.drivers[0], Stride(points=3, is_black=True))

    assert [(passing.rival, passing.price) for passing in walked.passed] == [(BOB, 1)]
    assert walked.entered == (6, 8)


@pytest.mark.rule("CH-37", "CO-20")
def test_rivals_on_a_skipped_outer_space_cost_nothing_but_have_been_passed() -> None:
    on = board(driver(BOB, progress=5), driver(CAI, progress=5), driver(ADA, progress=4))

    walked = walk(BOX, on, on.drivers[0], Stride(points=2, is_black=True))

    assert [(passing.rival, passing.space, passing.price) for passing in walked.passed] == [(CAI, 5, 0), (BOB, 5, 0)]
    assert walked.entered == (6, 8)


@pytest.mark.rule("CH-88")
def test_beyond_the_last_line_every_move_skips_outer_spaces() -> None:
    on = board(driver(ADA, progress=FINISH - 2), driver(BOB, progress=40))

    walked = walk(BOX, on, on.drivers[0], Stride(points=7, is_black=False))

    assert walked.entered == (71, 0, 1, 2, 4, 6, 8)


@pytest.mark.rule("CH-88")
def test_a_chariot_a_lap_behind_in_the_same_corner_gets_nothing() -> None:
    on = board(driver(ADA, progress=2 * LAP + 2), driver(BOB, progress=FINISH + 2))

    assert next_progress(BOX, on, 2 * LAP + 2, is_black=False) == 2 * LAP + 3
    assert next_progress(BOX, on, FINISH + 2, is_black=False) == FINISH + 4
