"""The table of sines, worked out again, and the roundings that go with it."""

from fractions import Fraction
from itertools import pairwise

import pytest

from domain.rulesets.chariotmaster.table.sines import FINE, direction, nearest, sine, smallest_turn, towards_zero


def squared_sine_of_double(degrees: int) -> Fraction:
    """sin²(2d) = 4 sin²(d) (1 - sin²(d)), from the table's own value."""
    squared = Fraction(sine(degrees), FINE) ** 2
    return 4 * squared * (1 - squared)


def taylor_sine(degrees: int) -> Fraction:
    # π lies between 355/113 - 3/10^7 and 355/113; these twenty-five digits are the usual ones.
    angle = Fraction(31415926535897932384626434, 10**25) * degrees / 180
    term, total = angle, Fraction(0)
    for order in range(1, 26):
        total += term
        term = -term * angle * angle / (2 * order * (2 * order + 1))
    return total


@pytest.mark.parametrize("degrees", range(91))
def test_every_sine_is_the_true_one_with_its_fraction_dropped(degrees: int) -> None:
    error = taylor_sine(degrees) * FINE - sine(degrees)

    assert Fraction(-1, 10**12) < error < 1


def test_the_table_agrees_with_itself_on_double_angles() -> None:
    differences = [
        abs(squared_sine_of_double(degrees) - Fraction(sine(2 * degrees), FINE) ** 2) for degrees in range(181)
    ]

    assert max(differences) < Fraction(8, FINE)


def test_sines_rise_over_the_first_quarter() -> None:
    quarter = [sine(degrees) for degrees in range(91)]

    assert all(lower < higher for lower, higher in pairwise(quarter))


def test_four_quarter_turns_lead_back_without_rounding() -> None:
    for degrees in range(360):
        cos, sin = direction(degrees)

        assert direction(degrees + 90) == (-sin, cos)
        assert direction(degrees - 360) == (cos, sin)


def test_no_direction_is_longer_than_one_micrometre() -> None:
    lengths = [cos * cos + sin * sin for cos, sin in map(direction, range(360))]

    assert max(lengths) == FINE * FINE
    assert min(lengths) > FINE * FINE - 4 * FINE


@pytest.mark.parametrize(("value", "rounded", "dropped"), [(14, 1, 1), (15, 2, 1), (-14, -1, -1), (-15, -2, -1)])
def test_rounding_treats_both_signs_alike(value: int, rounded: int, dropped: int) -> None:
    assert nearest(value, 10) == rounded
    assert towards_zero(value, 10) == dropped


@pytest.mark.parametrize(("start", "end", "turn"), [(350, 10, 20), (10, 350, -20), (0, 180, 180), (180, 0, 180)])
def test_the_smallest_turn_goes_the_shorter_way(start: int, end: int, turn: int) -> None:
    assert smallest_turn(start, end) == turn
