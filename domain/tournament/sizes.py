"""How many tables a round has, and how large each is: as near to the wished size as the field allows.

All entrants are seated if that is possible; else as few as possible are given a bye.
"""

from typing import Annotated

from msgspec import Meta, Struct

from domain.ids import SEATS_MAX

TableSize = Annotated[int, Meta(ge=2, le=SEATS_MAX)]


class TableSizes(Struct, frozen=True, kw_only=True):
    """The sizes a tournament allows, and the one it would like: `min` ≤ `preferred` ≤ `max`."""

    min: TableSize
    max: TableSize
    preferred: TableSize


class Division(Struct, frozen=True, kw_only=True):
    """`tables` are sizes, the larger ones first."""

    tables: tuple[int, ...]
    byes: int


def divide(count: int, sizes: TableSizes) -> Division:
    """Divide so many entrants into tables."""
    for byes in range(count):
        seated = count - byes
        # With t tables, t * min to t * max can be seated.
        fewest, most = -(-seated // sizes.max), seated // sizes.min
        if fewest <= most:
            best = min(range(fewest, most + 1), key=lambda tables: (_distance(seated, tables, sizes.preferred), tables))
            return Division(tables=_even(seated, best), byes=byes)
    return Division(tables=(), byes=count)


def _even(seated: int, tables: int) -> tuple[int, ...]:
    """Share out as evenly as possible: evener is always nearer to the wished size."""
    each, more = divmod(seated, tables)
    return (each + 1,) * more + (each,) * (tables - more)


def _distance(seated: int, tables: int, preferred: int) -> int:
    return sum(abs(size - preferred) for size in _even(seated, tables))
