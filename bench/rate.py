"""The result of a measurement: how many a second, and how long one took."""

import math
from collections.abc import Sequence

from msgspec import Struct


class Rate(Struct, frozen=True, kw_only=True):
    """Latencies are of one append (or insert), which may be several events."""

    name: str
    events_per_s: float
    p50_ms: float
    p99_ms: float


class Median(Struct, frozen=True, kw_only=True):
    """The round in the middle, by its rate, and how far the others lie apart."""

    rate: Rate
    lowest_per_s: float
    highest_per_s: float


def build_rate(name: str, *, latencies_s: Sequence[float], events: int, elapsed_s: float) -> Rate:
    ordered = sorted(latencies_s)
    return Rate(
        name=name,
        events_per_s=events / elapsed_s,
        p50_ms=percentile(ordered, 50) * 1000,
        p99_ms=percentile(ordered, 99) * 1000,
    )


def find_fastest(rounds: Sequence[Rate]) -> Rate:
    """Find the round the machine disturbed least."""
    return max(rounds, key=lambda rate: rate.events_per_s)


def find_median(rounds: Sequence[Rate]) -> Median:
    """Find the round in the middle, the slower one of two."""
    ordered = sorted(rounds, key=lambda rate: rate.events_per_s)
    return Median(
        rate=ordered[(len(ordered) - 1) // 2],
        lowest_per_s=ordered[0].events_per_s,
        highest_per_s=ordered[-1].events_per_s,
    )


def percentile(ordered: Sequence[float], percent: int) -> float:
    """By nearest rank: a value that occurred."""
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]
