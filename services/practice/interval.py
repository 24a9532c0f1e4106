"""The share of games that were won, and how far chance may have moved it: Wilson's interval of 95 %."""

from math import sqrt

from msgspec import Struct

# Of a normal distribution 95 % lie within so many standard deviations.
DEVIATIONS = 1.959964


class Interval(Struct, frozen=True, kw_only=True):
    share: float
    low: float
    high: float


def find_interval(count: int, of: int) -> Interval:
    """Find the interval of a count out of some, at least one."""
    share, square = count / of, DEVIATIONS**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    width = DEVIATIONS / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    return Interval(share=share, low=max(0.0, middle - width), high=min(1.0, middle + width))
