"""Heaps ahead as a driver sees them. On side B they lie on inner-13, outer-20 and middle-22."""

import pytest

from domain.rulesets.chariot_race.bots.judgement import CHANGES_MAX, Lookout
from tests.domain.rulesets.chariot_race.boards import BASIC, RULES, SIDE_B, chariot, race


@pytest.mark.parametrize(
    ("space", "steps", "needed"),
    [
        ("inner-10", 2, 0),
        ("inner-10", 3, 1),
        ("middle-20", 1, 0),
        ("middle-20", 2, 1),
        ("outer-19", 1, 1),
        ("outer-19", 12, 2),
        ("inner-31", 4, 0),
    ],
)
def test_the_fewest_lane_changes_past_the_heaps_are_counted(space: str, steps: int, needed: int) -> None:
    board = race(chariot("green", "inner-1", options=SIDE_B), options=SIDE_B)

    assert Lookout(RULES.view(board, None)).changes_needed(space, steps) == needed


def test_a_track_without_heaps_needs_no_lane_change() -> None:
    board = race(chariot("green", "inner-1"), options=BASIC)

    assert Lookout(RULES.view(board, None)).changes_needed("inner-10", 12) == 0


@pytest.mark.parametrize(("fate", "speed", "percent"), [(4, 12, 0), (2, 12, 44), (1, 12, 88), (1, 6, 4), (0, 1, 0)])
def test_fate_and_dice_say_how_likely_a_heap_is(fate: int, speed: int, percent: int) -> None:
    board = race(chariot("green", "inner-10", fate=fate, options=SIDE_B), options=SIDE_B)
    view = RULES.view(board, None)

    lookout = Lookout(view)

    assert lookout.wreck_percent(view.chariots[0], "inner-10", speed, fate_for_steer=2) == percent
    assert lookout.changes_needed("inner-10", speed) <= CHANGES_MAX
