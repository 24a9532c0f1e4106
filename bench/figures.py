"""Figures of a measurement: rows of numbers under a title, printed and saved the same.

Baselines take turns with the subject in one run, so that a noisy machine is noisy for all of them; figures of two runs
are not comparable.
"""

import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from rich.table import Table

from domain.ruleset.kit import Kit

T = TypeVar("T")
# The numbers of one row by column; a column's name holds its unit.
Row = dict[str, float]
PER_S, P50, P99, LOWEST, HIGHEST = "a second", "p50 ms", "p99 ms", "lowest", "highest"
BEST, RATIO, VALUE = "best ms", "ratio", "figure"
# The best of so many rounds: the cost of the code on an undisturbed machine.
TIMED_ROUNDS = 25
# From here on a number is shown without decimals.
LARGE = 100


class Figures(Struct, frozen=True, kw_only=True):
    """One table of a measurement."""

    title: str
    rows: dict[str, Row]
    # Rows beyond their bound, where a measurement has one.
    beyond: tuple[str, ...] = ()


class Asked(Struct, frozen=True, kw_only=True):
    """The extent of a measurement. Only figures of the full size are worth keeping."""

    is_quick: bool
    kits: Sequence[Kit]

    def size(self, full: T, quick: T) -> T:
        return quick if self.is_quick else full


def build_rate(latencies_s: Sequence[float], *, events: int | None = None, elapsed_s: float | None = None) -> Row:
    """Build a row of latencies, by default of one event each and one after the other."""
    ordered = sorted(latencies_s)
    per_s = (len(ordered) if events is None else events) / (sum(ordered) if elapsed_s is None else elapsed_s)
    return {PER_S: per_s, P50: percentile(ordered, 50) * 1000, P99: percentile(ordered, 99) * 1000}


def find_fastest(rounds: Sequence[Row]) -> Row:
    """Find the round the machine disturbed least."""
    return max(rounds, key=lambda rate: rate[PER_S])


def find_median(rounds: Sequence[Row]) -> Row:
    """Find the round in the middle by its rate, the slower one of two, with the bounds of all rounds."""
    ordered = sorted(rounds, key=lambda rate: rate[PER_S])
    return ordered[(len(ordered) - 1) // 2] | {LOWEST: ordered[0][PER_S], HIGHEST: ordered[-1][PER_S]}


def percentile(ordered: Sequence[float], percent: int) -> float:
    """By nearest rank: a value that occurred."""
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def time_side_by_side(candidates: Mapping[str, Callable[[], object]], *, rounds: int = TIMED_ROUNDS) -> dict[str, Row]:
    """Run every candidate once a round; return the best time of each, and its ratio to the first one's."""
    best_s = dict.fromkeys(candidates, float("inf"))
    gc.collect()
    for _ in range(rounds):
        for name, run in candidates.items():
            started = time.perf_counter()
            run()
            best_s[name] = min(best_s[name], time.perf_counter() - started)
    first = next(iter(best_s.values()))
    return {name: {BEST: best * 1000, RATIO: best / first} for name, best in best_s.items()}


def build_table(figures: Figures) -> Table:
    columns = tuple(dict.fromkeys(column for row in figures.rows.values() for column in row))
    table = Table("", *columns, title=figures.title)
    for name, row in figures.rows.items():
        table.add_row(name, *(_format(row[column]) if column in row else "" for column in columns))
    return table


def _format(number: float) -> str:
    return f"{number:,.0f}" if isinstance(number, int) or number >= LARGE else f"{number:.2f}"
