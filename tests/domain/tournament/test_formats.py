"""Formats: how many rounds there are, who may still come, and the circle in which tables of two go round."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.tournament.formats import (
    ROUNDS_MAX,
    Format,
    HeatsAndFinal,
    Knockout,
    RoundRobin,
    ScoreRounds,
    count_rounds,
    fits_sizes,
    is_final,
    takes_late_entries,
    turn_circle,
)
from domain.tournament.sizes import TableSizes

THREES_AND_FOURS = TableSizes(min=3, max=4, preferred=4)


@given(count=st.integers(2, 40))
def test_a_whole_circle_brings_every_two_together_once(count: int) -> None:
    turns = count - 1 if count % 2 == 0 else count

    met = Counter(frozenset(pair) for turn in range(turns) for pair in turn_circle(range(count), turn))

    assert met == {frozenset(pair): 1 for pair in combinations(range(count), 2)}


@given(count=st.integers(0, 40), turn=st.integers(0, 200))
def test_nobody_sits_twice_in_a_turn_of_the_circle_and_at_most_one_sits_out(count: int, turn: int) -> None:
    seated = [entrant for pair in turn_circle(range(count), turn) for entrant in pair]

    assert len(seated) == len(set(seated)) == count - count % 2


@pytest.mark.parametrize(
    ("kind", "rounds"),
    [
        (ScoreRounds(rounds=5), 5),
        (RoundRobin(rounds=11), 11),
        (HeatsAndFinal(heats=3, finalists=4), 4),
        (Knockout(survivors=1), ROUNDS_MAX),
    ],
)
def test_each_format_says_how_many_rounds_it_has_at_most(kind: Format, rounds: int) -> None:
    assert count_rounds(kind) == rounds


def test_only_the_round_after_the_heats_is_the_final() -> None:
    kind = HeatsAndFinal(heats=3, finalists=4)

    assert [is_final(kind, round_) for round_ in range(1, 5)] == [False, False, False, True]


@pytest.mark.parametrize(
    ("kind", "last_call"),
    [
        (ScoreRounds(rounds=5), 4),
        (HeatsAndFinal(heats=3, finalists=4), 2),
        (Knockout(survivors=1), 0),
    ],
)
def test_whoever_enters_late_can_still_play_a_round(kind: Format, last_call: int) -> None:
    assert takes_late_entries(kind, last_call)
    assert not takes_late_entries(kind, last_call + 1)


def test_a_knockout_that_nobody_leaves_is_none() -> None:
    assert fits_sizes(Knockout(survivors=2), THREES_AND_FOURS)
    assert not fits_sizes(Knockout(survivors=3), THREES_AND_FOURS)


def test_finalists_fit_one_table() -> None:
    assert fits_sizes(HeatsAndFinal(heats=1, finalists=3), THREES_AND_FOURS)
    assert not fits_sizes(HeatsAndFinal(heats=1, finalists=5), THREES_AND_FOURS)
